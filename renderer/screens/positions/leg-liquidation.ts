/** Whose liquidation price a leg has: the venue's is of the account's net holding of the instrument. */
import type { PositionLeg } from './use-position-data.ts';

/**
 * True when the price is that of a holding opposed to the leg: a long is liquidated below the mark and a short above
 * it, so a price on the other side belongs to what other baskets hold against this leg.
 */
export function isOfOtherSide({
  side,
  markPrice,
  liquidationPrice,
}: Pick<PositionLeg, 'side' | 'markPrice' | 'liquidationPrice'>): boolean {
  if (markPrice === null || liquidationPrice === null) return false;
  const above = Number(liquidationPrice) - Number(markPrice);
  return side === 'BUY' ? above > 0 : above < 0;
}
