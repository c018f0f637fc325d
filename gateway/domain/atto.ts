/**
 * Exact sums over thousands of rows: USD as whole numbers of 10⁻¹⁸. `Decimal` gives the same sums many times slower,
 * too slow for a page over years of days; all other code computes with `decimal.ts`.
 */
import type { DecimalString } from './decimal.ts';

/** Amount in units of 10⁻¹⁸ USD. */
export type Atto = bigint;

const UNIT = 10n ** 18n;

/** Digits beyond the eighteenth decimal are cut off. @throws SyntaxError for text that is no decimal */
export function atto(amount: DecimalString): Atto {
  if (amount === '0') return 0n;
  const point = amount.indexOf('.');
  if (point === -1) return BigInt(amount) * UNIT;
  const fraction = amount.slice(point + 1, point + 19).padEnd(18, '0');
  return BigInt(amount.slice(0, point) + fraction);
}

/** Amount in plain notation, without trailing zeros. */
export function attoText(value: Atto): DecimalString {
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? '-' : '';
  const fraction = size % UNIT;
  if (fraction === 0n) return `${sign}${size / UNIT}`;
  return `${sign}${size / UNIT}.${fraction.toString().padStart(18, '0').replace(/0+$/, '')}`;
}

/** USD as the nearest float: for statistics only. */
export function attoNumber(value: Atto): number {
  return Number(value) / 1e18;
}
