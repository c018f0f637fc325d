/** Answers from the books of a market. */
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { VenueBook } from '../../../domain/order-book.ts';
import type { ExpectedOrder } from '../../../engine/ports/venue.ts';
import type { PaperMarket } from './market-types.ts';

/** null: the instrument has no quote. */
export function previewOf(market: PaperMarket, order: ExpectedOrder): BookPreview | null {
  const { symbol, side, quantity, limitPrice } = order;
  return market.quote(symbol) === undefined ? null : market.preview(symbol, side, quantity, limitPrice);
}

/** null: the instrument has no quote. */
export function bookOf(market: PaperMarket, symbol: string, levels: number): VenueBook | null {
  if (market.quote(symbol) === undefined) return null;
  return { bids: market.levels(symbol, 'BUY', levels), asks: market.levels(symbol, 'SELL', levels) };
}
