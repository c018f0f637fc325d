/** Comparing decimal strings by their digits: the contract knows no floats and no decimal library. */
import { DECIMAL, positiveDecimalInput } from './common.ts';

const PLACES = 18;

/**
 * A decimal input (up to 18 decimals) as an exact whole number of 10⁻¹⁸; null where the text is not a decimal. Checks
 * of a whole body run even when one of its fields has been refused, so they may compare any text.
 */
export function scaled18(value: string): bigint | null {
  if (!DECIMAL.test(value)) return null;
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole) * 10n ** BigInt(PLACES) + BigInt(fraction.padEnd(PLACES, '0'));
}

/**
 * Tests a decimal. Text that is not a decimal passes, because its own check has refused it already and one fault gets
 * one message.
 */
function holds(value: string, test: (scaled: bigint) => boolean): boolean {
  const scaled = scaled18(value);
  return scaled === null || test(scaled);
}

/** Input: a decimal string in [least, most]. */
export function decimalBetween(least: string, most: string) {
  const [lowest, highest] = [scaled18(least) ?? 0n, scaled18(most) ?? 0n];
  return positiveDecimalInput
    .refine((value) => holds(value, (scaled) => scaled >= lowest), `Must be at least ${least}`)
    .refine((value) => holds(value, (scaled) => scaled <= highest), `Must be at most ${most}`);
}

const HUNDRED = scaled18('100') ?? 0n;

/** Input: percent, 0 and 100 excluded. */
export const percentInput = positiveDecimalInput
  .refine((value) => holds(value, (scaled) => scaled < HUNDRED), 'Must be below 100')
  .meta({
    id: 'PercentInput',
    description: 'Percent, between 0 and 100, both excluded',
    example: '57.5',
  });
