/**
 * USD amounts as three whole numbers, `whole` + `nano` × 10⁻⁹ + `atto` × 10⁻¹⁸, all with the amount's sign: SQLite
 * adds limbs exactly and without a carry, so that an addition reads nothing first. Sums are exact up to 9 × 10¹⁵ USD
 * and nine billion additions.
 */
import { atto } from '../../domain/atto.ts';
import type { DecimalString } from '../../domain/decimal.ts';

export interface Limbs {
  readonly whole: number;
  readonly nano: number;
  readonly atto: number;
}

const GIGA = 1_000_000_000n;

/** Limbs of an amount; digits beyond the eighteenth decimal are cut off. */
export function limbsOf(amount: DecimalString): Limbs {
  const value = atto(amount);
  const nanos = value / GIGA;
  return { whole: Number(nanos / GIGA), nano: Number(nanos % GIGA), atto: Number(value % GIGA) };
}

/** SQL: the limbs of `name` with their carry, each small enough for a JavaScript number, as `name_whole` and so on. */
export function carried(name: string, of: (column: string) => string = (column) => column): string {
  const [whole, nano, low] = ['whole', 'nano', 'atto'].map((limb) => of(`${name}_${limb}`));
  const nanos = `(${nano} + ${low} / 1000000000)`;
  return `${whole} + ${nanos} / 1000000000 AS ${name}_whole, ${nanos} % 1000000000 AS ${name}_nano, ${low} % 1000000000 AS ${name}_atto`;
}

/** Amount in units of 10⁻¹⁸ USD from a row read with `carried`. */
export function attoOfRow(row: Readonly<Record<string, unknown>>, name: string): bigint {
  const limb = (part: string): bigint => BigInt(Number(row[`${name}_${part}`]));
  return (limb('whole') * GIGA + limb('nano')) * GIGA + limb('atto');
}
