/** Exact conversion between typed percent and sent fractions. */
import Big from 'big.js';

/** "1.5" → "0.015". null: the text is not a percentage. */
export function fractionOfPercent(percent: string): string | null {
  const typed = percent.trim();
  return /^\d{1,3}(\.\d{0,16})?$/.test(typed) ? new Big(typed).div(100).toFixed() : null;
}

/**
 * Percent as a fraction. Text that is not a percentage is returned unchanged, so that the contract refuses it. A
 * number with too many digits is returned as text that the contract refuses too: unconverted, it would be read as a
 * fraction a hundred times too large.
 */
export function fractionOf(percent: string): string {
  const typed = percent.trim();
  return fractionOfPercent(typed) ?? (/^[\d.]+$/.test(typed) ? `${typed} %` : typed);
}

/** Fraction → percent: "0.25" → "25". */
export function percentOfFraction(fraction: string): string {
  return new Big(fraction).times(100).toFixed();
}

/** Slippage in the body's form: an empty field means the gateway's default. */
export function slippageInput(percent: string): { readonly slippage?: string } {
  return percent.trim() === '' ? {} : { slippage: fractionOf(percent) };
}
