/** The size of a position that an order adjusts: the same figure on the ticket and in its review. */
import Big from 'big.js';
import type { HeldPosition, Plan } from './chart-lines.ts';

/**
 * The position's size with all of the order in it, USD; null: it is not known.
 * @param typed size of the order as typed, USD
 * @param plan of this order, with sizes rounded to the venue's steps; null: none yet
 */
export function sizeAfter(
  { grossNotional }: Pick<HeldPosition, 'grossNotional'>,
  typed: string,
  plan: Pick<Plan, 'grossNotional'> | null,
): string | null {
  const size = plan?.grossNotional ?? typed.trim();
  if (!/^\d{1,20}(\.\d{1,18})?$/.test(size)) return null;
  return new Big(grossNotional).plus(size).toFixed();
}

/**
 * Free margin after the order at its worst prices, USD; negative if it does not suffice. Margin and fee use the worse
 * of mark and limit price, and the loss of that price against the mark is deducted.
 */
export function freeAtWorst(
  plan: Pick<Plan, 'freeMargin' | 'marginRequired' | 'totalFee'> & {
    readonly legs: readonly Pick<Plan['legs'][number], 'side' | 'quantity' | 'price' | 'limitPrice'>[];
  },
): string {
  let left = new Big(plan.freeMargin).minus(plan.marginRequired).minus(plan.totalFee);
  for (const { side, quantity, price, limitPrice } of plan.legs) {
    const worse = side === 'BUY' ? new Big(limitPrice).minus(price) : new Big(price).minus(limitPrice);
    if (worse.gt(0)) left = left.minus(worse.times(quantity));
  }
  return left.toFixed();
}
