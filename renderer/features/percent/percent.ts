/** What is typed in percent and sent as a fraction, exactly, and the other way round. */
import Big from 'big.js';

/** "1.5" → "0.015". null: no such number. */
export function fractionOfPercent(percent: string): string | null {
  const typed = percent.trim();
  return /^\d{1,3}(\.\d{0,16})?$/.test(typed) ? new Big(typed).div(100).toFixed() : null;
}

/** The same; what is no number stays as it is, for the contract to refuse. */
export function fractionOf(percent: string): string {
  return fractionOfPercent(percent) ?? percent.trim();
}

/** "0.25" → "25". */
export function percentOfFraction(fraction: string): string {
  return new Big(fraction).times(100).toFixed();
}

/** Slippage as the body has it: an empty field leaves the gateway its own. */
export function slippageInput(percent: string): { readonly slippage?: string } {
  return percent.trim() === '' ? {} : { slippage: fractionOf(percent) };
}
