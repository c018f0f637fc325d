/** Days that the Portfolio screen requests. Days are UTC, as the gateway counts them. */

export const RANGES = ['7d', '30d', '90d', '1y', 'all'] as const;
export type Range = (typeof RANGES)[number];

export const RANGE_LABELS: Readonly<Record<Range, string>> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  all: 'All',
};

export const ROLLING_WINDOWS = [7, 30, 90] as const;
export type RollingWindow = (typeof ROLLING_WINDOWS)[number];

export const SOURCES = ['all', 'gateway', 'external'] as const;
export type Source = (typeof SOURCES)[number];

const DAYS: Readonly<Record<Exclude<Range, 'all'>, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;

/**
 * The last UTC days of the range, today included.
 * @param now epoch ms
 */
export function rangeQuery(range: Range, now: number): { readonly startDate?: string } {
  if (range === 'all') return {};
  return { startDate: new Date(now - (DAYS[range] - 1) * DAY_MS).toISOString().slice(0, 10) };
}
