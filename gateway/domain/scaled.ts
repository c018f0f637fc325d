/**
 * Exact decimals on the way of an acknowledgement: whole numbers of 10^-places, with as many places as the amounts have.
 * `Decimal` gives the same sums and products ten times slower, too slow for what every order under a mandate is judged by;
 * nothing is divided or rounded here, and all other code computes with `decimal.ts`.
 */
import type { DecimalString } from './decimal.ts';

export interface Scaled {
  readonly units: bigint;
  readonly places: number;
}

export const NOTHING: Scaled = { units: 0n, places: 0 };
const ONE: Scaled = { units: 1n, places: 0 };

/** @throws SyntaxError for text that is no decimal in plain notation */
export function scaled(amount: DecimalString): Scaled {
  const point = amount.indexOf('.');
  if (point < 0) return { units: BigInt(amount), places: 0 };
  return {
    units: BigInt(amount.slice(0, point) + amount.slice(point + 1)),
    places: amount.length - point - 1,
  };
}

/** Canonical text: no trailing zeros, `-` only where it is negative. */
export function scaledText({ units, places }: Scaled): DecimalString {
  if (places === 0) return units.toString();
  const isNegative = units < 0n;
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
  if (a.places === b.places) return { units: a.units + b.units, places: a.places };
  return a.places > b.places
    ? { units: a.units + b.units * power(a.places - b.places), places: a.places }
    : { units: a.units * power(b.places - a.places) + b.units, places: b.places };
}

export function minus(a: Scaled, b: Scaled): Scaled {
  return plus(a, negated(b));
}

export function negated({ units, places }: Scaled): Scaled {
  return { units: -units, places };
}

export function times(a: Scaled, b: Scaled): Scaled {
  return { units: a.units * b.units, places: a.places + b.places };
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
  return a.places > b.places
    ? a.units > b.units * power(a.places - b.places)
    : a.units * power(b.places - a.places) > b.units;
}

const POWERS = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

function power(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}
