/** Prices, funding, feeds and candles of all venues together. The adapter is market/. */
import type { Candle } from '../../domain/candle.ts';
import type { CandleInterval, RecordedInterval } from '../../domain/candle-intervals.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import type { FeedReading } from '../../domain/feed.ts';
import type { FundingRate, Instrument, MarketStats, Quote } from '../../domain/model.ts';
import type { Unsubscribe } from './system.ts';

/**
 * One update from one connector, published after the market data was updated. Unchanged values are repeated from time
 * to time.
 */
export interface MarketTick {
  readonly connector: string;
  readonly at: number;
  readonly quotes: readonly Quote[];
  readonly funding: readonly FundingRate[];
  readonly stats: readonly MarketStats[];
  readonly feeds: readonly FeedReading[];
}

/** Instruments of one connector that are new, changed, or no longer listed. */
export interface InstrumentsChange {
  readonly connector: string;
  /** `before` is undefined for a new instrument. */
  readonly changed: readonly { readonly before: Instrument | undefined; readonly after: Instrument }[];
  /** Ids of instruments no longer listed. */
  readonly gone: readonly string[];
}

export interface MarketData {
  instrument(connector: string, id: string): Instrument | undefined;
  instruments(connector: string): readonly Instrument[];
  quote(connector: string, id: string): Quote | undefined;
  funding(connector: string, id: string): FundingRate | undefined;
  /** True when the quote is older than the stale limit or the connector is DOWN. */
  isStale(connector: string, id: string): boolean;
  /**
   * `name` as in domain/feed.ts (such as a prediction market); undefined: the connector has no such feed, or has not
   * sent it yet.
   */
  feed(connector: string, name: string): FeedReading | undefined;
  /** Feeds in the order in which the venue first named them. */
  feeds(connector: string): readonly FeedReading[];
  /** Like `isStale`, for a feed. */
  isFeedStale(connector: string, name: string): boolean;
  /** Calls `listener` synchronously, after the instruments have been updated. */
  onInstruments(listener: (change: InstrumentsChange) => void): Unsubscribe;
  /** Calls `listener` synchronously, once a connector's new values can be read. Without a listener no tick is made. */
  onTick(listener: (tick: MarketTick) => void): Unsubscribe;
}

/**
 * Candles of mark prices. They are recorded; for simulated venues, unrecorded times are filled with generated
 * candles.
 */
export interface CandleHistory {
  /**
   * Candles that begin in [from, to), oldest first; intervals without a candle are left out. The last one may still
   * be running.
   */
  candles(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]>;
  /**
   * Closing prices of several instruments at the same times, one `every` apart, oldest first, in the order of
   * `symbols`. `at` is the end of an interval. Only ended intervals in (from, to] at which all instruments have a
   * price.
   */
  closes(request: ClosesRequest): Promise<readonly ClosingPrices[]>;
}

export interface ClosesRequest {
  readonly connector: string;
  readonly symbols: readonly string[];
  readonly every: CandleInterval;
  readonly from: number;
  readonly to: number;
}

export interface ClosingPrices {
  readonly at: number;
  readonly prices: readonly DecimalString[];
}

export interface CandleSeries {
  readonly connector: string;
  readonly interval: CandleInterval;
  /** Instrument ID. */
  readonly symbol: string;
}

/** A series of an interval that is recorded. */
export interface RecordedSeries extends CandleSeries {
  readonly interval: RecordedInterval;
}
