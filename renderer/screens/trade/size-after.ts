/** The size of a position that an order adjusts: the same figure on the ticket and in its review. */
import Big from 'big.js';
import type { HeldPosition, Plan } from './chart-lines.ts';

/**
 * The position's size with all of the order in it, USD; null: it is not known.
 * @param typed size of the order as typed, USD
 * @param plan of this order: the venue's steps round what was typed; null: none yet
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
