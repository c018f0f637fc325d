/** Decimals of a shown price. */

/** Most decimals beyond the tick for an average price. */
const FINER = 2;
/** Significant figures of a computed price: venues quote five, whatever the tick. */
const FIGURES = 7;

function decimalsOfFigures(price: string): number {
  const size = Math.floor(Math.log10(Math.abs(Number(price))));
  return Number.isFinite(size) ? Math.max(0, FIGURES - 1 - size) : FIGURES;
}

/**
 * @param price decimal string
 * @param tick decimals of the instrument's tick
 * @param isRounded true: the venue computed the price, and it is never finer than the tick. False: a price of the book,
 * which keeps every digit of its tick, or an average, which may be finer
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
