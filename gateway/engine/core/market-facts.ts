/** Prices and figures of one connector at one moment, as measures read them. Stale values count as unknown. */
import type { MarketFacts, PriceSource } from '../../domain/measure.ts';
import type { Quote } from '../../domain/model.ts';
import type { MarketData } from '../ports/market.ts';

export function marketFacts(
  market: Pick<MarketData, 'quote' | 'isStale' | 'feed' | 'isFeedStale'>,
  connector: string,
): MarketFacts {
  return {
    price(symbol, source) {
      const quote = market.isStale(connector, symbol) ? undefined : market.quote(connector, symbol);
      return quote === undefined ? undefined : priceOf(quote, source);
    },
    figure: (name) => (market.isFeedStale(connector, name) ? undefined : market.feed(connector, name)?.value),
  };
}

const FIELDS = { MARK: 'mark', LAST: 'last', INDEX: 'index' } as const;

export function priceOf(quote: Pick<Quote, 'mark' | 'last' | 'index'>, source: PriceSource): string {
  return quote[FIELDS[source]];
}
