import { type Decimal, dec } from '../../../domain/decimal.ts';

/** Most by which the average price of a position is rounded, as a fraction. */
const ENTRY_EXACT = '0.00001';

/**
 * Opening value of a position, USD, unsigned: its value less its PnL, because the average price has too few digits for
 * an exact sum. By the average price where the two are of other times.
 * @param size unsigned, in the venue's units, as `price` is
 */
export function entryNotional(
  { size, price, isShort }: { readonly size: Decimal; readonly price: string; readonly isShort: boolean },
  { value, pnl }: { readonly value: string; readonly pnl: string },
): Decimal {
  const byPrice = size.mul(price);
  const worth = dec(value).abs();
  const exact = isShort ? worth.plus(pnl) : worth.minus(pnl);
  return exact.minus(byPrice).abs().lte(byPrice.mul(ENTRY_EXACT)) ? exact : byPrice;
}
