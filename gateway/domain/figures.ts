/** Statistics as text: floats with 12 significant figures. Money never comes here. */
import { type DecimalString, dec, text } from './decimal.ts';

const FIGURES = 12;

/** Plain notation, no trailing zeros. `value` is finite. */
export function figures(value: number): DecimalString {
  const rounded = Number(value.toPrecision(FIGURES));
  if (rounded === 0) return '0';
  const short = String(rounded);
  // Numbers beyond 10²¹ or below 10⁻⁶ are written with an exponent.
  return short.includes('e') ? text(dec(short)) : short;
}
