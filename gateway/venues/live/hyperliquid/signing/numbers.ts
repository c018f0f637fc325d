/**
 * Prices and sizes as the venue writes them. The hash needs the shortest text, because the venue shortens a number
 * before it hashes the action again. Nothing is rounded here: only the caller knows in which direction.
 */
import { canonical, type DecimalString } from '../../../../domain/decimal.ts';

const SIGNIFICANT = 5;
/** Decimals of a perpetual's price and size together. */
const DECIMALS = 6;

/** null: no price of this instrument (at most 5 significant figures and 6 − szDecimals decimals, or an integer). */
export function priceText(price: DecimalString, szDecimals: number): string | null {
  const value = canonical(price);
  if (!isPositive(value)) return null;
  const places = placesOf(value);
  const fits = places === 0 || (figuresOf(value) <= SIGNIFICANT && places <= DECIMALS - szDecimals);
  return fits ? value : null;
}

/** null: no size of this instrument (at most `szDecimals` decimals). */
export function sizeText(size: DecimalString, szDecimals: number): string | null {
  const value = canonical(size);
  return isPositive(value) && placesOf(value) <= szDecimals ? value : null;
}

// Canonical texts have neither leading zeros nor trailing ones behind the point, so that their signs can be counted:
// orders wait for this.

/** An infinite amount is a word. */
const isPositive = (value: string) => value !== '0' && /^[0-9]/.test(value);
const placesOf = (value: string) => (value.includes('.') ? value.length - value.indexOf('.') - 1 : 0);
const figuresOf = (value: string) => value.replace('.', '').replace(/^0+/, '').length;
