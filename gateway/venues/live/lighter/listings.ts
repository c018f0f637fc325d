/** The venue's markets: the last list that was kept, read again until the venue answers, then every five minutes. */
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { read } from '../kit/wire.ts';
import type { Client } from './client.ts';
import { EMPTY_LISTING, type Listing, listingOf } from './listing.ts';
import * as wire from './wire.ts';

/** Listings, delistings, halts: one request of the sixty a minute. */
const READ_EVERY_MS = 5 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export interface Listings {
  now(): Listing;
  /** Takes the list of the last run, so that accounts can be read while the venue is away. */
  restore(): Promise<void>;
  /** Does not wait for the venue. */
  start(): void;
  /** Reads the list again, as after a message of a market that is not on it. */
  look(): void;
  stop(): void;
}

export function createListings(deps: {
  /** Id of the connector. */
  readonly id: string;
  readonly client: Pick<Client, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: VenueHost['store'];
  /** The markets are others than before, or follow other rules. */
  readonly onChange: (listing: Listing) => void;
  /** The list was read, whether it has changed or not. */
  readonly onRead: () => void;
}): Listings {
  const { id, client, clock, logger, store, onChange, onRead } = deps;
  const key = `venue:${id}:listing`;
  let listing = EMPTY_LISTING;
  /** As the venue wrote them last. */
  let markets: readonly wire.WireMarket[] = [];
  let isStopped = false;
  let isReading = false;
  let cancel: Unsubscribe = () => {};

  function take(fresh: Listing): void {
    listing = fresh;
    onChange(listing);
  }

  async function readOnce(): Promise<boolean> {
    const told = await client.get(
      { lane: 'market', path: '/api/v1/orderBookDetails', query: { filter: 'perp' } },
      wire.markets,
    );
    if (!told.ok || told.value.order_book_details.items.length === 0) return false;
    const { items, unread } = told.value.order_book_details;
    if (unread.length > 0)
      logger.warn({ count: unread.length }, 'some markets of Lighter are not as described');
    // Unreadable ones keep their last known state.
    const missing =
      unread.length === 0 ? [] : markets.filter((one) => !items.some((item) => isSame(item, one)));
    markets = [...items, ...missing];
    const fresh = listingOf(id, { order_book_details: markets }, listing.symbols);
    if (JSON.stringify(fresh.assets) !== JSON.stringify(listing.assets)) {
      take(fresh);
      const symbols = Object.fromEntries(listing.symbols);
      await store.commit({
        settings: [{ key, value: JSON.stringify({ order_book_details: markets, symbols }) }],
      });
    }
    onRead();
    return true;
  }

  async function keepReading(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let waitMs = FIRST_RETRY_MS; !isStopped; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      const isRead = await readOnce().catch((error: unknown) => {
        logger.warn({ err: error }, 'the markets of Lighter were not read');
        return false;
      });
      if (isRead || isStopped) break;
      await clock.sleep(waitMs);
    }
    isReading = false;
    cancel();
    if (!isStopped) cancel = clock.after(READ_EVERY_MS, () => void keepReading());
  }

  return {
    now: () => listing,
    async restore() {
      const kept = await store.setting(key);
      const told = kept === null ? null : read(wire.keptMarkets, kept);
      if (told?.ok !== true) return;
      markets = told.value.order_book_details;
      take(listingOf(id, told.value, new Map(Object.entries(told.value.symbols ?? {}))));
    },
    start: () => void keepReading(),
    look() {
      if (!isStopped) void keepReading();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function isSame(one: wire.WireMarket, other: wire.WireMarket): boolean {
  return one.market_id === other.market_id;
}
