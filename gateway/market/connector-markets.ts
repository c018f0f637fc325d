/** Everything the gateway currently knows of one connector's markets. */
import { isDeepStrictEqual } from 'node:util';
import type { FeedReading } from '../domain/feed.ts';
import type { FundingRate, Instrument, MarketStats, Quote, TradeabilityStatus } from '../domain/model.ts';
import type { InstrumentsChange } from '../engine/ports/market.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { MarketUpdate, Venue } from '../engine/ports/venue.ts';
import { STALE_AFTER_MS } from './connector-health.ts';
import {
  type MarketFilter,
  type MarketPage,
  type MarketRanking,
  pageOfMarkets,
  rankMarkets,
} from './market-listing.ts';
import { fundingText, type MarketRow, marketRow, priceText } from './market-rows.ts';
import { RowTable } from './row-table.ts';

/** The three tables a client can read or follow. `markets` joins the other two with 24 h statistics. */
export type MarketTopic = 'prices' | 'funding' | 'markets';

export class ConnectorMarkets {
  readonly #venue: Venue;
  readonly #clock: Clock;
  readonly #tell: (change: InstrumentsChange) => void;
  readonly #quotes = new RowTable<Quote>(priceText);
  readonly #funding = new RowTable<FundingRate>(fundingText);
  readonly #stats = new Map<string, MarketStats>();
  readonly #markets = new RowTable<MarketRow>((row) => JSON.stringify(row));
  /** Instruments whose market row is older than their quote, funding, statistics or tradeability. */
  readonly #outdated = new Set<string>();
  /**
   * Arrival time of each quote, on the monotonic clock: a venue's timestamps may run at another speed or be skewed. A
   * quote without an entry has to arrive before it counts.
   */
  readonly #receivedAt = new Map<string, number>();
  readonly #feeds = new Map<string, FeedReading>();
  readonly #feedReceivedAt = new Map<string, number>();
  #listed: readonly Instrument[] = [];
  #byId: ReadonlyMap<string, Instrument> = new Map();
  #ranking: MarketRanking | null = null;

  /** @param tell called with changes of instruments once they can be read here */
  constructor(venue: Venue, clock: Clock, tell: (change: InstrumentsChange) => void) {
    this.#venue = venue;
    this.#clock = clock;
    this.#tell = tell;
  }

  apply(update: MarketUpdate): void {
    const now = this.#clock.uptime();
    this.readInstruments();
    for (const quote of update.quotes) {
      this.#quotes.set(quote);
      this.#receivedAt.set(quote.id, now);
      this.#outdated.add(quote.id);
    }
    for (const rate of update.funding ?? []) {
      this.#funding.set(rate);
      this.#outdated.add(rate.id);
    }
    for (const stats of update.stats ?? []) {
      this.#stats.set(stats.id, stats);
      this.#outdated.add(stats.id);
    }
    for (const reading of update.feeds ?? []) {
      this.#feeds.set(reading.name, reading);
      this.#feedReceivedAt.set(reading.name, now);
    }
  }

  quote(id: string): Quote | undefined {
    return this.#quotes.get(id);
  }

  funding(id: string): FundingRate | undefined {
    return this.#funding.get(id);
  }

  stats(id: string): MarketStats | undefined {
    return this.#stats.get(id);
  }

  /** True also for an instrument without any quote. Venues repeat an unchanged quote well within `STALE_AFTER_MS`. */
  isOld(id: string): boolean {
    return this.#isOld(this.#receivedAt.get(id));
  }

  feed(name: string): FeedReading | undefined {
    return this.#feeds.get(name);
  }

  feeds(): readonly FeedReading[] {
    return [...this.#feeds.values()];
  }

  /** As `isOld`, for a feed. */
  isFeedOld(name: string): boolean {
    return this.#isOld(this.#feedReceivedAt.get(name));
  }

  /** From now on every quote and every feed counts as old until it arrives again. */
  distrust(): void {
    this.#receivedAt.clear();
    this.#feedReceivedAt.clear();
  }

  /** False after `distrust` until a new quote has arrived. */
  get isTrusted(): boolean {
    return this.#receivedAt.size > 0;
  }

  instruments(): readonly Instrument[] {
    this.readInstruments();
    return this.#listed;
  }

  instrument(id: string): Instrument | undefined {
    if (this.#byId.size === 0) this.readInstruments();
    return this.#byId.get(id);
  }

  instrumentsIn(scope: 'all' | TradeabilityStatus): readonly Instrument[] {
    const all = this.instruments();
    return scope === 'all' ? all : all.filter((instrument) => instrument.tradeability.status === scope);
  }

  json(topic: MarketTopic): string {
    return this.#table(topic).json();
  }

  jsonOf(topic: MarketTopic, ids: Iterable<string>): string {
    return this.#table(topic).jsonOf(ids);
  }

  page(filter: MarketFilter): MarketPage {
    this.#refreshMarkets();
    this.#ranking ??= rankMarkets(this.#markets.values());
    return pageOfMarkets(this.#ranking, filter);
  }

  #isOld(receivedAt: number | undefined): boolean {
    return receivedAt === undefined || this.#clock.uptime() - receivedAt > STALE_AFTER_MS;
  }

  #table(topic: MarketTopic): RowTable<Quote> | RowTable<FundingRate> | RowTable<MarketRow> {
    if (topic === 'prices') return this.#quotes;
    if (topic === 'funding') return this.#funding;
    this.#refreshMarkets();
    return this.#markets;
  }

  /**
   * Takes the venue's instruments as they are now. They change rarely (a market turns reduce-only, a rule moves), prices
   * often: compared before anything is rebuilt.
   */
  readInstruments(): void {
    const current = this.#venue.instruments();
    if (current === this.#listed) return;
    const before = this.#byId;
    this.#listed = current;
    this.#byId = new Map(current.map((instrument) => [instrument.id, instrument]));
    const changed = current.flatMap((after) => {
      const was = before.get(after.id);
      return isDeepStrictEqual(was, after) ? [] : [{ before: was, after }];
    });
    const gone = [...before.keys()].filter((id) => !this.#byId.has(id));
    for (const { after } of changed) this.#outdated.add(after.id);
    for (const id of gone) this.#forget(id);
    if (changed.length + gone.length > 0) this.#tell({ connector: this.#venue.info.id, changed, gone });
  }

  #forget(id: string): void {
    this.#quotes.delete(id);
    this.#funding.delete(id);
    this.#markets.delete(id);
    this.#stats.delete(id);
    this.#receivedAt.delete(id);
    this.#ranking = null;
  }

  #refreshMarkets(): void {
    this.readInstruments();
    if (this.#outdated.size === 0) return;
    for (const id of this.#outdated) {
      const instrument = this.#byId.get(id);
      const quote = this.#quotes.get(id);
      if (instrument === undefined || quote === undefined) continue;
      this.#markets.set(marketRow(instrument, quote, this.#funding.get(id), this.#stats.get(id)));
    }
    this.#outdated.clear();
    this.#ranking = null;
  }
}
