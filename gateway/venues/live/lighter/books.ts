/**
 * Lighter's books from its stream: whole at first, then changes. A market is followed from the first request for an
 * estimate until a minute after the last. It costs messages of the stream and none of the requests, of which an account
 * has sixty a minute; orders need neither.
 */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import { type BookSide, isCrossed, type TakenBook } from '../kit/book-preview.ts';
import type { Budget } from '../kit/budget.ts';
import { check } from '../kit/wire.ts';
import * as wire from './wire.ts';

/** Time without a request after which a book is not followed any more. */
const UNUSED_MS = 60_000;
/** Longest wait for the whole book. */
const FIRST_WITHIN_MS = 900;
/** Books followed at once; they are the stream's busiest messages. */
const MOST_FOLLOWED = 40;
/** Maximum of those for viewers alone, so that dry runs find a place for theirs. */
const MOST_LOOKED_AT = 20;

/** For an estimate, or to be looked at. */
type Wanted = 'preview' | 'look';

interface Followed {
  /** `look`: no estimate has used it so far. */
  wanted: Wanted;
  readonly bids: Map<DecimalString, DecimalString>;
  readonly asks: Map<DecimalString, DecimalString>;
  /** The latest change that is in it; null: the whole book has not come yet. */
  nonce: string | null;
  /** Callers that wait for the whole book. */
  readonly waiting: Set<() => void>;
  stopUnused: Unsubscribe;
}

export interface Books {
  /** The whole present book; null: it is not known now. */
  read(market: number, wanted: Wanted): Promise<TakenBook | null>;
  /** A message of a stream `order_book`. */
  take(kind: 'subscribed' | 'update', value: unknown): void;
  /** The connection is gone: nothing is followed any more. */
  forget(): void;
}

export function createBooks(deps: {
  readonly clock: Clock;
  /** Takes from the stream's message budget. */
  readonly take: Budget['take'];
  /** False: the stream is not up. */
  readonly send: (method: 'subscribe' | 'unsubscribe', channel: string) => boolean;
  readonly onUnreadable: (reason: string) => void;
}): Books {
  const { clock, send } = deps;
  const followed = new Map<number, Followed>();

  function drop(market: number): void {
    const one = followed.get(market);
    if (one === undefined) return;
    followed.delete(market);
    one.stopUnused();
    for (const go of [...one.waiting]) go();
  }

  function leave(market: number): void {
    if (!followed.has(market)) return;
    drop(market);
    send('unsubscribe', `order_book/${market}`);
  }

  async function follow(market: number, wanted: Wanted): Promise<Followed | null> {
    const one: Followed = {
      wanted,
      ...{ bids: new Map(), asks: new Map(), nonce: null, waiting: new Set() },
      stopUnused: () => {},
    };
    followed.set(market, one);
    // One to begin, one to leave. Viewers need no lane of their own: they have few places.
    const granted = await deps.take('preview', { messages: 2 }, clock.now() + FIRST_WITHIN_MS);
    if (followed.get(market) !== one) return null;
    if (granted.granted && send('subscribe', `order_book/${market}`)) return one;
    drop(market);
    return null;
  }

  function use(market: number, one: Followed): void {
    one.stopUnused();
    one.stopUnused = clock.after(UNUSED_MS, () => leave(market));
  }

  function hasRoom(wanted: Wanted): boolean {
    const isLookedAt = (one: Followed) => one.wanted === 'look';
    return (
      followed.size < MOST_FOLLOWED &&
      (wanted === 'preview' || [...followed.values()].filter(isLookedAt).length < MOST_LOOKED_AT)
    );
  }

  async function whole(one: Followed): Promise<void> {
    let cancel = () => {};
    let go = () => {};
    await new Promise<void>((resolve) => {
      go = resolve;
      one.waiting.add(go);
      cancel = clock.after(FIRST_WITHIN_MS, go);
    });
    cancel();
    one.waiting.delete(go);
  }

  return {
    async read(market, wanted) {
      const known = followed.get(market);
      if (known === undefined && !hasRoom(wanted)) return null;
      const one = known ?? (await follow(market, wanted));
      if (one === null) return null;
      if (wanted === 'preview') one.wanted = wanted;
      // A viewer does not prolong a book that was begun for an estimate.
      if (one.wanted === wanted) use(market, one);
      if (one.nonce === null) await whole(one);
      if (followed.get(market) !== one) return null;
      if (one.nonce === null) {
        // Refused, or too slow: the next request begins again.
        leave(market);
        return null;
      }
      const book = { bids: sideOf(one.bids, true), asks: sideOf(one.asks, false) };
      if (!isCrossed(book)) return book;
      leave(market);
      return null;
    },

    take(kind, value) {
      const told = check(wire.bookNews, value);
      if (!told.ok) {
        deps.onUnreadable(told.error.message);
        return;
      }
      const { channel, order_book: news } = told.value;
      const market = Number(channel.slice('order_book:'.length));
      const one = followed.get(market);
      if (one === undefined) return;
      if (kind === 'subscribed') {
        one.bids.clear();
        one.asks.clear();
      } else if (one.nonce === null) {
        // Message of an earlier subscription.
        return;
      } else if (news.begin_nonce !== one.nonce) {
        // A change is missing.
        leave(market);
        return;
      }
      change(one.bids, news.bids);
      change(one.asks, news.asks);
      one.nonce = news.nonce;
      for (const go of [...one.waiting]) go();
    },

    forget() {
      for (const market of [...followed.keys()]) drop(market);
    },
  };
}

function change(
  side: Map<DecimalString, DecimalString>,
  levels: readonly { readonly price: DecimalString; readonly size: DecimalString }[],
): void {
  for (const { price, size } of levels) {
    if (size === '0') side.delete(price);
    else side.set(price, size);
  }
}

function sideOf(levels: ReadonlyMap<DecimalString, DecimalString>, isBid: boolean): BookSide {
  const sorted = [...levels]
    // Thousands of levels: their order does not need exact prices.
    .map(([price, quantity]) => ({ price, quantity, at: Number(price) }))
    .sort((a, b) => (isBid ? b.at - a.at : a.at - b.at));
  return { levels: sorted, isCut: false };
}
