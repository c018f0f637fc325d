/**
 * The venue's instruments: the last stored list, read again until the venue answers, then every five minutes, after a
 * new connection, and when the stream reports another number of instruments.
 */
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { read } from '../kit/wire.ts';
import type { Client } from './client.ts';
import { EMPTY_LISTING, type Listing, listingOf, withKnownEntries } from './listing.ts';
import type { MarketData } from './market-data.ts';
import * as wire from './wire.ts';

/** Listings, delistings, changed rules. One reading weighs 20 of the 1,200 a minute. */
const READ_EVERY_MS = 5 * 60_000;
/** Between readings after new connections, which may come and go. */
const APART_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export interface Listings {
  now(): Listing;
  /** Takes the list of the last run, so that accounts can be read while the venue is away. */
  restore(): Promise<void>;
  /** Does not wait for the venue. */
  start(): void;
  /** To be called when something may have changed: reads the list again, soon. */
  look(): void;
  /** Takes the stream's number of instruments: a number other than the list's means a new listing. */
  counted(count: number): void;
  stop(): void;
}

export function createListings(deps: {
  /** Id of the connector. */
  readonly id: string;
  readonly client: Pick<Client, 'info'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: VenueHost['store'];
  readonly market: MarketData;
  /** The instruments are others than before. */
  readonly onChange: () => void;
  /** The list was read, whether it has changed or not. */
  readonly onRead: (listing: Listing) => void;
}): Listings {
  const { id, client, clock, logger, store, market, onChange, onRead } = deps;
  const key = `venue:${id}:listing`;
  let listing = EMPTY_LISTING;
  /** The list as the venue wrote it last. */
  let meta: wire.WireMeta | null = null;
  let isStopped = false;
  let isReading = false;
  /** Time of the last reading by `Clock.uptime`. */
  let readAt = Number.NEGATIVE_INFINITY;
  /** Number of instruments for which the list was last read: if no list explains it, it causes no further reading. */
  let askedForCount = 0;
  let cancel: Unsubscribe = () => {};

  function take(fresh: Listing): void {
    listing = fresh;
    market.use(listing);
    onChange();
  }

  /** Reads the universe and the prices; true: they were read. */
  async function readOnce(): Promise<boolean> {
    const told = await client.info('market', { type: 'metaAndAssetCtxs' }, wire.metaAndContexts);
    if (!told.ok || told.value[0].universe.length === 0) return false;
    const [answer, contexts] = told.value;
    const unread = answer.universe.flatMap((one, index) => (one === null ? [index] : []));
    if (unread.length > 0) logger.warn({ unread }, 'some instruments of Hyperliquid are not as described');
    meta = withKnownEntries(answer, meta);
    const fresh = listingOf(id, meta, listing.symbols);
    if (!isSame(fresh, listing)) {
      take(fresh);
      const symbols = Object.fromEntries(listing.symbols);
      await store.commit({ settings: [{ key, value: JSON.stringify({ ...meta, symbols }) }] });
    }
    market.takeContexts(contexts);
    // Prices first: listeners expect them as soon as the venue is up.
    market.tellNow();
    onRead(listing);
    return true;
  }

  async function keepReading(): Promise<void> {
    if (isReading) return;
    isReading = true;
    await readUntilRead();
    isReading = false;
    readAt = clock.uptime();
    if (!isStopped) readIn(READ_EVERY_MS);
  }

  function readIn(ms: number): void {
    cancel();
    cancel = clock.after(ms, () => void keepReading());
  }

  function look(): void {
    if (!isReading && !isStopped) readIn(Math.max(0, readAt + APART_MS - clock.uptime()));
  }

  async function readUntilRead(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !isStopped; ) {
      const isRead = await readOnce().catch((error: unknown) => {
        logger.warn({ err: error }, 'the instruments of Hyperliquid were not read');
        return false;
      });
      if (isRead || isStopped) return;
      await clock.sleep(waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
    }
  }

  return {
    now: () => listing,
    async restore() {
      const kept = await store.setting(key);
      const told = kept === null ? null : read(wire.keptMeta, kept);
      if (told?.ok !== true) return;
      meta = told.value;
      take(listingOf(id, told.value, new Map(Object.entries(told.value.symbols ?? {}))));
    },
    start: () => void keepReading(),
    look,
    counted(count) {
      if (count === listing.size || count === askedForCount || listing.size === 0 || isReading) return;
      askedForCount = count;
      readAt = Number.NEGATIVE_INFINITY;
      look();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

/** The place of each instrument counts too: it is its name in orders. */
function isSame(one: Listing, other: Listing): boolean {
  const rules = ({ assets }: Listing) =>
    JSON.stringify(assets.map(({ index, instrument }) => [index, instrument]));
  return rules(one) === rules(other);
}
