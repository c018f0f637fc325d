/** Fills that the venue made by itself, without an order of the account. */
import type { Fill, ForcedCause } from './model.ts';

const FORCED: readonly string[] = ['ADL', 'SETTLEMENT', 'DELISTING'] satisfies ForcedCause[];

/** True: the venue closed a holding by itself, for lack of margin or another reason. */
export function isForced(fill: Pick<Fill, 'isLiquidation' | 'cause'>): boolean {
  return fill.isLiquidation || (fill.cause !== null && FORCED.includes(fill.cause));
}
