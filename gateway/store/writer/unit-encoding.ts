/** A unit of work as JSON text, made when it is handed in, so that composing a batch only joins strings. */
import type { Schedule } from '../../domain/schedule.ts';
import { summaryOf } from '../../domain/schedule-summary.ts';
import type { NewEvent, StoredEvent, StoredSlice, UnitOfWork } from '../../engine/ports/unit-of-work.ts';
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
import { executionRowJson } from '../entities/execution.ts';
import { fillEntity } from '../entities/fill.ts';
import { fillReviewEntity } from '../entities/fill-review.ts';
import { fundingPaymentEntity } from '../entities/funding-payment.ts';
import { idempotencyEntity } from '../entities/idempotency.ts';
import { integrationEntity } from '../entities/integration.ts';
import { ladderEntity } from '../entities/ladder.ts';
import { leverageSettingEntity } from '../entities/leverage-setting.ts';
import { notificationEntity, notificationRow } from '../entities/notification.ts';
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
import { closedTrades, totalDeltas } from '../portfolio/portfolio-deltas.ts';
import { rowEncoder } from '../rows/row-codec.ts';
import { PARTS, type Part } from './unit-of-work-view.ts';

export interface EncodedUnit {
  /** Rows of each part, joined by commas, without the brackets. */
  readonly rows: ReadonlyMap<Part, string>;
  readonly events: readonly NewEvent[];
  readonly deletes: boolean;
  /** Length of all rows, UTF-16 units. */
  readonly size: number;
}

const encodeFill = rowEncoder(fillEntity);
const encodeIdempotency = rowEncoder(idempotencyEntity);
const encodeNotification = rowEncoder(notificationEntity);
const encodePosition = rowEncoder(positionEntity);
const encodeScheduleRow = rowEncoder(scheduleEntity);
const encodeSchedule = (schedule: Schedule): string => encodeScheduleRow(summaryOf(schedule));
const encodeSlice = rowEncoder(sliceEntity);
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

class UnitRows {
  readonly rows = new Map<Part, string>();
  size = 0;

  put<R>(part: Part, records: readonly R[], encode: (record: R) => string): void {
    if (records.length === 0) return;
    let encoded = '';
    for (const record of records) encoded += encoded === '' ? encode(record) : `,${encode(record)}`;
    this.size += encoded.length;
    this.rows.set(part, encoded);
  }
}

type Records = Required<UnitOfWork>;
type Encode<K extends keyof Records> = (records: Records[K], into: UnitRows) => void;

function rowsOf<R>(
  part: Part,
  encode: (record: R) => string,
): (records: readonly R[], into: UnitRows) => void {
  return (records, into) => into.put(part, records, encode);
}

/** How each field of a unit becomes rows. A unit has few of them, and only those are looked at. */
const ENCODERS: { readonly [K in keyof Records]: Encode<K> } = {
  users: rowsOf('users', rowEncoder(userEntity)),
  accounts: rowsOf('accounts', rowEncoder(tradeAccountEntity)),
  sessions: rowsOf('sessions', rowEncoder(sessionEntity)),
  apiKeys: rowsOf('api_keys', rowEncoder(apiKeyEntity)),
  newExecutions: rowsOf('new_executions', executionRowJson),
  executions: rowsOf('executions', executionRowJson),
  positions: (positions, into) => {
    into.put('positions', positions, encodePosition);
    into.put('closed_trades', closedTrades(positions), encodeClosedTrade);
  },
  fills: rowsOf('fills', encodeFill),
  funding: rowsOf('funding', rowEncoder(fundingPaymentEntity)),
  equitySamples: rowsOf('equity_samples', rowEncoder(equitySampleEntity)),
  leverage: rowsOf('leverage', rowEncoder(leverageSettingEntity)),
  idempotency: rowsOf('idempotency', encodeIdempotency),
  answeredKeys: rowsOf('answered_keys', encodeIdempotency),
  settings: rowsOf('settings', rowEncoder(settingEntity)),
  cursors: rowsOf('cursors', rowEncoder(cursorEntity)),
  positionSetups: rowsOf('position_setups', rowEncoder(positionSetupEntity)),
  triggers: rowsOf('triggers', rowEncoder(triggerEntity)),
  trailingPeaks: rowsOf('trailing_peaks', rowEncoder(trailingPeakEntity)),
  newSchedules: (schedules, into) => {
    into.put('new_schedules', schedules, encodeSchedule);
    const slices = schedules.flatMap(({ id, slices }) =>
      slices.map((slice): StoredSlice => ({ ...slice, scheduleId: id })),
    );
    into.put('new_slices', slices, encodeSlice);
  },
  schedules: rowsOf('schedules', encodeSchedule),
  slices: rowsOf('slices', encodeSlice),
  ladders: rowsOf('ladders', rowEncoder(ladderEntity)),
  autoRebalances: rowsOf('auto_rebalances', rowEncoder(autoRebalanceEntity)),
  notifications: rowsOf('notifications', (notification) => encodeNotification(notificationRow(notification))),
  audit: rowsOf('audit', rowEncoder(auditEntryEntity)),
  changedFills: rowsOf('changed_fills', ({ fill }) => encodeFill(fill)),
  unassignedLots: rowsOf('unassigned_lots', rowEncoder(unassignedLotEntity)),
  candles: rowsOf('candles', rowEncoder(candleEntity)),
  baskets: rowsOf('baskets', rowEncoder(basketEntity)),
  basketOpens: rowsOf('basket_opens', rowEncoder(basketOpenerEntity)),
  savedBaskets: rowsOf('saved_baskets', rowEncoder(savedBasketEntity)),
  integrations: rowsOf('integrations', rowEncoder(integrationEntity)),
  fillReviews: rowsOf('fill_reviews', rowEncoder(fillReviewEntity)),
  deletes: (deletes, into) => {
    for (const from of ['sessions', 'apiKeys', 'accounts', 'savedBaskets'] as const) {
      const gone = deletes.filter((row) => row.from === from);
      into.put(DELETED[from], gone, ({ id }) => JSON.stringify(id));
    }
  },
  // They get their numbers with the batch.
  events: () => {},
};

function encodeField<K extends keyof Records>(unit: UnitOfWork, field: K, into: UnitRows): void {
  const records: UnitOfWork[K] = unit[field];
  if (records !== undefined) ENCODERS[field](records as Records[K], into);
}

export function encodeUnit(unit: UnitOfWork): EncodedUnit {
  const into = new UnitRows();
  for (const field in unit) encodeField(unit, field as keyof UnitOfWork, into);
  into.put('portfolio_totals', totalDeltas(unit), encodePortfolioTotal);
  return {
    rows: into.rows,
    events: unit.events ?? NONE,
    deletes: (unit.deletes?.length ?? 0) > 0,
    size: into.size,
  };
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
