/** Order books to look at. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { listOrderBooks, orderBook } from '../../contract/order-books.ts';
import { spreadBps, summed } from '../../domain/order-book.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import type { Market } from '../../market/market.ts';
import type { ReadBook } from '../../market/order-books.ts';
import { wireForm } from '../present/wire-form.ts';
import { checkListed } from './listed.ts';

export function orderBookRoutes(deps: {
  readonly market: Pick<Market, 'has' | 'instrument'>;
  readonly venues: Venues;
  readonly books: ReadBook;
}): readonly BoundRoute[] {
  const { market, venues, books } = deps;
  return [
    bind(listOrderBooks, async ({ query }) => {
      const { connector, symbols, levels } = query;
      checkListed(market, connector, 'symbols', symbols);
      const isPaper = venues.get(connector)?.info.mode === 'PAPER';
      const asked = [...new Set(symbols)].map((symbol) => ({
        symbol,
        ticker: market.instrument(connector, symbol)?.symbol ?? symbol,
      }));
      const told = await Promise.all(
        asked.map(async (one) => ({ ...one, book: await books(connector, one.symbol) })),
      );
      return {
        body: {
          books: told.flatMap(({ symbol, ticker, book }) => {
            if (book === null) return [];
            const own = {
              ...{ symbol, ticker },
              source: isPaper ? ('SIMULATED' as const) : ('VENUE' as const),
              bestBid: book.bids[0]?.price ?? null,
              bestAsk: book.asks[0]?.price ?? null,
              spreadBps: spreadBps(book),
              bids: [...summed(book.bids.slice(0, levels))],
              asks: [...summed(book.asks.slice(0, levels))],
            };
            return [wireForm(orderBook, { at: book.at }, own)];
          }),
          unknown: told.flatMap(({ symbol, book }) => (book === null ? [symbol] : [])),
        },
      };
    }),
  ];
}
