/** The venue's instruments: the last list that was kept, read again until the venue answers and every ten minutes then. */
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { read } from '../kit/wire.ts';
import type { Client } from './client.ts';
import { type Listing, listingOf } from './listing.ts';
import type { MarketData } from './market-data.ts';
import * as wire from './wire.ts';

/** Listings, delistings, changed rules. */
const READ_EVERY_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

const EMPTY: Listing = {
  assets: [],
  instruments: [],
  bySymbol: () => undefined,
  byCoin: () => undefined,
};

export interface Listings {
  now(): Listing;
  /** Takes the list of the last run, so that accounts can be read while the venue is away. */
  restore(): Promise<void>;
  /** Does not wait for the venue. */
  start(): void;
  stop(): void;
}

export function createListings(deps: {
  /** Of the connector. */
  readonly id: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: VenueHost['store'];
  readonly market: MarketData;
  readonly onRead: (listing: Listing) => void;
}): Listings {
  const { id, client, clock, logger, store, market, onRead } = deps;
  const key = `venue:${id}:listing`;
  let listing = EMPTY;
  let isStopped = false;
  let cancel: Unsubscribe = () => {};

  /** Reads the universe and the prices; true: they were read. */
  async function readOnce(): Promise<boolean> {
    const told = await client.info('market', { type: 'metaAndAssetCtxs' }, wire.metaAndContexts);
    if (!told.ok || told.value[0].universe.length === 0) return false;
    const [meta, contexts] = told.value;
    const before = JSON.stringify(listing.instruments);
    const fresh = listingOf(id, meta);
    if (JSON.stringify(fresh.instruments) !== before) {
      listing = fresh;
      market.use(listing);
      await store.commit({ settings: [{ key, value: JSON.stringify(meta) }] });
    }
    market.takeContexts(contexts);
    // Who hears that the venue is up has its prices already.
    market.tellNow();
    onRead(listing);
    return true;
  }

  async function keepReading(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !isStopped; ) {
      const isRead = await readOnce().catch((error: unknown) => {
        logger.warn({ err: error }, 'the instruments of Hyperliquid were not read');
        return false;
      });
      if (isStopped) return;
      if (isRead) {
        cancel = clock.after(READ_EVERY_MS, () => void keepReading());
        return;
      }
      await clock.sleep(waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
    }
  }

  return {
    now: () => listing,
    async restore() {
      const kept = await store.setting(key);
      const told = kept === null ? null : read(wire.meta, kept);
      if (told?.ok !== true) return;
      listing = listingOf(id, told.value);
      market.use(listing);
    },
    start: () => void keepReading(),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
