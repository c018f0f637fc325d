/** Pure: converts a market update into values of the trigger index's feeds, with these feeds' names. */
import type { PriceSource } from '../../../domain/measure.ts';
import type { Quote } from '../../../domain/model.ts';
import { priceOf } from '../../core/market-facts.ts';
import type { Feed, FeedValue } from '../trigger-index/armed-trigger.ts';

export const SOURCES: readonly PriceSource[] = ['MARK', 'LAST', 'INDEX'];

export function pushPrices(values: FeedValue[], connector: string, quote: Quote): void {
  for (const source of SOURCES) {
    values.push({
      feed: { kind: 'price', connector, symbol: quote.id, source },
      value: priceOf(quote, source),
    });
  }
}

/** Name of a feed in the market; for a price feed the instrument's id. */
export function nameOf(feed: Feed): string {
  return feed.kind === 'price' ? feed.symbol : feed.name;
}

export function keyOf(connector: string, name: string): string {
  return `${connector} ${name}`;
}
