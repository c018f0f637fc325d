/**
 * A live venue's instruments: the list of the last run, read again until the venue answers, then every five minutes, and
 * when something says that it may have changed.
 */
import type { Clock, Logger, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueHost } from '../../venue-plug.ts';

/** Listings, delistings, halts, changed rules. */
const READ_EVERY_MS = 5 * 60_000;
/** Between readings for which something else than the time asks: connections may come and go. */
const APART_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

interface AnyListing {
  readonly assets: readonly unknown[];
  /** Ids of instruments, by the venue's names: an instrument keeps its id. */
  readonly symbols: ReadonlyMap<string, string>;
}

export interface Listings<Listing> {
  readonly now: () => Listing;
  /** Takes the list of the last run, so that accounts can be read while the venue is away. */
  restore(): Promise<void>;
  /** Does not wait for the venue. */
  start(): void;
  /** Reads the list again, soon. */
  look(): void;
  /** As `look`, whenever the last reading was. */
  lookNow(): void;
  readonly isReading: () => boolean;
  stop(): void;
}

export interface ListingSource<Listing> {
  readonly empty: Listing;
  /** @param kept as `ask` gave it, with `symbols`. null: it cannot be read any more */
  fromKept(kept: string): Listing | null;
  /** @param before the present list. null: the venue did not answer */
  ask(before: Listing): Promise<{
    readonly listing: Listing;
    /** The venue's own form, to be kept for the next run. */
    readonly kept: object;
    /** Called once the list is in use, changed or not. */
    readonly taken?: () => void;
  } | null>;
}

export function keepListing<Listing extends AnyListing>(
  source: ListingSource<Listing>,
  deps: {
    /** Id and name of the connector. */
    readonly id: string;
    readonly name: string;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly store: VenueHost['store'];
    /** The instruments are others than before, or follow other rules. */
    readonly onChange: (listing: Listing) => void;
    /** The list was read, whether it has changed or not. */
    readonly onRead: (listing: Listing) => void;
  },
): Listings<Listing> {
  const { id, name, clock, logger, store, onChange, onRead } = deps;
  const key = `venue:${id}:listing`;
  let listing = source.empty;
  let isStopped = false;
  let isReading = false;
  /** Time of the last reading by `Clock.uptime`. */
  let readAt = Number.NEGATIVE_INFINITY;
  let cancel: Unsubscribe = () => {};

  /** True: the list was read. */
  async function readOnce(): Promise<boolean> {
    const told = await source.ask(listing);
    if (told === null) return false;
    if (JSON.stringify(told.listing.assets) !== JSON.stringify(listing.assets)) {
      listing = told.listing;
      onChange(listing);
      const symbols = Object.fromEntries(listing.symbols);
      await store.commit({ settings: [{ key, value: JSON.stringify({ ...told.kept, symbols }) }] });
    }
    told.taken?.();
    onRead(listing);
    return true;
  }

  async function keepReading(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let waitMs = FIRST_RETRY_MS; !isStopped; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      const isRead = await readOnce().catch((error: unknown) => {
        logger.warn({ err: error }, `the instruments of ${name} were not read`);
        return false;
      });
      if (isRead || isStopped) break;
      await clock.sleep(waitMs);
    }
    isReading = false;
    readAt = clock.uptime();
    if (!isStopped) readIn(READ_EVERY_MS);
  }

  function readIn(ms: number): void {
    cancel();
    cancel = clock.after(ms, () => void keepReading());
  }

  function lookIn(ms: number): void {
    if (!isReading && !isStopped) readIn(Math.max(0, ms));
  }

  return {
    now: () => listing,
    async restore() {
      const kept = await store.setting(key);
      const known = kept === null ? null : source.fromKept(kept);
      if (known === null) return;
      listing = known;
      onChange(listing);
    },
    start: () => void keepReading(),
    look: () => lookIn(readAt + APART_MS - clock.uptime()),
    lookNow: () => lookIn(0),
    isReading: () => isReading,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
