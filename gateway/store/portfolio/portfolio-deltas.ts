/** What a unit of work adds to an account's totals: from its fills and funding payments, and from positions it closes. */
import { dec, sum, text } from '../../domain/decimal.ts';
import { DAY_MS, HOUR_MS } from '../../domain/history-range.ts';
import type { Fill, FundingPayment, Position } from '../../domain/model.ts';
import { type HistorySource, PAID_ON, sourceOfFill, sourceOfPosition } from '../../domain/portfolio.ts';
import type { FillChange, UnitOfWork } from '../../engine/ports/unit-of-work.ts';
import type { ClosedTradeRow } from '../entities/closed-trade.ts';
import type { PortfolioTotalRow, TotalKind } from '../entities/portfolio-total.ts';
import { type Limbs, limbsOf } from './amount-limbs.ts';

const NOTHING: Limbs = { whole: 0, nano: 0, atto: 0 };

type Sums = { -readonly [Column in keyof PortfolioTotalRow]: PortfolioTotalRow[Column] };

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

/** A transfer is not traded: it has no volume, only what it makes a basket realise. */
function moved(fill: Fill): Movement {
  const isTraded = fill.cause === null;
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
 * The fill was counted when it was recorded, in no position; what is new is the result that its position gives it. A fill
 * that is only confirmed brings nothing.
 */
function realizedLater({ fill, realizedBefore }: FillChange): readonly Movement[] {
  const gained = dec(fill.realizedPnl).minus(realizedBefore);
  if (gained.isZero()) return [];
  const counted = moved({ ...fill, positionId: null });
  return [{ ...counted, fills: 0, volume: NOTHING, realized: limbsOf(text(gained)), fees: NOTHING }];
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
  return {
    tradeAccountId: movement.tradeAccountId,
    kind,
    start,
    source: movement.source,
    subject,
    fills: 0,
    volumeWhole: 0,
    volumeNano: 0,
    volumeAtto: 0,
    realizedWhole: 0,
    realizedNano: 0,
    realizedAtto: 0,
    feesWhole: 0,
    feesNano: 0,
    feesAtto: 0,
    fundingWhole: 0,
    fundingNano: 0,
    fundingAtto: 0,
    closed: 0,
    wins: 0,
    losses: 0,
    wonWhole: 0,
    wonNano: 0,
    wonAtto: 0,
    lostWhole: 0,
    lostNano: 0,
    lostAtto: 0,
    holdMs: 0,
  };
}

function add(sums: Sums, movement: Movement): void {
  sums.fills += movement.fills;
  for (const name of ['volume', 'realized', 'fees', 'funding'] as const) {
    sums[`${name}Whole`] += movement[name].whole;
    sums[`${name}Nano`] += movement[name].nano;
    sums[`${name}Atto`] += movement[name].atto;
  }
}

/** One row a total, however many fills the unit has. */
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

/** The closed ones among the positions. */
export function closedTrades(positions: readonly Position[] | undefined): readonly ClosedTradeRow[] {
  return (positions ?? []).flatMap((position) => {
    if (position.closedAt === null) return [];
    const net = sum(
      position.legs.map((leg) => dec(leg.realizedPnl).minus(leg.feesPaid).minus(leg.fundingPaid)),
    );
    const { whole, nano, atto } = limbsOf(text(net));
    return {
      tradeAccountId: position.tradeAccountId,
      closedAt: position.closedAt,
      positionId: position.id,
      basketKey: position.basketKey,
      source: sourceOfPosition(position),
      openedAt: position.createdAt,
      netWhole: whole,
      netNano: nano,
      netAtto: atto,
    };
  });
}
