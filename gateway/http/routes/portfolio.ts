/** Portfolio and its analytics. */
import { getPortfolio, getPortfolioAnalytics } from '../../contract/portfolio.ts';
import { type HistoryQuery, portfolioOverview } from '../../engine/portfolio/portfolio.ts';
import {
  type AnalyticsDeps,
  dayChange,
  portfolioAnalytics,
} from '../../engine/portfolio/portfolio-analytics.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { presentAnalytics, presentPortfolio } from '../present/portfolio.ts';

function historyQuery(query: {
  readonly startDate?: number | undefined;
  readonly endDate?: number | undefined;
  readonly source: 'all' | 'gateway' | 'external';
}): HistoryQuery {
  return {
    from: query.startDate ?? null,
    to: query.endDate ?? null,
    source: query.source === 'all' ? null : query.source,
  };
}

export function portfolioRoutes(deps: AnalyticsDeps): readonly BoundRoute[] {
  return [
    bind(getPortfolio, async ({ account, query }) => {
      const overview = await portfolioOverview(deps, account, historyQuery(query));
      const { includeLedger, includeDay } = query;
      const day = includeDay ? await dayChange(deps, account, overview) : undefined;
      return { body: presentPortfolio(overview, { includeLedger, day }) };
    }),

    bind(getPortfolioAnalytics, async ({ account, query }) => {
      const { interval, rollingWindowDays, includeSeries } = query;
      const analytics = await portfolioAnalytics(deps, account, {
        ...historyQuery(query),
        interval,
        rollingWindowDays,
        includeSeries,
      });
      const tickerOf = (symbol: string) =>
        deps.market.instrument(account.connector, symbol)?.symbol ?? symbol;
      return { body: presentAnalytics(analytics, tickerOf) };
    }),
  ];
}
