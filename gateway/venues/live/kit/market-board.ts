/**
 * Prices of a venue's instruments as they came, in the venue's units. What changed is told a few times a second, however
 * much arrives.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { FundingRate, Instrument, MarketStats, Quote } from '../../../domain/model.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { MarketUpdate } from '../../../engine/ports/venue.ts';
import type { Listed } from './symbols.ts';

/** How often changes are told, ms: what people and triggers look at does not move faster. */
const TELL_MS = 100;
const HOUR_MS = 3_600_000;

/** An instrument with its name and units at the venue. */
export interface ListedInstrument {
  readonly listed: Listed;
  readonly instrument: Instrument;
}

/** Prices in the venue's units; null: not told, or nobody offers. */
export interface KnownPrices {
  mark: string;
  index: string;
  mid: string | null;
  bid: string | null;
  ask: string | null;
  /** null: the middle. */
  last: string | null;
  dayAgo: string;
  /** Of an hour, a fraction; positive: longs pay. */
  funding: string | null;
  volume: string | null;
  /** USD. */
  openInterest: string | null;
}

export class MarketBoard<Asset extends ListedInstrument> {
  readonly #connector: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<(update: MarketUpdate) => void>();
  readonly #known = new Map<string, KnownPrices>();
  readonly #changed = new Set<string>();
  readonly #contextsChanged = new Set<string>();
  #assets: readonly Asset[] = [];
  #byKey: ReadonlyMap<string, Asset> = new Map();
  #cancelTell: Unsubscribe | null = null;

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

  /** Mark, funding, volumes; best prices stay as they were where they are not named. */
  protected take(
    key: string,
    prices: Omit<KnownPrices, 'bid' | 'ask'> & Partial<Pick<KnownPrices, 'bid' | 'ask'>>,
  ): void {
    const before = this.#known.get(key);
    this.#known.set(key, { bid: before?.bid ?? null, ask: before?.ask ?? null, ...prices });
    this.#changed.add(key);
    this.#contextsChanged.add(key);
  }

  /** Best prices as the venue writes them; null: nobody offers. */
  takeBest(key: string, bid: string | null, ask: string | null): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    known.bid = bid;
    known.ask = ask;
    this.#changed.add(key);
    this.tellSoon();
  }

  /** What was told before still holds, and is told again. */
  protected repeat(): void {
    for (const key of this.#known.keys()) this.#changed.add(key);
  }

  protected tellSoon(): void {
    if (this.#cancelTell !== null || this.#changed.size === 0) return;
    this.#cancelTell = this.#clock.after(TELL_MS, () => this.tellNow());
  }

  /** Tells what has changed since the last time. */
  tellNow(): void {
    this.#cancelTell?.();
    this.#cancelTell = null;
    const named = (keys: Iterable<string>) => [...keys].flatMap((key) => this.#byKey.get(key) ?? []);
    const update = this.#update(named(this.#changed), named(this.#contextsChanged));
    this.#changed.clear();
    this.#contextsChanged.clear();
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
      quotes: known(quoted).map(({ asset, one }) => quoteOf(asset, one, at)),
      funding: known(contexts).flatMap(({ asset, one }) => fundingOf(asset, one, at)),
      stats: known(contexts).flatMap(({ asset, one }) => statsOf(asset, one)),
    };
  }
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
    // Until the best prices are told, and where nobody offers: a tick around the middle.
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
