/** Reason why the place of a ratio among its own past is not shown. */
import { canLookBack, type RatioWindow } from '../../features/ratio-chart/transform.ts';

/** @returns undefined: the hours are not read yet */
export function whyNoZ({
  at,
  legs,
  lookback,
  ratio,
  past: { closes, window, error },
}: {
  readonly at: 'now' | 'entry';
  readonly legs: readonly { readonly quantity: string }[];
  /** Full hours. */
  readonly lookback: number;
  /** Ratio now or at entry; null: there is none. */
  readonly ratio: number | null;
  readonly past: {
    readonly closes: readonly unknown[] | undefined;
    readonly window: RatioWindow | null;
    readonly error: unknown;
  };
}): string | undefined {
  const hours = `the last ${lookback} h`;
  if (!canLookBack(lookback, legs)) return `${lookback} h of so many legs are more than can be read`;
  if (ratio === null) {
    if (at === 'now') return 'the price of a leg is not known now';
    const isWhole = legs.every(({ quantity }) => Number(quantity) > 0);
    return isWhole ? 'the ratio at entry is not known' : 'a leg is not held: there is no ratio at entry';
  }
  if (closes === undefined) return error === null ? undefined : `${hours} could not be read`;
  if (window === null) return `too few of ${hours} are known`;
  return `the ratio stood still in ${hours}`;
}
