/** The venue's markets: one request of the sixty a minute. */
import type { Logger } from '../../../engine/ports/system.ts';
import type { ListingSource } from '../kit/listings.ts';
import { read } from '../kit/wire.ts';
import type { Client } from './client.ts';
import { EMPTY_LISTING, type Listing, listingOf } from './listing.ts';
import * as wire from './wire.ts';

/** @param id of the connector */
export function marketsOf(deps: {
  readonly id: string;
  readonly client: Pick<Client, 'get'>;
  readonly logger: Logger;
}): ListingSource<Listing> {
  const { id, client, logger } = deps;
  /** As the venue wrote them last. */
  let markets: readonly wire.WireMarket[] = [];
  return {
    empty: EMPTY_LISTING,
    fromKept(kept) {
      const told = read(wire.keptMarkets, kept);
      if (!told.ok) return null;
      markets = told.value.order_book_details;
      return listingOf(id, told.value, new Map(Object.entries(told.value.symbols ?? {})));
    },
    async ask(before) {
      const told = await client.get(
        { lane: 'market', path: '/api/v1/orderBookDetails', query: { filter: 'perp' } },
        wire.markets,
      );
      if (!told.ok || told.value.order_book_details.items.length === 0) return null;
      const { items, unread } = told.value.order_book_details;
      if (unread.length > 0)
        logger.warn({ count: unread.length }, 'some markets of Lighter are not as described');
      // Unreadable ones keep their last known state.
      const missing =
        unread.length === 0 ? [] : markets.filter((one) => !items.some((item) => isSame(item, one)));
      markets = [...items, ...missing];
      const kept = { order_book_details: markets };
      return { listing: listingOf(id, kept, before.symbols), kept };
    },
  };
}

function isSame(one: wire.WireMarket, other: wire.WireMarket): boolean {
  return one.market_id === other.market_id;
}
