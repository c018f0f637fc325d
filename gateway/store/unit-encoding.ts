/** A unit of work as JSON text, made when it is handed in, so that composing a batch only joins strings. */
import type { Execution } from '../domain/model.ts';
import type { Notification } from '../domain/notification.ts';
import type { Schedule } from '../domain/schedule.ts';
import { summaryOf } from '../domain/schedule-summary.ts';
import type { NewEvent, StoredEvent, StoredSlice, UnitOfWork } from '../engine/ports.ts';
import { accountSeqEntity } from './entities/account-seq.ts';
import { apiKeyEntity } from './entities/api-key.ts';
import { auditEntryEntity } from './entities/audit-entry.ts';
import { autoRebalanceEntity } from './entities/auto-rebalance.ts';
import { basketEntity } from './entities/basket.ts';
import { basketOpenerEntity } from './entities/basket-opener.ts';
import { candleEntity } from './entities/candle.ts';
import { closedTradeEntity } from './entities/closed-trade.ts';
import { cursorEntity } from './entities/cursor.ts';
import { eventEntity } from './entities/event.ts';
import { executionValues } from './entities/execution.ts';
import { fillEntity } from './entities/fill.ts';
import { fundingPaymentEntity } from './entities/funding-payment.ts';
import { idempotencyEntity } from './entities/idempotency.ts';
import { integrationEntity } from './entities/integration.ts';
import { ladderEntity } from './entities/ladder.ts';
import { leverageSettingEntity } from './entities/leverage-setting.ts';
import { notificationEntity, notificationRow } from './entities/notification.ts';
import { portfolioTotalEntity } from './entities/portfolio-total.ts';
import { positionEntity } from './entities/position.ts';
import { positionSetupEntity } from './entities/position-setup.ts';
import { savedBasketEntity } from './entities/saved-basket.ts';
import { scheduleEntity } from './entities/schedule.ts';
import { sessionEntity } from './entities/session.ts';
import { settingEntity } from './entities/setting.ts';
import { sliceEntity } from './entities/slice.ts';
import { tradeAccountEntity } from './entities/trade-account.ts';
import { trailingPeakEntity } from './entities/trailing-peak.ts';
import { triggerEntity } from './entities/trigger.ts';
import { userEntity } from './entities/user.ts';
import { closedTrades, totalDeltas } from './portfolio-deltas.ts';
import { rowEncoder } from './row-codec.ts';
import { PARTS, type Part } from './unit-of-work-view.ts';

export interface EncodedUnit {
  /** Rows of each part, joined by commas, without the brackets. */
  readonly rows: ReadonlyMap<Part, string>;
  readonly events: readonly NewEvent[];
  readonly deletes: boolean;
  /** Length of all rows, UTF-16 units. */
  readonly size: number;
}

const encodeUser = rowEncoder(userEntity);
const encodeAccount = rowEncoder(tradeAccountEntity);
const encodeSession = rowEncoder(sessionEntity);
const encodeApiKey = rowEncoder(apiKeyEntity);
const encodeExecution = (execution: Execution): string => JSON.stringify(executionValues(execution));
const encodePosition = rowEncoder(positionEntity);
const encodeFill = rowEncoder(fillEntity);
const encodeFunding = rowEncoder(fundingPaymentEntity);
const encodeLeverage = rowEncoder(leverageSettingEntity);
const encodeIdempotency = rowEncoder(idempotencyEntity);
const encodeSetting = rowEncoder(settingEntity);
const encodeCursor = rowEncoder(cursorEntity);
const encodePositionSetup = rowEncoder(positionSetupEntity);
const encodeTrigger = rowEncoder(triggerEntity);
const encodeTrailingPeak = rowEncoder(trailingPeakEntity);
const encodeScheduleRow = rowEncoder(scheduleEntity);
const encodeSchedule = (schedule: Schedule): string => encodeScheduleRow(summaryOf(schedule));
const encodeSlice = rowEncoder(sliceEntity);
const encodeLadder = rowEncoder(ladderEntity);
const encodeAutoRebalance = rowEncoder(autoRebalanceEntity);
const encodeNotificationRow = rowEncoder(notificationEntity);
const encodeNotification = (notification: Notification): string =>
  encodeNotificationRow(notificationRow(notification));
const encodeAudit = rowEncoder(auditEntryEntity);
const encodeCandles = rowEncoder(candleEntity);
const encodeBasket = rowEncoder(basketEntity);
const encodeBasketOpens = rowEncoder(basketOpenerEntity);
const encodeSavedBasket = rowEncoder(savedBasketEntity);
const encodeIntegration = rowEncoder(integrationEntity);
const encodeClosedTrade = rowEncoder(closedTradeEntity);
const encodePortfolioTotal = rowEncoder(portfolioTotalEntity);
const encodeEvent = rowEncoder(eventEntity);
const encodeAccountSeq = rowEncoder(accountSeqEntity);

const DELETED = {
  sessions: 'deleted_sessions',
  apiKeys: 'deleted_api_keys',
  accounts: 'deleted_accounts',
  savedBaskets: 'deleted_saved_baskets',
} as const;

const NONE: readonly NewEvent[] = [];

export function encodeUnit(unit: UnitOfWork): EncodedUnit {
  const rows = new Map<Part, string>();
  let size = 0;
  const put = <R>(part: Part, records: readonly R[] | undefined, encode: (record: R) => string): void => {
    if (records === undefined || records.length === 0) return;
    const encoded = records.map(encode).join(',');
    size += encoded.length;
    rows.set(part, encoded);
  };
  put('users', unit.users, encodeUser);
  put('accounts', unit.accounts, encodeAccount);
  put('sessions', unit.sessions, encodeSession);
  put('api_keys', unit.apiKeys, encodeApiKey);
  put('new_executions', unit.newExecutions, encodeExecution);
  put('executions', unit.executions, encodeExecution);
  put('positions', unit.positions, encodePosition);
  put('closed_trades', closedTrades(unit.positions), encodeClosedTrade);
  put('fills', unit.fills, encodeFill);
  put('funding', unit.funding, encodeFunding);
  put('portfolio_totals', totalDeltas(unit), encodePortfolioTotal);
  put('leverage', unit.leverage, encodeLeverage);
  put('idempotency', unit.idempotency, encodeIdempotency);
  put('answered_keys', unit.answeredKeys, encodeIdempotency);
  put('settings', unit.settings, encodeSetting);
  put('cursors', unit.cursors, encodeCursor);
  put('position_setups', unit.positionSetups, encodePositionSetup);
  put('triggers', unit.triggers, encodeTrigger);
  put('trailing_peaks', unit.trailingPeaks, encodeTrailingPeak);
  put('new_schedules', unit.newSchedules, encodeSchedule);
  put(
    'new_slices',
    unit.newSchedules?.flatMap(({ id, slices }) =>
      slices.map((slice): StoredSlice => ({ ...slice, scheduleId: id })),
    ),
    encodeSlice,
  );
  put('schedules', unit.schedules, encodeSchedule);
  put('slices', unit.slices, encodeSlice);
  put('ladders', unit.ladders, encodeLadder);
  put('auto_rebalances', unit.autoRebalances, encodeAutoRebalance);
  put('notifications', unit.notifications, encodeNotification);
  put('audit', unit.audit, encodeAudit);
  put('changed_fills', unit.changedFills, ({ fill }) => encodeFill(fill));
  put('candles', unit.candles, encodeCandles);
  put('baskets', unit.baskets, encodeBasket);
  put('basket_opens', unit.basketOpens, encodeBasketOpens);
  put('saved_baskets', unit.savedBaskets, encodeSavedBasket);
  put('integrations', unit.integrations, encodeIntegration);
  for (const { from, id } of unit.deletes ?? []) {
    const part = DELETED[from];
    const before = rows.get(part);
    rows.set(part, before === undefined ? JSON.stringify(id) : `${before},${JSON.stringify(id)}`);
  }
  return { rows, events: unit.events ?? NONE, deletes: (unit.deletes?.length ?? 0) > 0, size };
}

export interface ComposedBatch {
  /** The parts that the batch has, in the order of `PARTS`. */
  readonly parts: readonly Part[];
  /** A JSON array of rows for each of them. */
  readonly params: ReadonlyMap<Part, string>;
  /** Per unit, in the order given. */
  readonly events: readonly (readonly StoredEvent[])[];
  /** The accounts' counters after this batch. */
  readonly lastSeqs: ReadonlyMap<string, number>;
}

/** Numbers the units' events from `lastSeq` on and joins their rows. Changes nothing: the batch may still fail. */
export function composeBatch(
  units: readonly EncodedUnit[],
  lastSeq: (tradeAccountId: string) => number,
): ComposedBatch {
  const lastSeqs = new Map<string, number>();
  const events = units.map((unit) =>
    unit.events.map(({ tradeAccountId, event, entityId, timestamp }): StoredEvent => {
      const seq = (lastSeqs.get(tradeAccountId) ?? lastSeq(tradeAccountId)) + 1;
      lastSeqs.set(tradeAccountId, seq);
      return { tradeAccountId, seq, event, entityId, timestamp };
    }),
  );
  const rows = new Map<Part, string[]>();
  const put = (part: Part, encoded: string): void => {
    const sofar = rows.get(part);
    if (sofar === undefined) rows.set(part, [encoded]);
    else sofar.push(encoded);
  };
  for (const unit of units) for (const [part, encoded] of unit.rows) put(part, encoded);
  for (const unitEvents of events) for (const event of unitEvents) put('events', encodeEvent(event));
  for (const [tradeAccountId, last] of lastSeqs)
    put('account_seq', encodeAccountSeq({ tradeAccountId, lastSeq: last }));
  const parts = rows.size === 1 ? [...rows.keys()] : PARTS.filter((part) => rows.has(part));
  const params = new Map<Part, string>();
  for (const part of parts) params.set(part, `[${rows.get(part)?.join(',') ?? ''}]`);
  return { parts, params, events, lastSeqs };
}
