/**
 * Exact decimals. Every amount of money, quantity and price travels as a decimal string and is computed here;
 * an IEEE float never holds one.
 *
 * 100 significant digits: the widest product the contract admits is 20.18 × 20.18 digits (76), so sums, differences
 * and products are exact; only divisions round, each to the places that its caller names.
 */
import { Decimal as Base } from 'decimal.js';

export const Decimal = Base.clone({
  precision: 100,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});
export type Decimal = Base;

/** A decimal in plain notation: no exponent, no trailing zeros, `-` only where the value can be negative. */
export type DecimalString = string;

export const ZERO = new Decimal(0);
export const ONE = new Decimal(1);

export function dec(value: DecimalString | Decimal | number): Decimal {
  return new Decimal(value);
}

/** Canonical text of a decimal; `-0` is written `0`. */
export function text(value: Decimal): DecimalString {
  return value.isZero() ? '0' : value.toFixed();
}

const CANONICAL = /^-?(?:0\.[0-9]*[1-9]|[1-9][0-9]*(?:\.[0-9]*[1-9])?)$/;

/** The same decimal as canonical text. Most texts of venues are, and are not parsed. @throws for other texts */
export function canonical(value: string): DecimalString {
  return CANONICAL.test(value) ? value : text(dec(value));
}

/** Rounded half-even to at most `places` decimals: for quotients (average prices, percentages, ratios). */
export function rounded(value: Decimal, places: number): Decimal {
  return value.toDecimalPlaces(places, Base.ROUND_HALF_EVEN);
}

/** Text of `rounded`. */
export function textRounded(value: Decimal, places: number): DecimalString {
  return text(rounded(value, places));
}

/**
 * Rounds `value` down to a multiple of `step` (> 0). Counts whole steps, because an endless quotient would have a
 * hundred places.
 */
export function floorTo(value: Decimal, step: Decimal): Decimal {
  const towardsZero = value.divToInt(step).mul(step);
  return towardsZero.gt(value) ? towardsZero.minus(step) : towardsZero;
}

/** `value` rounded up to a multiple of `step` (> 0). */
export function ceilTo(value: Decimal, step: Decimal): Decimal {
  const towardsZero = value.divToInt(step).mul(step);
  return towardsZero.lt(value) ? towardsZero.plus(step) : towardsZero;
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}
