/** Portfolio and its analytics. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { getPortfolio, getPortfolioAnalytics } from '../../contract/portfolio.ts';
import type { TradeAccount } from '../../domain/model.ts';
import {
  type HistoryQuery,
  type PortfolioOverview,
  portfolioOverview,
} from '../../engine/portfolio/portfolio.ts';
import {
  type AnalyticsDeps,
  dayChange,
  portfolioAnalytics,
} from '../../engine/portfolio/portfolio-analytics.ts';
import { presentAnalytics, presentPortfolio } from '../present/portfolio.ts';
import { presentUnassigned } from '../present/unassigned.ts';
import type { BracketsBefore, PositionPresenter } from './positions.ts';

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

export function portfolioRoutes(
  deps: AnalyticsDeps & { readonly positions: PositionPresenter },
): readonly BoundRoute[] {
  const { market, positions } = deps;
  const held = async (
    account: TradeAccount,
    { holdings, markOf }: PortfolioOverview['now'],
    before: BracketsBefore,
  ) => ({
    positions: await positions.many(account, holdings.positions, before, markOf),
    unassigned: holdings.lots.map((lot) =>
      presentUnassigned(lot, market.instrument(lot.connector, lot.symbol), markOf(lot.symbol)),
    ),
  });
  return [
    bind(getPortfolio, async ({ account, query }) => {
      const { includeLedger, includeDay, includeHoldings } = query;
      const brackets = positions.bracketsOf(account);
      const overview = await portfolioOverview(deps, account, historyQuery(query));
      const day = includeDay ? await dayChange(deps, account, overview) : undefined;
      const holdings = includeHoldings ? await held(account, overview.now, brackets) : undefined;
      return { body: presentPortfolio(overview, { includeLedger, day, holdings }) };
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
