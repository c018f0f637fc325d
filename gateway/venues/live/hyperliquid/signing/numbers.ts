/**
 * Prices and sizes as the venue writes them: what is hashed must be the shortest text, because the venue shortens a
 * number before it hashes the action again. Nothing is rounded here: who rounds a price knows in which direction.
 */
import { type Decimal, type DecimalString, dec, text } from '../../../../domain/decimal.ts';

const SIGNIFICANT = 5;
/** Decimals of a perpetual's price and size together. */
const DECIMALS = 6;

/** null: no price of this instrument (at most 5 significant figures and 6 − szDecimals decimals, or an integer). */
export function priceText(price: DecimalString, szDecimals: number): string | null {
  const value = dec(price);
  if (!isPositive(value)) return null;
  const fits =
    value.isInteger() || (value.precision() <= SIGNIFICANT && value.decimalPlaces() <= DECIMALS - szDecimals);
  return fits ? text(value) : null;
}

/** null: no size of this instrument (at most `szDecimals` decimals). */
export function sizeText(size: DecimalString, szDecimals: number): string | null {
  const value = dec(size);
  return isPositive(value) && value.decimalPlaces() <= szDecimals ? text(value) : null;
}

function isPositive(value: Decimal): boolean {
  return value.isFinite() && value.isPositive() && !value.isZero();
}
