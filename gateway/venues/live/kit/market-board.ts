/**
 * Latest prices of a venue's instruments, in the venue's units. Changes are sent on a few times a second, at any rate
 * of arrival.
 *
 * A quote is as old as its mark, by which baskets are sized and stops fire. If only best prices still arrive, no quote
 * is sent, so that it grows old for all readers.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { FundingRate, Instrument, MarketStats, Quote } from '../../../domain/model.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { MarketUpdate } from '../../../engine/ports/venue.ts';
import type { Listed } from './symbols.ts';

/** Interval of updates, ms: neither people nor triggers need faster ones. */
const TELL_MS = 100;
/**
 * Instruments sent per turn of the event loop; the next turns send the others, so that orders go between them. A turn
 * of 64 took a third of a millisecond, as long as the slowest hundredth of acknowledgements; 16 is lost among them.
 */
const TOLD_AT_ONCE = 16;
const NEXT_TURN_MS = 1;
const MARK_FRESH_MS = 3_000;
/** Time for which best prices can confirm a mark; quiet markets send none for minutes. */
const BEST_FRESH_MS = 10_000;
/** A mark this far beyond the best prices is wrong: sized by it, a small order would be a large one. */
const MOST_BEYOND = 2;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An instrument with its name and units at the venue. */
export interface ListedInstrument {
  readonly listed: Listed;
  readonly instrument: Instrument;
}

/** Prices in the venue's units; null: not received, or nobody offers. */
export interface KnownPrices {
  mark: string;
  index: string;
  mid: string | null;
  bid: string | null;
  ask: string | null;
  /** null: the middle. */
  last: string | null;
  dayAgo: string;
  /** Funding rate of an hour, a fraction; positive: longs pay. */
  funding: string | null;
  volume: string | null;
  /** USD. */
  openInterest: string | null;
}

interface Known extends KnownPrices {
  /** Arrival of the mark by `Clock.uptime`. */
  markAt: number;
  /** Arrival of the best prices by `Clock.uptime`; null: not yet. */
  bestAt: number | null;
}

export class MarketBoard<Asset extends ListedInstrument> {
  readonly #connector: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(update: MarketUpdate) => void>();
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<string>();
  readonly #contextsChanged = new Set<string>();
  /** Best prices of instruments whose mark has not come yet. */
  readonly #early = new Map<string, Pick<Known, 'bid' | 'ask' | 'bestAt'>>();
  /** Instruments that are not quoted although their marks come. */
  readonly #withheld = new Set<string>();
  #assets: readonly Asset[] = [];
  #byKey: ReadonlyMap<string, Asset> = new Map();
  #cancelTell: Unsubscribe | null = null;
  /** Minute of the clock in which contexts were repeated last. */
  #repeatedIn: number | null = null;

  constructor(connector: string, clock: Clock) {
    this.#connector = connector;
    this.#clock = clock;
  }

  use({ assets }: { readonly assets: readonly Asset[] }): void {
    this.#assets = assets;
    this.#byKey = new Map(assets.map((asset) => [asset.listed.key, asset]));
  }

  protected get assets(): readonly Asset[] {
    return this.#assets;
  }

  stop(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
  }

  follow(listener: (update: MarketUpdate) => void): Unsubscribe {
    this.#listeners.add(listener);
    listener(this.#update(this.#assets, this.#assets));
    return () => this.#listeners.delete(listener);
  }

  /** Mark, funding, volumes; best prices stay as they were. */
  protected take(key: string, prices: Omit<KnownPrices, 'bid' | 'ask'>): void {
    if (dec(prices.mark).lte(0)) return;
    const { bid = null, ask = null, bestAt = null } = this.#known.get(key) ?? this.#early.get(key) ?? {};
    this.#early.delete(key);
    this.#known.set(key, { ...prices, bid, ask, bestAt, markAt: this.#clock.uptime() });
    this.#changed.add(key);
    this.#contextsChanged.add(key);
  }

  /** While withheld, its quote grows old for all readers. */
  protected withhold(key: string, isWithheld: boolean): void {
    if (isWithheld) this.#withheld.add(key);
    else if (this.#withheld.delete(key)) this.#changed.add(key);
    this.tellSoon();
  }

  protected markOf(key: string): string | null {
    return this.#known.get(key)?.mark ?? null;
  }

  /** Best prices as the venue writes them; null: nobody offers. */
  takeBest(key: string, bid: string | null, ask: string | null): void {
    const bestAt = this.#clock.uptime();
    const known = this.#known.get(key);
    if (known === undefined) {
      if (this.#byKey.has(key)) this.#early.set(key, { bid, ask, bestAt });
      return;
    }
    known.bid = bid;
    known.ask = ask;
    known.bestAt = bestAt;
    this.#changed.add(key);
    this.tellSoon();
  }

  /**
   * Repeats former values while the venue sends only changes: they still hold. Funding and volumes go with the first
   * call of each minute. Soon after a full hour, funding falls due an hour later, and the recorder of settled funding
   * needs a value from the minute before it (`market/funding-recorder.ts`).
   */
  protected repeat(): void {
    const minute = Math.floor(this.#clock.now() / MINUTE_MS);
    const isNewMinute = minute !== this.#repeatedIn;
    this.#repeatedIn = minute;
    for (const [key, known] of this.#known) {
      known.markAt = this.#clock.uptime();
      this.#changed.add(key);
      if (isNewMinute) this.#contextsChanged.add(key);
    }
  }

  protected tellSoon(): void {
    if (this.#cancelTell !== null || this.#changed.size === 0) return;
    this.#cancelTell = this.#clock.after(TELL_MS, () => this.#tellInTurns([...this.#changed]));
  }

  /** Sends the changes since the last time. */
  tellNow(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
    this.#tell([...this.#changed]);
  }

  #tellInTurns(keys: readonly string[]): void {
    const later = keys.slice(TOLD_AT_ONCE);
    this.#cancelTell =
      later.length === 0 ? null : this.#clock.after(NEXT_TURN_MS, () => this.#tellInTurns(later));
    this.#tell(keys.slice(0, TOLD_AT_ONCE));
  }

  #tell(keys: readonly string[]): void {
    const named = (some: readonly string[]) => some.flatMap((key) => this.#byKey.get(key) ?? []);
    const update = this.#update(named(keys), named(keys.filter((key) => this.#contextsChanged.has(key))));
    for (const key of keys) {
      this.#changed.delete(key);
      this.#contextsChanged.delete(key);
    }
    if (update.quotes.length === 0) return;
    for (const listener of [...this.#listeners]) listener(update);
  }

  #update(quoted: readonly Asset[], contexts: readonly Asset[]): MarketUpdate {
    const at = this.#clock.now();
    const known = (assets: readonly Asset[]) =>
      assets.flatMap((asset) => {
        const one = this.#known.get(asset.listed.key);
        return one === undefined ? [] : [{ asset, one }];
      });
    return {
      connector: this.#connector,
      at,
      quotes: known(quoted)
        .filter(({ asset, one }) => {
          return !this.#withheld.has(asset.listed.key) && isBelieved(one, this.#clock.uptime());
        })
        .map(({ asset, one }) => quoteOf(asset, one, at)),
      funding: known(contexts).flatMap(({ asset, one }) => fundingOf(asset, one, at)),
      stats: known(contexts).flatMap(({ asset, one }) => statsOf(asset, one)),
    };
  }
}

/** True: the mark is recent, and the best prices do not contradict it. */
function isBelieved({ mark, markAt, bid, ask, bestAt }: Known, now: number): boolean {
  if (now - markAt >= MARK_FRESH_MS) return false;
  if (bestAt === null || now - bestAt >= BEST_FRESH_MS) return true;
  // A factor, no amount: floating point is exact enough, and thousands of these are computed a second.
  const about = Number(mark);
  const isTooLow = bid !== null && about * MOST_BEYOND < Number(bid);
  const isTooHigh = ask !== null && Number(ask) * MOST_BEYOND < about;
  return !isTooLow && !isTooHigh;
}

function quoteOf({ instrument, listed }: ListedInstrument, one: KnownPrices, at: number): Quote {
  const ours = (price: string) => listed.units.priceToOurs(price);
  const mark = ours(one.mark);
  const mid = one.mid === null ? mark : ours(one.mid);
  return {
    id: instrument.id,
    symbol: instrument.symbol,
    mark,
    index: ours(one.index),
    mid,
    // Without best prices, or without offers: a tick around the middle.
    bid: one.bid === null ? text(dec(mid).minus(instrument.tickSize)) : ours(one.bid),
    ask: one.ask === null ? text(dec(mid).plus(instrument.tickSize)) : ours(one.ask),
    last: one.last === null ? mid : ours(one.last),
    price24hAgo: ours(one.dayAgo),
    updatedAt: at,
  };
}

function fundingOf({ instrument }: ListedInstrument, one: KnownPrices, at: number): readonly FundingRate[] {
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

function statsOf({ instrument }: ListedInstrument, one: KnownPrices): readonly MarketStats[] {
  if (one.volume === null || one.openInterest === null) return [];
  return [{ id: instrument.id, volume24h: one.volume, openInterest: one.openInterest }];
}
