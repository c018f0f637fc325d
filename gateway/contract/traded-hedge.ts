/** By which hedge ratios a pair is weighed: the screener's carry, and what "Trade this" fills in, are of the same legs. */

/** With a hedge ratio beyond this, or its inverse, one leg would hardly be traded: both get the same notional. */
export const WIDEST_HEDGE = 10;

/** Notional of the second leg for one of the first; null: equal legs. @param hedgeRatio NaN: not known */
export function tradedHedge(hedgeRatio: number): number | null {
  return hedgeRatio >= 1 / WIDEST_HEDGE && hedgeRatio <= WIDEST_HEDGE ? hedgeRatio : null;
}
