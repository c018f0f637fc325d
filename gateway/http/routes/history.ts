/** Closed trades, and the fills of one position. */
import { listClosedTrades, listPositionFills } from '../../contract/history.ts';
import { closedTradePage } from '../../engine/portfolio/closed-trades.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { presentFill } from '../present/execution.ts';
import { presentClosedTrade } from '../present/history.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';

export function historyRoutes(store: Store, market: MarketData): readonly BoundRoute[] {
  return [
    bind(listClosedTrades, async ({ account, query }) => {
      const { startDate: from = Number.MIN_SAFE_INTEGER, endDate: to = Number.MAX_SAFE_INTEGER } = query;
      const page = await closedTradePage(
        store,
        { tradeAccountId: account.id, range: { from, to } },
        pageAsked(query),
        query.includeSteps,
      );
      const tickerOf = (symbol: string) => market.instrument(account.connector, symbol)?.symbol ?? symbol;
      return {
        body: {
          positions: page.rows.map((trade) => presentClosedTrade(trade, tickerOf)),
          ...nextCursorOf(page),
        },
      };
    }),

    bind(listPositionFills, async ({ account, params, query }) => {
      const { positionId } = params;
      found(await store.position(account.id, positionId), 'Position');
      const page = await store.fills(
        { tradeAccountId: account.id, positionId, descending: true },
        pageAsked(query),
      );
      return { body: { fills: page.rows.map(presentFill), ...nextCursorOf(page) } };
    }),
  ];
}
