/**
 * Order books for whoever looks at them. Venues are asked at most once in `FRESH_MS` for an instrument, whoever asks and how
 * many do; what they are asked with has the last of all lanes, as every preview has.
 */
import type { VenueBook } from '../domain/order-book.ts';
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';
import type { Venues } from '../engine/ports/venue.ts';

/** Ten windows that look once a second cost one question a second. */
const FRESH_MS = 750;
const PATIENCE_MS = 1_000;
export const MOST_LEVELS = 20;
/** More instruments than anybody looks at are forgotten. */
const MOST_KEPT = 400;

export interface ToldBook extends VenueBook {
  /** Epoch ms of the answer. */
  readonly at: number;
}

interface Asked {
  readonly book: Promise<ToldBook | null>;
  /** Clock uptime of the answer; null: under way. */
  answeredAt: number | null;
}

/** null: no book is known now, because the venue tells none or did not answer within a second. */
export type ReadBook = (connector: string, symbol: string) => Promise<ToldBook | null>;

export function createOrderBooks({
  venues,
  clock,
}: {
  readonly venues: Venues;
  readonly clock: Clock;
}): ReadBook {
  const told = new Map<string, Asked>();

  async function ask(connector: string, symbol: string): Promise<ToldBook | null> {
    const venue = venues.get(connector);
    if (venue?.book === undefined) return null;
    // Whatever is wrong at the venue, one that throws included, its book is not known, and nothing more.
    const asked = (async () => venue.book?.(symbol, MOST_LEVELS))();
    let cancel: Unsubscribe = () => undefined;
    const tooLate = new Promise<null>((resolve) => {
      cancel = clock.after(PATIENCE_MS, () => resolve(null));
    });
    const answer = await Promise.race([asked.catch(() => null), tooLate]);
    cancel();
    return answer?.ok === true && answer.value !== null ? { ...answer.value, at: clock.now() } : null;
  }

  return (connector, symbol) => {
    const key = `${connector} ${symbol}`;
    const known = told.get(key);
    const isFresh = (at: number | null) => at === null || clock.uptime() - at < FRESH_MS;
    if (known !== undefined && isFresh(known.answeredAt)) return known.book;
    if (told.size >= MOST_KEPT) told.clear();
    const asked: Asked = { book: ask(connector, symbol), answeredAt: null };
    told.set(key, asked);
    void asked.book.then(() => {
      asked.answeredAt = clock.uptime();
    });
    return asked.book;
  };
}
