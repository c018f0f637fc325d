/** Closed trades, and the fills of one position. */
import { encodeCursor } from '../../contract/cursor.ts';
import { listClosedTrades, listPositionFills } from '../../contract/history.ts';
import { closedTradePage } from '../../engine/portfolio/closed-trades.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type BoundRoute, BusinessError, bind } from '../handler.ts';
import { presentFill } from '../present/execution.ts';
import { presentClosedTrade } from '../present/history.ts';

export function historyRoutes(store: Store, market: MarketData): readonly BoundRoute[] {
  return [
    bind(listClosedTrades, async ({ account, query }) => {
      const { startDate: from = Number.MIN_SAFE_INTEGER, endDate: to = Number.MAX_SAFE_INTEGER } = query;
      const page = await closedTradePage(
        store,
        { tradeAccountId: account.id, range: { from, to } },
        { limit: query.limit, after: query.cursor ?? null },
        query.includeSteps,
      );
      const tickerOf = (symbol: string) => market.instrument(account.connector, symbol)?.symbol ?? symbol;
      return {
        body: {
          positions: page.rows.map((trade) => presentClosedTrade(trade, tickerOf)),
          ...(page.next === null ? {} : { nextCursor: encodeCursor(page.next) }),
        },
      };
    }),

    bind(listPositionFills, async ({ account, params, query }) => {
      const { positionId } = params;
      if ((await store.position(account.id, positionId)) === null) {
        throw new BusinessError('RESOURCE_NOT_FOUND', 'Position not found');
      }
      const page = await store.fills(
        { tradeAccountId: account.id, positionId, descending: true },
        { limit: query.limit, after: query.cursor ?? null },
      );
      return {
        body: {
          fills: page.rows.map(presentFill),
          ...(page.next === null ? {} : { nextCursor: encodeCursor(page.next) }),
        },
      };
    }),
  ];
}
