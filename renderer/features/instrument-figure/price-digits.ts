/** Decimals that a price is shown with. */

/** Decimals beyond the tick that an average price is shown with at most. */
const FINER = 2;
/** Figures that a price which was worked out is shown with: venues quote five, whatever the tick. */
const FIGURES = 7;

function decimalsOfFigures(price: string): number {
  const size = Math.floor(Math.log10(Math.abs(Number(price))));
  return Number.isFinite(size) ? Math.max(0, FIGURES - 1 - size) : FIGURES;
}

/**
 * @param price decimal string
 * @param tick decimals of the instrument's tick
 * @param isRounded the price was worked out by the venue and is never finer than the tick; otherwise it is one of the book,
 *   which keeps every digit of its tick, or an average, which may be finer
 */
export function priceDigits(
  price: string,
  tick: number,
  isRounded: boolean,
): { readonly minDigits: number; readonly maxDigits: number } {
  const enough = decimalsOfFigures(price);
  const least = isRounded ? Math.min(tick, enough) : tick;
  return { minDigits: least, maxDigits: isRounded ? least : Math.max(tick, Math.min(tick + FINER, enough)) };
}
