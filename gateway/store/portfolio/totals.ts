/** Sums of an account's history, and the amounts that a unit of work's fills and funding payments add to them. */
import { dec, text as decimalText } from '../../domain/decimal.ts';
import { isForced } from '../../domain/forced-fill.ts';
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import type { Fill, FundingPayment } from '../../domain/model.ts';
import { type HistorySource, PAID_ON, sourceOfFill, sourceOfPosition } from '../../domain/portfolio.ts';
import type { FillChange, UnitOfWork } from '../../engine/ports/unit-of-work.ts';
import { columnsOf, integer, key, table, text } from '../rows/table-entity.ts';
import { type Limbs, limbsOf } from './amount-limbs.ts';

export type TotalKind = 'hour' | 'day' | 'asset_day' | 'asset' | 'basket';

/** Amounts that fills and funding payments add to, USD. */
const MOVED = ['volume', 'realized', 'fees', 'funding'] as const;
type Amount = (typeof MOVED)[number] | 'won' | 'lost';
type Measure = 'fills' | `${Amount}${'Whole' | 'Nano' | 'Atto'}` | 'closed' | 'wins' | 'losses' | 'holdMs';

/**
 * Sums that change only by addition, so that a commit adds to them without reading: by `hour` and `day` of the account,
 * by `asset_day` (instrument and day), and over all time by `asset` (instrument) and `basket`.
 * `start` is epoch ms, 0 for all time; `subject` is the instrument or the basket key, '' for the account.
 *
 * USD amounts are three whole numbers each (`amount-limbs.ts`): SQLite has no exact decimal type, and REAL is inexact.
 */
export interface PortfolioTotalRow extends Readonly<Record<Measure, number>> {
  readonly tradeAccountId: string;
  readonly kind: TotalKind;
  readonly start: number;
  readonly source: string;
  readonly subject: string;
}

type Sums = { -readonly [Column in keyof PortfolioTotalRow]: PortfolioTotalRow[Column] };

export const portfolioTotalEntity = table<PortfolioTotalRow>('portfolio_totals', {
  tradeAccountId: key(text('trade_account_id')),
  kind: key(text('kind')),
  start: key(integer('start')),
  source: key(text('source')),
  subject: key(text('subject')),
  fills: integer('fills'),
  volumeWhole: integer('volume_whole'),
  volumeNano: integer('volume_nano'),
  volumeAtto: integer('volume_atto'),
  realizedWhole: integer('realized_whole'),
  realizedNano: integer('realized_nano'),
  realizedAtto: integer('realized_atto'),
  feesWhole: integer('fees_whole'),
  feesNano: integer('fees_nano'),
  feesAtto: integer('fees_atto'),
  fundingWhole: integer('funding_whole'),
  fundingNano: integer('funding_nano'),
  fundingAtto: integer('funding_atto'),
  closed: integer('closed'),
  wins: integer('wins'),
  losses: integer('losses'),
  wonWhole: integer('won_whole'),
  wonNano: integer('won_nano'),
  wonAtto: integer('won_atto'),
  lostWhole: integer('lost_whole'),
  lostNano: integer('lost_nano'),
  lostAtto: integer('lost_atto'),
  holdMs: integer('hold_ms'),
});

const ZERO = Object.fromEntries(
  columnsOf(portfolioTotalEntity).flatMap(({ property, column }) => (column.primary ? [] : [[property, 0]])),
) as Readonly<Record<Measure, number>>;

const NOTHING: Limbs = { whole: 0, nano: 0, atto: 0 };

interface Movement {
  readonly tradeAccountId: string;
  readonly symbol: string;
  readonly source: HistorySource;
  readonly timestamp: number;
  readonly fills: number;
  readonly volume: Limbs;
  readonly realized: Limbs;
  readonly fees: Limbs;
  readonly funding: Limbs;
}

/** Movement of a fill. A transfer is not a trade: it has no volume, only the PnL that it makes a basket realise. */
function moved(fill: Fill): Movement {
  const isTraded = fill.cause === null || isForced(fill);
  return {
    tradeAccountId: fill.tradeAccountId,
    symbol: fill.symbol,
    source: sourceOfFill(fill),
    timestamp: fill.timestamp,
    fills: isTraded ? 1 : 0,
    volume: isTraded ? limbsOf(fill.notional) : NOTHING,
    realized: limbsOf(fill.realizedPnl),
    fees: limbsOf(fill.fee),
    funding: NOTHING,
  };
}

/**
 * Movement of a changed fill, which was counted, in no position, when it was recorded: only the result that its
 * position gives it is new. A fill that is only confirmed adds nothing.
 */
function realizedLater({ fill, realizedBefore }: FillChange): readonly Movement[] {
  const gained = dec(fill.realizedPnl).minus(realizedBefore);
  if (gained.isZero()) return [];
  const counted = moved({ ...fill, positionId: null });
  return [{ ...counted, fills: 0, volume: NOTHING, realized: limbsOf(decimalText(gained)), fees: NOTHING }];
}

function paid(payment: FundingPayment, source: HistorySource): Movement {
  return {
    tradeAccountId: payment.tradeAccountId,
    symbol: payment.symbol,
    source,
    timestamp: payment.timestamp,
    fills: 0,
    volume: NOTHING,
    realized: NOTHING,
    fees: NOTHING,
    funding: limbsOf(payment.amount),
  };
}

/** Kind, start and subject of every total that a movement belongs to. */
function places({ symbol, timestamp }: Movement): readonly (readonly [TotalKind, number, string])[] {
  const day = Math.floor(timestamp / DAY_MS) * DAY_MS;
  return [
    ['hour', Math.floor(timestamp / HOUR_MS) * HOUR_MS, ''],
    ['day', day, ''],
    ['asset_day', day, symbol],
    ['asset', 0, symbol],
  ];
}

function empty(movement: Movement, kind: TotalKind, start: number, subject: string): Sums {
  const { tradeAccountId, source } = movement;
  return { tradeAccountId, kind, start, source, subject, ...ZERO };
}

function add(sums: Sums, movement: Movement): void {
  sums.fills += movement.fills;
  for (const name of MOVED) {
    sums[`${name}Whole`] += movement[name].whole;
    sums[`${name}Nano`] += movement[name].nano;
    sums[`${name}Atto`] += movement[name].atto;
  }
}

/** Additions of a unit to the totals: one row per total, however many fills the unit has. */
export function totalDeltas(
  unit: Pick<UnitOfWork, 'fills' | 'changedFills' | 'funding' | 'positions'>,
): readonly PortfolioTotalRow[] {
  const { fills = [], changedFills = [], funding = [], positions = [] } = unit;
  if (fills.length === 0 && changedFills.length === 0 && funding.length === 0) return [];
  const sourceOf = (positionId: string): HistorySource => {
    if (positionId === PAID_ON.OUTSIDE) return 'external';
    const position = positions.find(({ id }) => id === positionId);
    return position === undefined ? 'gateway' : sourceOfPosition(position);
  };
  const rows = new Map<string, Sums>();
  for (const movement of [
    ...fills.map(moved),
    ...changedFills.flatMap(realizedLater),
    ...funding.map((payment) => paid(payment, sourceOf(payment.positionId))),
  ]) {
    for (const [kind, start, subject] of places(movement)) {
      const place = `${movement.tradeAccountId} ${kind} ${start} ${movement.source} ${subject}`;
      const sums = rows.get(place) ?? empty(movement, kind, start, subject);
      rows.set(place, sums);
      add(sums, movement);
    }
  }
  return [...rows.values()];
}
