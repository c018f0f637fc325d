/** Days that the Portfolio screen requests. Days are UTC, as the gateway counts them. */

export const RANGES = [
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
  { value: '1y', label: '1 year', days: 365 },
  { value: 'all', label: 'All', days: null },
] as const;
export type Range = (typeof RANGES)[number]['value'];

export const ROLLING_WINDOWS = [7, 30, 90] as const;
export type RollingWindow = (typeof ROLLING_WINDOWS)[number];

export const SOURCES = [
  { value: 'all', label: 'All trading' },
  { value: 'gateway', label: 'By Tandem' },
  { value: 'external', label: 'Past Tandem' },
] as const;
export type Source = (typeof SOURCES)[number]['value'];

/** `by Tandem` */
export function sourceName(source: Source): string {
  return (
    SOURCES.find(({ value }) => value === source)
      ?.label.toLowerCase()
      .replace('tandem', 'Tandem') ?? ''
  );
}

/** `90 days`, `all time`, never on two lines. */
export function spanText(range: Range): string {
  const { days = null, label = '' } = RANGES.find(({ value }) => value === range) ?? {};
  return (days === null ? 'all time' : label).replaceAll(' ', '\u00a0');
}

const DAY_MS = 86_400_000;

/**
 * The last UTC days of the range, today included.
 * @param now epoch ms
 */
export function rangeQuery(range: Range, now: number): { readonly startDate?: string } {
  const days = RANGES.find(({ value }) => value === range)?.days ?? null;
  return days === null ? {} : { startDate: new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10) };
}
