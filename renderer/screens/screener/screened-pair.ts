/** Meaning of the screener's figures of a pair for a trade: arithmetic, not advice. */
import type { Answer } from '../../../gateway/client/client.ts';
import { tradedHedge, WIDEST_HEDGE } from '../../../gateway/contract/traded-hedge.ts';
import type { BasketLink } from '../../features/basket-link/basket-link.ts';

export type ScreenedPair = Answer<'GET /analytics/screener'>['pairs'][number];

const MILLION = 1_000_000;

/** Legs of the trade that gains when the spread returns to its mean; null: neither side does. */
export function sidesOf({ direction, first, second }: ScreenedPair) {
  if (direction === null) return null;
  return direction === 'LONG_FIRST' ? { long: first, short: second } : { long: second, short: first };
}

/** Reason why the legs get equal notionals; null: they do not. */
export function whyEqual(pair: ScreenedPair): string | null {
  if (hedgeOf(pair) !== null) return null;
  const ratio = Number(pair.hedgeRatio ?? Number.NaN);
  if (Number.isNaN(ratio)) return 'Both legs get the same notional: h is not known';
  return `Both legs get the same notional: h is ${roundedHedge(ratio)}, outside ${1 / WIDEST_HEDGE} to ${WIDEST_HEDGE}`;
}

/** Two decimals, or enough to tell 0.098 from 0.10 and 10.02 from 10, the limits of traded ratios. */
export function roundedHedge(ratio: number): string {
  const size = Math.abs(ratio);
  const text =
    size < 1 ? ratio.toFixed(size < 1 / WIDEST_HEDGE ? 4 : 2) : String(Number(ratio.toPrecision(4)));
  return text.replace('-', '\u2212');
}

/** Hedge ratio, the notional of the second leg per unit of the first; null: equal legs. */
export function hedgeOf({ hedgeRatio }: ScreenedPair): number | null {
  return tradedHedge(Number(hedgeRatio ?? Number.NaN));
}

/** Basket that "Trade this" fills in: the side that gains, weighted by the hedge ratio if it can be traded. */
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
