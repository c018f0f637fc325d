/**
 * Recognises a repeated order: same account, legs and sides, and each leg equal within 2 %. A program that does not
 * know whether its order arrived sends it again. Its own answer to "are you sure?" proves nothing.
 */
import type { DecimalString } from './decimal.ts';
import type { Execution, TradeLeg } from './model.ts';
import { isAbove, minus, negated, type Scaled, scaled, times } from './scaled.ts';

/** Time within which an order can be the same as an earlier one. */
export const SAME_ORDER_WITHIN_MS = 60_000;
/** Largest difference: one part in 50, which is 2 %. */
const TOLERANCE: Scaled = { units: 50, places: 0 };

interface PrintedLeg {
  readonly symbol: string;
  readonly side: TradeLeg['side'];
  readonly mode: TradeLeg['mode'];
  readonly amount: DecimalString;
  /** Total of which a WEIGHT is a part; null: not known. */
  readonly totalUsd: DecimalString | null;
}

/** Fields that identify an order. */
export interface OrderPrint {
  readonly tradeAccountId: string;
  /** Instruments and sides, in one order. */
  readonly legsKey: string;
  /** In the order of the key. */
  readonly legs: readonly PrintedLeg[];
}

/** @param trades all traded legs */
export function orderPrint(
  tradeAccountId: string,
  trades: readonly { readonly legs: readonly TradeLeg[]; readonly totalUsd: DecimalString | null }[],
): OrderPrint {
  const legs = trades.flatMap(({ legs: all, totalUsd }) =>
    all.map(({ symbol, side, mode, amount }) => ({ symbol, side, mode, amount, totalUsd })),
  );
  const named = legs.map((leg) => [`${leg.symbol} ${leg.side}`, leg] as const);
  // Legs of one instrument and side (rungs of a ladder) stay in the order in which they were asked for.
  named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    tradeAccountId,
    legsKey: named.map(([name]) => name).join(','),
    legs: named.map(([, leg]) => leg),
  };
}

/** As `orderPrint`, for an accepted order. Weights whose total is lost are replaced by their quantities. */
export function printOf({ tradeAccountId, orders }: Execution): OrderPrint {
  const legs = orders.map((order): TradeLeg => {
    const { mode, quantity } = order;
    return mode === 'WEIGHT' && quantity !== null ? { ...order, mode: 'BASE', amount: quantity } : order;
  });
  return orderPrint(tradeAccountId, [{ legs, totalUsd: null }]);
}

/** @param markOf null: no price is known, and only amounts of the same unit can be compared */
export function isSameOrder(
  before: OrderPrint,
  now: OrderPrint,
  markOf: (symbol: string) => DecimalString | null,
): boolean {
  if (before.tradeAccountId !== now.tradeAccountId || before.legsKey !== now.legsKey) return false;
  return before.legs.every((leg, index) => {
    const other = now.legs[index];
    return other !== undefined && isAsLarge(leg, other, markOf);
  });
}

function isAsLarge(
  before: PrintedLeg,
  now: PrintedLeg,
  markOf: (symbol: string) => DecimalString | null,
): boolean {
  const isOneUnit = before.mode === now.mode && before.mode !== 'WEIGHT';
  const sizes = isOneUnit
    ? [scaled(before.amount), scaled(now.amount)]
    : [usdOf(before, markOf(before.symbol)), usdOf(now, markOf(now.symbol))];
  const [a, b] = sizes;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  const difference = minus(a, b);
  const apart = difference.units < 0 ? negated(difference) : difference;
  return !isAbove(times(apart, TOLERANCE), a);
}

/** null: not known. */
function usdOf({ mode, amount, totalUsd }: PrintedLeg, mark: DecimalString | null): Scaled | null {
  if (mode === 'USD') return scaled(amount);
  const unit = mode === 'WEIGHT' ? totalUsd : mark;
  return unit === null ? null : times(scaled(amount), scaled(unit));
}
