/**
 * The statement that writes: an insert into a view whose trigger spreads one JSON array per table over the tables.
 * It is one hop to the driver's thread and one implicit transaction, whatever the batch holds.
 *
 * View and trigger are TEMP objects of the write handle, made from the entities when a batch first has these parts: they are part of the
 * program, not of the file, so they cannot drift from the encoder and no migration has to rewrite them. Each table has
 * a column of its own because `jsonb_each` parses its whole argument: one document for all would be parsed per table.
 * `jsonb_each` (SQLite 3.51) hands on each row as binary JSON, so that `->>` need not parse it again per column.
 */

import { accountSeqEntity } from '../entities/account-seq.ts';
import { apiKeyEntity } from '../entities/api-key.ts';
import { auditEntryEntity } from '../entities/audit-entry.ts';
import { autoRebalanceEntity } from '../entities/auto-rebalance.ts';
import { basketEntity } from '../entities/basket.ts';
import { basketOpenerEntity } from '../entities/basket-opener.ts';
import { candleEntity } from '../entities/candle.ts';
import { closedTradeEntity } from '../entities/closed-trade.ts';
import { cursorEntity } from '../entities/cursor.ts';
import { equitySampleEntity } from '../entities/equity-sample.ts';
import { eventEntity } from '../entities/event.ts';
import { executionEntity } from '../entities/execution.ts';
import { fillEntity } from '../entities/fill.ts';
import { fillReviewEntity } from '../entities/fill-review.ts';
import { fundingPaymentEntity } from '../entities/funding-payment.ts';
import { idempotencyEntity } from '../entities/idempotency.ts';
import { integrationEntity } from '../entities/integration.ts';
import { ladderEntity } from '../entities/ladder.ts';
import { leverageSettingEntity } from '../entities/leverage-setting.ts';
import { notificationEntity } from '../entities/notification.ts';
import { portfolioTotalEntity } from '../entities/portfolio-total.ts';
import { positionEntity } from '../entities/position.ts';
import { positionSetupEntity } from '../entities/position-setup.ts';
import { savedBasketEntity } from '../entities/saved-basket.ts';
import { scheduleEntity } from '../entities/schedule.ts';
import { sessionEntity } from '../entities/session.ts';
import { settingEntity } from '../entities/setting.ts';
import { sliceEntity } from '../entities/slice.ts';
import { tradeAccountEntity } from '../entities/trade-account.ts';
import { trailingPeakEntity } from '../entities/trailing-peak.ts';
import { triggerEntity } from '../entities/trigger.ts';
import { unassignedLotEntity } from '../entities/unassigned-lot.ts';
import { userEntity } from '../entities/user.ts';
import { addClosedTrades, POSITION_ID_AT } from '../portfolio/closed-trade-totals.ts';
import { columnsOf, keyColumnsOf, type TableEntity } from '../rows/table-entity.ts';

/** What a unit can hold, in the order in which a batch is applied: inserts before replacements, deletes last. */
export const PARTS = [
  'users',
  'accounts',
  'sessions',
  'api_keys',
  'new_executions',
  'executions',
  'positions',
  'closed_trades',
  'fills',
  'funding',
  'portfolio_totals',
  'equity_samples',
  'leverage',
  'idempotency',
  'answered_keys',
  'settings',
  'cursors',
  'position_setups',
  'triggers',
  'trailing_peaks',
  'new_schedules',
  'new_slices',
  'schedules',
  'slices',
  'ladders',
  'auto_rebalances',
  'notifications',
  'audit',
  'changed_fills',
  'unassigned_lots',
  'candles',
  'baskets',
  'basket_opens',
  'saved_baskets',
  'integrations',
  'fill_reviews',
  'events',
  'account_seq',
  'deleted_sessions',
  'deleted_api_keys',
  'deleted_accounts',
  'deleted_saved_baskets',
] as const;

export type Part = (typeof PARTS)[number];

function insert<R>(part: Part, entity: TableEntity<R>): string {
  const columns = columnsOf(entity);
  return `INSERT INTO ${entity.tableName} (${columns.map(({ column }) => column.name).join(', ')})
    SELECT ${columns.map((_, index) => `value ->> ${index}`).join(', ')} FROM jsonb_each(NEW.${part}) WHERE true`;
}

/** Inserts or replaces by key. The `WHERE true` keeps the parser from taking ON CONFLICT for a join condition. */
function upsert<R>(part: Part, entity: TableEntity<R>): string {
  const replaced = columnsOf(entity).flatMap(({ column }) =>
    column.update === false ? [] : [`${column.name} = excluded.${column.name}`],
  );
  return `${insert(part, entity)}
    ON CONFLICT (${keyColumnsOf(entity).join(', ')}) DO UPDATE SET ${replaced.join(', ')}`;
}

/** Inserts what is not there yet; what is there stays as it is. */
function insertMissing<R>(part: Part, entity: TableEntity<R>): string {
  return `${insert(part, entity)} ON CONFLICT (${keyColumnsOf(entity).join(', ')}) DO NOTHING`;
}

/** Inserts, or adds the other columns to the row of the key: counters, whose batches may name a row more than once. */
function accumulate<R>(part: Part, entity: TableEntity<R>): string {
  const added = columnsOf(entity).flatMap(({ column: { name, primary } }) =>
    primary ? [] : [`${name} = ${name} + excluded.${name}`],
  );
  return `${insert(part, entity)}
    ON CONFLICT (${keyColumnsOf(entity).join(', ')}) DO UPDATE SET ${added.join(', ')}`;
}

function remove<R>(part: Part, entity: TableEntity<R>): string {
  return `DELETE FROM ${entity.tableName} WHERE id IN (SELECT value FROM jsonb_each(NEW.${part}))`;
}

/** What the rows had added to the totals is taken out, the rows are replaced, and what they say now is added. */
function replaceClosedTrades(): string {
  const these = `position_id IN (SELECT value ->> ${POSITION_ID_AT} FROM jsonb_each(NEW.closed_trades))`;
  return [
    addClosedTrades('-', these),
    upsert('closed_trades', closedTradeEntity),
    addClosedTrades('+', these),
  ].join(';\n    ');
}

const APPLY: Readonly<Record<Part, string>> = {
  users: upsert('users', userEntity),
  accounts: upsert('accounts', tradeAccountEntity),
  sessions: upsert('sessions', sessionEntity),
  api_keys: upsert('api_keys', apiKeyEntity),
  new_executions: insert('new_executions', executionEntity),
  executions: upsert('executions', executionEntity),
  positions: upsert('positions', positionEntity),
  closed_trades: replaceClosedTrades(),
  fills: insert('fills', fillEntity),
  funding: insert('funding', fundingPaymentEntity),
  portfolio_totals: accumulate('portfolio_totals', portfolioTotalEntity),
  equity_samples: upsert('equity_samples', equitySampleEntity),
  leverage: upsert('leverage', leverageSettingEntity),
  idempotency: insert('idempotency', idempotencyEntity),
  answered_keys: upsert('answered_keys', idempotencyEntity),
  settings: upsert('settings', settingEntity),
  cursors: upsert('cursors', cursorEntity),
  position_setups: insert('position_setups', positionSetupEntity),
  triggers: upsert('triggers', triggerEntity),
  trailing_peaks: upsert('trailing_peaks', trailingPeakEntity),
  new_schedules: insert('new_schedules', scheduleEntity),
  new_slices: insert('new_slices', sliceEntity),
  schedules: upsert('schedules', scheduleEntity),
  slices: upsert('slices', sliceEntity),
  ladders: upsert('ladders', ladderEntity),
  auto_rebalances: upsert('auto_rebalances', autoRebalanceEntity),
  notifications: insert('notifications', notificationEntity),
  audit: insert('audit', auditEntryEntity),
  changed_fills: upsert('changed_fills', fillEntity),
  unassigned_lots: upsert('unassigned_lots', unassignedLotEntity),
  candles: upsert('candles', candleEntity),
  baskets: insertMissing('baskets', basketEntity),
  basket_opens: accumulate('basket_opens', basketOpenerEntity),
  saved_baskets: upsert('saved_baskets', savedBasketEntity),
  integrations: upsert('integrations', integrationEntity),
  fill_reviews: upsert('fill_reviews', fillReviewEntity),
  events: insert('events', eventEntity),
  account_seq: upsert('account_seq', accountSeqEntity),
  deleted_sessions: remove('deleted_sessions', sessionEntity),
  deleted_api_keys: remove('deleted_api_keys', apiKeyEntity),
  deleted_accounts: remove('deleted_accounts', tradeAccountEntity),
  deleted_saved_baskets: remove('deleted_saved_baskets', savedBasketEntity),
};

/** A view of that name whose trigger writes these parts, in this order. */
export function createUnitOfWork(view: string, parts: readonly Part[]): string {
  return `
  CREATE TEMP VIEW ${view} (${parts.join(', ')}) AS SELECT ${parts.map(() => 'NULL').join(', ')};
  CREATE TEMP TRIGGER apply_${view} INSTEAD OF INSERT ON ${view} BEGIN
    ${parts.map((part) => `${APPLY[part]};`).join('\n    ')}
  END;`;
}

/** One parameter per part: a JSON array of rows (of ids where rows are deleted), or NULL. */
export function insertUnitOfWork(view: string, parts: readonly Part[]): string {
  return `INSERT INTO ${view} VALUES (${parts.map(() => '?').join(', ')})`;
}
