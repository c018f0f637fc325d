/**
 * Exact decimals on the way of an acknowledgement: whole numbers of 10^-places, with as many places as the amounts have.
 * `Decimal` gives the same sums and products ten times slower, too slow for what every order under a mandate is judged by;
 * nothing is divided or rounded here, and all other code computes with `decimal.ts`.
 */
import type { DecimalString } from './decimal.ts';

/** A whole number: as a number while that is exact (below 2^53), else as a bigint, which takes several times longer. */
type Whole = number | bigint;

export interface Scaled {
  readonly units: Whole;
  readonly places: number;
}

export const NOTHING: Scaled = { units: 0, places: 0 };
const ONE: Scaled = { units: 1, places: 0 };

const ZERO = 48;
const NINE = 57;
const POINT = 46;
const MINUS = 45;
/** So many digits are always below 2^53. */
const SAFE_DIGITS = 15;

/** @throws SyntaxError for text that is no decimal in plain notation */
export function scaled(amount: DecimalString): Scaled {
  const isNegative = amount.charCodeAt(0) === MINUS;
  const first = isNegative ? 1 : 0;
  // One character more than digits, for the point.
  if (amount.length - first > SAFE_DIGITS + 1) return long(amount);
  let [units, point] = [0, -1];
  for (let index = first; index < amount.length; index += 1) {
    const code = amount.charCodeAt(index);
    if (code >= ZERO && code <= NINE) units = units * 10 + code - ZERO;
    else if (code === POINT && point < 0) point = index;
    else return long(amount);
  }
  if (point < 0 && amount.length - first > SAFE_DIGITS) return long(amount);
  return { units: isNegative ? 0 - units : units, places: point < 0 ? 0 : amount.length - point - 1 };
}

function long(amount: DecimalString): Scaled {
  const point = amount.indexOf('.');
  if (point < 0) return { units: fitted(BigInt(amount)), places: 0 };
  return {
    units: fitted(BigInt(amount.slice(0, point) + amount.slice(point + 1))),
    places: amount.length - point - 1,
  };
}

/** Canonical text: no trailing zeros, `-` only where it is negative. */
export function scaledText({ units, places }: Scaled): DecimalString {
  if (places === 0) return units.toString();
  const isNegative = units < 0;
  const digits = (isNegative ? -units : units).toString().padStart(places + 1, '0');
  let end = digits.length;
  const point = end - places;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const whole = digits.slice(0, point);
  const plain = end === point ? whole : `${whole}.${digits.slice(point, end)}`;
  return isNegative ? `-${plain}` : plain;
}

export function plus(a: Scaled, b: Scaled): Scaled {
  if (a === NOTHING) return b;
  if (b === NOTHING) return a;
  if (a.places === b.places) return { units: sum(a.units, b.units), places: a.places };
  return a.places > b.places
    ? { units: sum(a.units, raised(b.units, a.places - b.places)), places: a.places }
    : { units: sum(raised(a.units, b.places - a.places), b.units), places: b.places };
}

export function minus(a: Scaled, b: Scaled): Scaled {
  return plus(a, negated(b));
}

export function negated({ units, places }: Scaled): Scaled {
  return { units: typeof units === 'number' ? 0 - units : -units, places };
}

export function times(a: Scaled, b: Scaled): Scaled {
  return { units: product(a.units, b.units), places: a.places + b.places };
}

export function onePlus(a: Scaled): Scaled {
  return plus(ONE, a);
}

export function total(all: readonly Scaled[]): Scaled {
  let sum = NOTHING;
  for (const one of all) sum = plus(sum, one);
  return sum;
}

export function isAbove(a: Scaled, b: Scaled): boolean {
  if (a.places === b.places) return a.units > b.units;
  const [unitsOfA, unitsOfB] = [asNumber(a.units), asNumber(b.units)];
  const scaledA = unitsOfA * power(b.places - a.places);
  const scaledB = unitsOfB * power(a.places - b.places);
  if (Number.isSafeInteger(scaledA) && Number.isSafeInteger(scaledB)) return scaledA > scaledB;
  return a.places > b.places
    ? a.units > raised(b.units, a.places - b.places)
    : raised(a.units, b.places - a.places) > b.units;
}

/** `isAbove(plus(a, b), bound)`, without making the sum where it fits a number. */
export function isSumAbove(a: Scaled, b: Scaled, bound: Scaled): boolean {
  const both = a.places === b.places ? asNumber(a.units) + asNumber(b.units) : Number.NaN;
  const most = asNumber(bound.units) * power(a.places - bound.places);
  if (a.places >= bound.places && Number.isSafeInteger(both) && Number.isSafeInteger(most))
    return both > most;
  return isAbove(plus(a, b), bound);
}

/** NaN: it does not fit a number. */
function asNumber(units: Whole): number {
  return typeof units === 'number' ? units : Number.NaN;
}

/** 10^exponent, 1 below 10^0; NaN above 10^15. */
function power(exponent: number): number {
  return exponent <= 0 ? 1 : (POWERS[exponent] ?? Number.NaN);
}

// A sum or product of numbers that is not exact is 2^53 or more: rounding never brings it below.
function sum(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const both = a + b;
    if (Number.isSafeInteger(both)) return both;
  }
  return fitted(BigInt(a) + BigInt(b));
}

function product(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const both = a * b;
    if (Number.isSafeInteger(both)) return both;
  }
  return fitted(BigInt(a) * BigInt(b));
}

/** A number again where it is one: else a sum that was large once would be a bigint for good. */
function fitted(units: bigint): Whole {
  const short = Number(units);
  return Number.isSafeInteger(short) ? short : units;
}

const POWERS = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

function raised(units: Whole, places: number): Whole {
  return product(units, POWERS[places] ?? 10n ** BigInt(places));
}
