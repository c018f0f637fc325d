/** Reasons why no past of a ratio is drawn. */
import type { HourClose, RatioWindow, Transformed } from './transform.ts';

const HOUR_MS = 3_600_000;

/**
 * Reason for a past in which no hour can be compared.
 * @param until start of the running hour, epoch ms
 */
export function whyNoPast(
  { lookback }: Transformed,
  closes: readonly HourClose[],
  { window, until }: { readonly window: RatioWindow | null; readonly until: number },
): { readonly title: string; readonly reason: string } {
  if (window === null) {
    const begin = until - lookback * HOUR_MS;
    const known = closes.filter(({ start }) => Date.parse(start) >= begin).length;
    const needed = Math.max(2, Math.ceil(lookback / 2));
    return {
      title: 'Not enough hours yet',
      reason: `${known} of the ${needed} hours are known that ${lookback} h back need.`,
    };
  }
  if (window.deviation === 0)
    return {
      title: 'The ratio stood still',
      reason: `It has no deviation over the last ${lookback} h, and no z-score without one.`,
    };
  return {
    title: 'No hours to compare yet',
    reason: `None has enough of the ${lookback} h before it.`,
  };
}
