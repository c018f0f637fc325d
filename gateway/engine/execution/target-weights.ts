/**
 * Pure: the target weights of a basket: requested amounts that were not given up, filled or not.
 *
 * Earlier requests count with their current value, S = Σ (quantity + unfilled) × price, in the proportions w of the
 * current targets. A new request of A USD in the proportions p changes the targets to (w × S + p × A) ÷ (S + A).
 *
 *   open, add           p and A as requested; an unfilled rest stays requested (`unfilled`)
 *   slice of a plan     p of the whole plan, A as filled: a refused amount is ordered again, and is no new request
 *   named quantities    become the targets; legs not named keep their proportions to each other
 *   other reductions    give up their share of the unfilled rest, a rebalance gives up all of it; both keep the weights
 *   unwound             no request remains
 *   of a guest          a program whose mandate leaves the position to others: its trades do not change the weights.
 *                       Else adding and removing its share could leave weights at which others lose their hedge
 */
import { type Decimal, dec, sum, textRounded, ZERO } from '../../domain/decimal.ts';
import type { Execution, Order, Position, PositionLeg } from '../../domain/model.ts';
import { weightsOf } from '../../domain/position.ts';
import type { VenueFill } from '../ports/venue.ts';
import { reducesPosition } from './basket-job.ts';

export interface AskedFacts {
  /** Mark price, USD; undefined where none is known. */
  readonly mark: (symbol: string) => string | undefined;
  /** Proportions of the plan of which the execution is a slice, by instrument; null: it is not a slice. */
  readonly planned: ReadonlyMap<string, string> | null;
  /** True: the execution's holder does not own the position. */
  readonly isGuest: boolean;
}

/** New fills, each with its order after them. */
export type Filled = readonly { readonly order: Order; readonly fill: VenueFill }[];

/** True: an addition. A rebalance is not: it buys and sells within its basket and makes no basket. */
export function adds(execution: Pick<Execution, 'intent' | 'origin'>): boolean {
  return !reducesPosition(execution) && execution.origin !== 'REBALANCE';
}

/**
 * Position before an attempt's fills, with the execution's request included.
 * @param execution as it was before the attempt: an addition is counted once, with its first fills
 */
export function withAsked(
  position: Position,
  execution: Execution,
  filled: Filled,
  facts: AskedFacts,
): Position {
  const isNew = position.legs.every(({ targetWeight }) => targetWeight === '0');
  if ((isUnwound(execution, filled) || facts.isGuest) && !isNew) return position;
  const orders = new Map(execution.orders.map((order) => [order.symbol, order]));
  const priceOf = ({ symbol, entryPrice }: PositionLeg) =>
    dec(orders.get(symbol)?.sizedPrice ?? facts.mark(symbol) ?? entryPrice);
  if (namesQuantities(execution)) return withNamed(position, orders, priceOf);
  const isSlice = execution.origin === 'SCHEDULE';
  const isAsked = isSlice || isNew || execution.orders.every(({ filledQuantity }) => filledQuantity === '0');
  if (!adds(execution) || !isAsked) return position;

  const quantityOf = ({ symbol }: PositionLeg) =>
    isSlice ? filledOf(symbol, filled) : dec(orders.get(symbol)?.quantity ?? 0);
  const shares = facts.planned ?? sharesOf(execution);
  const before = sum(position.legs.map((leg) => priceOf(leg).mul(wantedOf(leg))));
  const added = sum(position.legs.map((leg) => priceOf(leg).mul(quantityOf(leg))));
  const weights = weightsOf(
    position.legs.map((leg) => before.mul(leg.targetWeight).plus(added.mul(shares.get(leg.symbol) ?? 0))),
  );
  return {
    ...position,
    legs: position.legs.map((leg, index) => ({
      ...leg,
      targetWeight: weights[index] ?? leg.targetWeight,
      unfilled: textRounded(dec(leg.unfilled ?? 0).plus(quantityOf(leg)), 18),
    })),
  };
}

/**
 * Position after an attempt's fills, with the quantity still unfilled.
 * @param asked the position as `withAsked` made it
 */
export function withUnfilled(
  asked: Position,
  position: Position,
  execution: Execution,
  filled: Filled,
  { isGuest }: Pick<AskedFacts, 'isGuest'>,
): Position {
  const costOf = ({ legs }: Position) => sum(legs.map(({ entryNotional }) => dec(entryNotional)));
  // An unwind takes back its parent's addition, and nothing of earlier requests.
  const gives = reducesPosition(execution) && execution.parentId === null && !namesQuantities(execution);
  const kept = gives ? costOf(position).div(costOf(asked)) : 1;
  const takes = adds(execution) && !isUnwound(execution, filled) && !isGuest;
  return {
    ...position,
    legs: position.legs.map(({ unfilled = '0', ...leg }) => {
      const taken = takes ? filledOf(leg.symbol, filled) : ZERO;
      const left = execution.origin === 'REBALANCE' ? ZERO : dec(unfilled).mul(kept).minus(taken);
      return left.gt(0) ? { ...leg, unfilled: textRounded(left, 18) } : leg;
    }),
  };
}

function withNamed(
  position: Position,
  orders: ReadonlyMap<string, Order>,
  priceOf: (leg: PositionLeg) => Decimal,
): Position {
  const named = (leg: PositionLeg) => orders.get(leg.symbol)?.targetQuantity ?? null;
  const worth = (leg: PositionLeg) => priceOf(leg).mul(named(leg) ?? wantedOf(leg));
  const others = position.legs.filter((leg) => named(leg) === null);
  const weight = sum(others.map(({ targetWeight }) => dec(targetWeight)));
  const gross = sum(others.map(worth));
  const weights = weightsOf(
    position.legs.map((leg) =>
      named(leg) !== null || weight.isZero() ? worth(leg) : gross.mul(leg.targetWeight).div(weight),
    ),
  );
  // A full close: a remainder keeps its proportions.
  if (weights.every((one) => one === '0')) return position;
  return {
    ...position,
    legs: position.legs.map((leg, index) => {
      const quantity = named(leg);
      const targetWeight = weights[index] ?? leg.targetWeight;
      if (quantity === null) return { ...leg, targetWeight };
      return { ...leg, targetWeight, unfilled: textRounded(dec(quantity).minus(leg.quantity), 18) };
    }),
  };
}

function namesQuantities({ orders }: Pick<Execution, 'orders'>): boolean {
  return orders.some(({ targetQuantity }) => targetQuantity !== null);
}

/** True for an addition whose fills are closed again: an order of it has ended with less than its quantity. */
function isUnwound(execution: Execution, filled: Filled): boolean {
  if (!adds(execution) || execution.onLegFailure !== 'UNWIND') return false;
  return execution.orders.some(
    ({ symbol, quantity, filledQuantity }) =>
      !filledOf(symbol, filled)
        .plus(filledQuantity)
        .eq(quantity ?? 0),
  );
}

/** Requested proportions of an execution's legs. The amount of a WEIGHT leg is its proportion. */
function sharesOf({ orders }: Execution): ReadonlyMap<string, string> {
  const weights = weightsOf(
    orders.map((order) =>
      order.mode === 'BASE'
        ? dec(order.quantity ?? 0).mul(order.sizedPrice ?? order.limitPrice ?? 0)
        : dec(order.amount),
    ),
  );
  return new Map(orders.map(({ symbol }, index) => [symbol, weights[index] ?? '0']));
}

function wantedOf({ quantity, unfilled = '0' }: PositionLeg): Decimal {
  return dec(quantity).plus(unfilled);
}

function filledOf(symbol: string, filled: Filled): Decimal {
  return sum(filled.filter(({ fill }) => fill.symbol === symbol).map(({ fill }) => dec(fill.quantity)));
}
