/** Short name of a basket with too many legs to read in a row: their number, and the largest ones. */
import type { PositionLeg } from './use-position-data.ts';

type NamedLeg = Pick<PositionLeg, 'ticker' | 'side' | 'notional'>;

const LARGE = 7;
/** Number of legs named on each side. */
const NAMED = 2;

export function isLarge(legs: readonly unknown[]): boolean {
  return legs.length >= LARGE;
}

/** `10 long / 10 short`, and the largest by notional of each side: `BTC, ETH … / SOL, XRP …`. */
export function largeName(legs: readonly NamedLeg[]): { readonly counts: string; readonly largest: string } {
  const sides = (['BUY', 'SELL'] as const)
    .map((side) => legs.filter((leg) => leg.side === side))
    .filter((ofSide) => ofSide.length > 0);
  const counts = sides.map((ofSide) => `${ofSide.length} ${ofSide[0]?.side === 'BUY' ? 'long' : 'short'}`);
  const largest = sides.map((ofSide) => {
    const named = ofSide
      .toSorted((one, other) => Number(other.notional) - Number(one.notional))
      .slice(0, NAMED)
      .map(({ ticker }) => ticker)
      .join(', ');
    return ofSide.length > NAMED ? `${named} …` : named;
  });
  return { counts: counts.join(' / '), largest: largest.join(' / ') };
}
