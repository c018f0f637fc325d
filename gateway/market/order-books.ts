/**
 * Order books for viewers. A venue is asked at most once in `FRESH_MS` for an instrument, by however many viewers;
 * these requests have the lowest priority of all.
 */
import { keptAnswers } from '../domain/kept-answers.ts';
import type { VenueBook } from '../domain/order-book.ts';
import { soon } from '../domain/soon.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';

/** Ten windows that look once a second cost one question a second. */
const FRESH_MS = 750;
export const MOST_LEVELS = 20;
/** More instruments than anybody looks at are forgotten. */
const MOST_KEPT = 400;

export interface ToldBook extends VenueBook {
  /** Epoch ms of the answer. */
  readonly at: number;
}

/** null: no book is known now, because the venue sends none or did not answer within a second. */
export type ReadBook = (connector: string, symbol: string) => Promise<ToldBook | null>;

export function createOrderBooks({
  venues,
  clock,
}: {
  readonly venues: { get(connector: string): Pick<Venue, 'book'> | undefined };
  readonly clock: Clock;
}): ReadBook {
  const told = keptAnswers<ToldBook | null>(() => clock.uptime(), FRESH_MS, MOST_KEPT);

  async function ask(connector: string, symbol: string): Promise<ToldBook | null> {
    const venue = venues.get(connector);
    if (venue?.book === undefined) return null;
    // After any failure of the venue, a thrown one included, its book is unknown, and nothing more.
    const answer = await soon(clock, (async () => venue.book?.(symbol, MOST_LEVELS))());
    return answer?.ok === true && answer.value !== null ? { ...answer.value, at: clock.now() } : null;
  }

  return (connector, symbol) => told(`${connector} ${symbol}`, () => ask(connector, symbol));
}
