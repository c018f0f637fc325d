/** Statistics as text: floats with 12 significant figures. Never used for money. */
import { type DecimalString, dec, text } from './decimal.ts';

const FIGURES = 12;

/** `value`, which must be finite, in plain notation without trailing zeros. */
export function figures(value: number): DecimalString {
  const rounded = Number(value.toPrecision(FIGURES));
  if (rounded === 0) return '0';
  const short = String(rounded);
  // Numbers beyond 10²¹ or below 10⁻⁶ are written with an exponent.
  return short.includes('e') ? text(dec(short)) : short;
}
