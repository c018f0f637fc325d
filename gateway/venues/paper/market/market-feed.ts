/** Market updates of a venue: the full state to a new listener, then changes. */
import type { FeedReading } from '../../../domain/feed.ts';
import type { FundingRate, MarketStats, Quote } from '../../../domain/model.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { MarketUpdate } from '../../../engine/ports/venue.ts';
import type { PaperMarket } from './market-types.ts';

/**
 * Ticks after which the full state is sent again: funding and statistics move slowly, and an unchanged quote must be
 * confirmed or it would count as stale.
 */
const FULL_TICKS = 20;

/** Parts that the feed leaves out, by the faults that are set. */
export interface FeedSilence {
  readonly isSilentAboutAll: boolean;
  isSilent(symbol: string): boolean;
}

interface MarketSource {
  readonly market: PaperMarket;
  /** Wall clock of a market time: listeners never see simulated time. */
  readonly wallOf: (marketAt: number) => number;
}

export class MarketFeed {
  private readonly connector: string;
  private readonly now: () => number;
  private readonly silence: FeedSilence;
  private readonly listeners = new Set<(update: MarketUpdate) => void>();
  private source: MarketSource | null = null;
  private ticks = 0;
  /** Feed readings as last sent. The market returns the same array as long as no reading has changed. */
  private toldFeeds: readonly FeedReading[] | null = null;

  constructor(connector: string, now: () => number, silence: FeedSilence) {
    this.connector = connector;
    this.now = now;
    this.silence = silence;
  }

  /** Sets the market, once it is open, and sends its full state to earlier listeners. */
  attach(source: MarketSource): void {
    this.source = source;
    this.publish(this.full());
  }

  listen(listener: (update: MarketUpdate) => void): Unsubscribe {
    // A new function each time, so that a listener that subscribes twice has two subscriptions.
    const own = (update: MarketUpdate) => listener(update);
    this.listeners.add(own);
    own(this.full());
    return () => this.listeners.delete(own);
  }

  tell(changed: readonly string[]): void {
    this.ticks += 1;
    if (this.listeners.size === 0 || this.silence.isSilentAboutAll) return;
    if (this.ticks % FULL_TICKS === 0) {
      this.publish(this.full());
      return;
    }
    const isFeedNew = this.source !== null && this.source.market.feeds() !== this.toldFeeds;
    if (changed.length === 0 && !isFeedNew) return;
    const update = { ...this.head(), quotes: this.quotes(changed) };
    this.publish(isFeedNew ? { ...update, feeds: this.feeds() } : update);
  }

  private publish(update: MarketUpdate): void {
    if (update.feeds !== undefined) this.toldFeeds = this.source?.market.feeds() ?? null;
    for (const listener of [...this.listeners]) listener(update);
  }

  private full(): MarketUpdate {
    const ids = this.source?.market.instruments.map(({ id }) => id) ?? [];
    return {
      ...this.head(),
      quotes: this.quotes(ids),
      funding: this.funding(ids),
      stats: this.stats(ids),
      feeds: this.feeds(),
    };
  }

  private head(): { readonly connector: string; readonly at: number } {
    return { connector: this.connector, at: this.now() };
  }

  private quotes(ids: readonly string[]): readonly Quote[] {
    const { source } = this;
    if (source === null) return [];
    const updatedAt = source.wallOf(source.market.at);
    return ids.flatMap((id) => {
      const quote = this.silence.isSilent(id) ? undefined : source.market.quote(id);
      return quote === undefined ? [] : [{ ...quote, updatedAt }];
    });
  }

  private funding(ids: readonly string[]): readonly FundingRate[] {
    const { source } = this;
    if (source === null) return [];
    return ids.flatMap((id) => {
      const funding = source.market.funding(id);
      return funding === undefined
        ? []
        : [{ ...funding, nextFundingTime: source.wallOf(funding.nextFundingTime) }];
    });
  }

  private feeds(): readonly FeedReading[] {
    const { source } = this;
    if (source === null) return [];
    return source.market
      .feeds()
      .map((reading) => ({ ...reading, updatedAt: source.wallOf(reading.updatedAt) }));
  }

  private stats(ids: readonly string[]): readonly MarketStats[] {
    return ids.flatMap((id) => this.source?.market.stats(id) ?? []);
  }
}
