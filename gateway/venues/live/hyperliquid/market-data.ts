/**
 * Prices of Hyperliquid's perpetuals: all contexts (mark, oracle, funding, volumes) in one stream, the best bid and ask of
 * each instrument in one of its own. What changed is told a few times a second, however much arrives.
 *
 * A quote is as old as its mark, by which baskets are sized and stops fire: best prices that go on while marks do not
 * arrive any more tell no quote, so that it grows old for everybody.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { FundingRate, MarketStats, Quote } from '../../../domain/model.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { MarketUpdate } from '../../../engine/ports/venue.ts';
import type { Asset, Listing } from './listing.ts';
import type { AssetContext } from './wire.ts';

/** How often changes are told, ms: what people and triggers look at does not move faster. */
const TELL_MS = 100;
const MARK_FRESH_MS = 3_000;
/** Best prices say something of a mark so long; quiet markets tell none for minutes. */
const BEST_FRESH_MS = 10_000;
/** A mark this far beyond the best prices is wrong: sized by it, a small order would be a large one. */
const MOST_BEYOND = 2;
const HOUR_MS = 3_600_000;

/** Prices in the venue's units, as they came. */
interface Known {
  mark: string;
  /** When the mark came, of `Clock.uptime`. */
  markAt: number;
  index: string;
  mid: string | null;
  bid: string | null;
  ask: string | null;
  /** When the best prices came, of `Clock.uptime`; null: not yet. */
  bestAt: number | null;
  dayAgo: string;
  funding: string | null;
  volume: string | null;
  openInterest: string | null;
}

export class MarketData {
  readonly #connector: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(update: MarketUpdate) => void>();
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<string>();
  readonly #contextsChanged = new Set<string>();
  #listing: Listing | null = null;
  #cancelTell: Unsubscribe | null = null;

  constructor(connector: string, clock: Clock) {
    this.#connector = connector;
    this.#clock = clock;
  }

  use(listing: Listing): void {
    this.#listing = listing;
  }

  stop(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
  }

  follow(listener: (update: MarketUpdate) => void): Unsubscribe {
    this.#listeners.add(listener);
    const assets = this.#listing?.assets ?? [];
    listener(this.#update(assets, assets));
    return () => this.#listeners.delete(listener);
  }

  /** @param contexts in the order of the universe */
  takeContexts(contexts: readonly AssetContext[]): void {
    for (const asset of this.#listing?.assets ?? []) {
      const context = contexts[asset.index];
      if (context !== undefined) this.#takeContext(asset, context);
    }
    this.#tellSoon();
  }

  #takeContext({ coin }: Asset, context: AssetContext): void {
    const { markPx, oraclePx } = context;
    // A context without prices is of an instrument that is not traded: what was known of it grows old.
    if (markPx === null || oraclePx === null || dec(markPx).lte(0)) return;
    const before = this.#known.get(coin);
    this.#known.set(coin, {
      mark: markPx,
      markAt: this.#clock.uptime(),
      index: oraclePx,
      mid: context.midPx,
      bid: before?.bid ?? null,
      ask: before?.ask ?? null,
      bestAt: before?.bestAt ?? null,
      dayAgo: context.prevDayPx ?? markPx,
      funding: context.funding,
      volume: context.dayNtlVlm,
      openInterest: context.openInterest,
    });
    this.#changed.add(coin);
    this.#contextsChanged.add(coin);
  }

  /** Best prices as the venue writes them; null: nobody offers. */
  takeBest(coin: string, bid: string | null, ask: string | null): void {
    const known = this.#known.get(coin);
    if (known === undefined) return;
    known.bid = bid;
    known.ask = ask;
    known.bestAt = this.#clock.uptime();
    this.#changed.add(coin);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#cancelTell !== null || this.#changed.size === 0) return;
    this.#cancelTell = this.#clock.after(TELL_MS, () => this.tellNow());
  }

  /** Tells what has changed since the last time. */
  tellNow(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
    const named = (coins: Iterable<string>) =>
      [...coins].flatMap((coin) => this.#listing?.byCoin(coin) ?? []);
    const update = this.#update(named(this.#changed), named(this.#contextsChanged));
    this.#changed.clear();
    this.#contextsChanged.clear();
    if (update.quotes.length === 0) return;
    for (const listener of [...this.#listeners]) listener(update);
  }

  #update(quoted: readonly Asset[], contexts: readonly Asset[]): MarketUpdate {
    const at = this.#clock.now();
    const known = (assets: readonly Asset[]) =>
      assets.flatMap((asset) => {
        const one = this.#known.get(asset.coin);
        return one === undefined ? [] : [{ asset, one }];
      });
    return {
      connector: this.#connector,
      at,
      quotes: known(quoted)
        .filter(({ one }) => isBelieved(one, this.#clock.uptime()))
        .map(({ asset, one }) => quoteOf(asset, one, at)),
      funding: known(contexts).flatMap(({ asset, one }) => fundingOf(asset, one, at)),
      stats: known(contexts).flatMap(({ asset, one }) => statsOf(asset, one)),
    };
  }
}

/** Whether the mark is of now, and the best prices do not contradict it. */
function isBelieved({ mark, markAt, bid, ask, bestAt }: Known, now: number): boolean {
  if (now - markAt >= MARK_FRESH_MS) return false;
  if (bestAt === null || now - bestAt >= BEST_FRESH_MS) return true;
  const isTooLow = bid !== null && dec(mark).mul(MOST_BEYOND).lt(bid);
  const isTooHigh = ask !== null && dec(ask).mul(MOST_BEYOND).lt(mark);
  return !isTooLow && !isTooHigh;
}

function quoteOf({ instrument, listed }: Asset, one: Known, at: number): Quote {
  const ours = (price: string) => listed.units.priceToOurs(price);
  const mark = ours(one.mark);
  const mid = one.mid === null ? mark : ours(one.mid);
  return {
    id: instrument.id,
    symbol: instrument.symbol,
    mark,
    index: ours(one.index),
    mid,
    // Until the best prices are told, and where nobody offers: a tick around the middle.
    bid: one.bid === null ? text(dec(mid).minus(instrument.tickSize)) : ours(one.bid),
    ask: one.ask === null ? text(dec(mid).plus(instrument.tickSize)) : ours(one.ask),
    last: mid,
    price24hAgo: ours(one.dayAgo),
    updatedAt: at,
  };
}

function fundingOf({ instrument }: Asset, one: Known, at: number): readonly FundingRate[] {
  if (one.funding === null) return [];
  return [
    {
      id: instrument.id,
      symbol: instrument.symbol,
      rate: one.funding,
      intervalHours: 1,
      nextFundingTime: (Math.floor(at / HOUR_MS) + 1) * HOUR_MS,
    },
  ];
}

function statsOf({ instrument }: Asset, one: Known): readonly MarketStats[] {
  if (one.volume === null || one.openInterest === null) return [];
  // The venue counts open interest in its units of the coin, so that its own price gives USD.
  const openInterest = text(dec(one.openInterest).mul(one.mark));
  return [{ id: instrument.id, volume24h: one.volume, openInterest }];
}
