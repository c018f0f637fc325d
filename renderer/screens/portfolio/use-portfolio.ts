/** Reads of the Portfolio screen. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useNow } from '../../api/clock.ts';
import { useGet } from '../../api/queries.ts';
import { type Range, type RollingWindow, rangeQuery, type Source } from './range.ts';

export type Portfolio = Answer<'GET /portfolio'>;
export type Analytics = Answer<'GET /portfolio/analytics'>;
export type SeriesPoint = NonNullable<Analytics['series']>[number];

export interface PortfolioView {
  readonly range: Range;
  readonly source: Source;
  readonly rollingWindow: RollingWindow;
}

const MINUTE_MS = 60_000;
/** Interval of the read: equity moves with the market; all other figures change with events. */
const EQUITY_MS = 5_000;

export function usePortfolio({ range, source, rollingWindow }: PortfolioView) {
  const dates = rangeQuery(range, useNow(MINUTE_MS));
  return {
    portfolio: useGet(
      'GET /portfolio',
      { query: { ...dates, source } },
      { keepPrevious: true, refetchEvery: EQUITY_MS },
    ),
    analytics: useGet(
      'GET /portfolio/analytics',
      { query: { ...dates, source, rollingWindowDays: String(rollingWindow), includeSeries: true } },
      { keepPrevious: true, refetchEvery: MINUTE_MS },
    ),
  };
}
