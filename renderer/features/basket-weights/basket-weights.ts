/**
 * Weights of a basket as integer millionths of its gross notional: their sum is exact, unlike that of binary
 * fractions, and a millionth written as a JSON number is the decimal that was typed.
 */

/** Weight of the whole basket, millionths. */
export const ONE = 1_000_000;
const PER_PERCENT = ONE / 100;

/**
 * Parses a weight typed as percent.
 * @returns millionths, 1 to 1,000,000; null for any other text, more than four decimals included
 */
export function readPercent(text: string): number | null {
  const match = /^(\d{1,3})(?:[.,](\d{0,4}))?$/.exec(text.trim().replace(/\s?%$/, ''));
  if (match === null) return null;
  const [, whole = '', decimals = ''] = match;
  const millionths = Number(whole) * PER_PERCENT + Number(decimals.padEnd(4, '0'));
  return millionths >= 1 && millionths <= ONE ? millionths : null;
}

/** Millionths as percent: 333,333 → `33.3333`. */
export function percentText(millionths: number): string {
  return String(millionths / PER_PERCENT);
}

/** The weight in the contract's form: a number whose text is the exact decimal, of at most six digits. */
export function weightNumber(millionths: number): number {
  return millionths / ONE;
}

/** The nearest millionths to a weight of the gateway, and whether the conversion is exact. */
export function millionthsOf(weight: number): { readonly millionths: number; readonly isExact: boolean } {
  const millionths = Math.round(weight * ONE);
  return { millionths, isExact: weightNumber(millionths) === weight };
}

/** Tolerance: the dashboard's weights are millionths, and those of a third made elsewhere have more digits. */
const SAME_WEIGHT = 2e-6;

/** True: two weights are the same share of the basket, up to rounding. */
export const isSameWeight = (a: number, b: number): boolean => Math.abs(a - b) < SAME_WEIGHT;

/**
 * The same proportions with a sum of exactly `total`; no weight falls below one millionth. The remainder of rounding
 * goes to the largest remainders (Hamilton's method), the first among equals.
 * @param weights any positive numbers; all of them 0 counts as equal
 */
export function normalise(weights: readonly number[], total = ONE): readonly number[] {
  if (weights.length === 0) return [];
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const shares = weights.map((weight) => (sum === 0 ? total / weights.length : (weight / sum) * total));
  const whole = shares.map((share) => Math.max(1, Math.floor(share)));
  let left = total - whole.reduce((all, share) => all + share, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left <= 0) break;
    whole[index] = (whole[index] ?? 0) + 1;
    left -= 1;
  }
  // Raising tiny weights to one millionth may have exceeded the total: the largest weight gives up the excess.
  while (left < 0) {
    const largest = whole.indexOf(Math.max(...whole));
    whole[largest] = (whole[largest] ?? 0) - 1;
    left += 1;
  }
  return whole;
}
