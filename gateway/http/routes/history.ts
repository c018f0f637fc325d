/** Closed trades, and the fills of one position. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  fundingPayment,
  listClosedTrades,
  listFundingPayments,
  listPositionFills,
} from '../../contract/history.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { closedTradePage } from '../../engine/portfolio/closed-trades.ts';
import { fundingPage, fundingTotal } from '../../engine/portfolio/funding-payments.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Store } from '../../engine/ports/store.ts';
import { presentFill } from '../present/execution.ts';
import { presentClosedTrade } from '../present/history.ts';
import { wireForm } from '../present/wire-form.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';

/** Beyond any time that a record can have. */
const FAR_MS = 8.64e15;

export function historyRoutes(store: Store, market: MarketData): readonly BoundRoute[] {
  const tickerOf = ({ connector }: TradeAccount, symbol: string) =>
    market.instrument(connector, symbol)?.symbol ?? symbol;
  return [
    bind(listClosedTrades, async ({ account, query }) => {
      const { startDate: from = Number.MIN_SAFE_INTEGER, endDate: to = Number.MAX_SAFE_INTEGER } = query;
      const page = await closedTradePage(
        store,
        { tradeAccountId: account.id, range: { from, to } },
        pageAsked(query),
        query.includeSteps,
      );
      return {
        body: {
          positions: page.rows.map((trade) =>
            presentClosedTrade(trade, (symbol) => tickerOf(account, symbol)),
          ),
          ...nextCursorOf(page),
        },
      };
    }),

    bind(listFundingPayments, async ({ account, query }) => {
      const { startDate: from = 0, endDate: to = FAR_MS } = query;
      const asked = { tradeAccountId: account.id, range: { from, to } };
      const [page, total] = await Promise.all([
        fundingPage(store, asked, pageAsked(query)),
        fundingTotal(store, asked),
      ]);
      const { id: tradeAccountId, connector } = account;
      return {
        body: {
          payments: page.rows.map((paid) =>
            wireForm(
              fundingPayment,
              { ...paid, tradeAccountId, connector },
              { ticker: tickerOf(account, paid.symbol), legs: [...paid.legs] },
            ),
          ),
          total,
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
