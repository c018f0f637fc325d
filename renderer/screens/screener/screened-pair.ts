/** What the screener's figures of a pair mean for a trade: arithmetic, no advice. */
import type { Answer } from '../../../gateway/client/client.ts';
import type { BasketLink } from '../../features/basket-link/basket-link.ts';

export type ScreenedPair = Answer<'GET /analytics/screener'>['pairs'][number];

const MILLION = 1_000_000;
/** With a hedge ratio beyond this, or its inverse, one leg would hardly be traded: equal legs are filled in. */
const WIDEST = 10;

/** The legs of the side of the spread that gains when it comes back to its mean; null: neither. */
export function sidesOf({ direction, first, second }: ScreenedPair) {
  if (direction === null) return null;
  return direction === 'LONG_FIRST' ? { long: first, short: second } : { long: second, short: first };
}

/** Notional of the second leg for one of the first: the hedge ratio; null: equal legs. */
export function hedgeOf({ hedgeRatio }: ScreenedPair): number | null {
  const ratio = Number(hedgeRatio ?? Number.NaN);
  return ratio >= 1 / WIDEST && ratio <= WIDEST ? ratio : null;
}

/** The basket that "Trade this" fills in: that side, weighted by the hedge ratio where it can be. */
export function linkOf(pair: ScreenedPair): BasketLink | null {
  const sides = sidesOf(pair);
  if (sides === null) return null;
  const ids = { long: [sides.long.id], short: [sides.short.id] };
  const hedge = hedgeOf(pair);
  if (hedge === null) return ids;
  const first = Math.round(MILLION / (1 + hedge));
  const [long, short] = pair.direction === 'LONG_FIRST' ? [first, MILLION - first] : [MILLION - first, first];
  return { ...ids, weights: [long, short] };
}
