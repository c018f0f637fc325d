/** Copy of a remote venue's market, made of its updates, so that a new listener gets the full state at once. */
import type { FeedReading } from '../../../domain/feed.ts';
import type { FundingRate, MarketStats, Quote } from '../../../domain/model.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { MarketUpdate } from '../../../engine/ports/venue.ts';

export class MarketMirror {
  private readonly connector: string;
  private readonly quotes = new Map<string, Quote>();
  private readonly funding = new Map<string, FundingRate>();
  private readonly stats = new Map<string, MarketStats>();
  private readonly feeds = new Map<string, FeedReading>();
  private readonly listeners = new Set<(update: MarketUpdate) => void>();
  private at = 0;

  constructor(connector: string) {
    this.connector = connector;
  }

  take(update: MarketUpdate): void {
    this.at = update.at;
    for (const quote of update.quotes) this.quotes.set(quote.id, quote);
    for (const rate of update.funding ?? []) this.funding.set(rate.id, rate);
    for (const stats of update.stats ?? []) this.stats.set(stats.id, stats);
    for (const reading of update.feeds ?? []) this.feeds.set(reading.name, reading);
    for (const listener of [...this.listeners]) listener(update);
  }

  listen(listener: (update: MarketUpdate) => void): Unsubscribe {
    const own = (update: MarketUpdate) => listener(update);
    this.listeners.add(own);
    own({
      connector: this.connector,
      at: this.at,
      quotes: [...this.quotes.values()],
      funding: [...this.funding.values()],
      stats: [...this.stats.values()],
      feeds: [...this.feeds.values()],
    });
    return () => this.listeners.delete(own);
  }
}
