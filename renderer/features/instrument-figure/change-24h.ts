import Big from 'big.js';

/** Change over 24 hours, a decimal fraction; null: the earlier price is missing. */
export function changeOf(mark: string, before: string): string | null {
  const old = new Big(before);
  return old.lte(0) ? null : new Big(mark).div(old).minus(1).toFixed(8);
}
