/**
 * Types of the paper market for the paper exchange. Prices are quantised decimal strings; the float process never
 * leaves the market.
 */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { FeedReading } from '../../../domain/feed.ts';
import type { FundingRate, Instrument, MarketStats, Quote, Side } from '../../../domain/model.ts';
import type { Settlement } from './settlement-log.ts';

export type PaperProfileName = 'realistic' | 'frictionless' | 'thin' | 'brutal';

/** Latency, liquidity and fees of the simulated venue. */
export interface PaperProfile {
  readonly name: PaperProfileName;
  /** Order latency, ms: lowest and highest of a seeded uniform draw. */
  readonly latencyMs: readonly [number, number];
  /** Depth multiplier of every book; 1 = calibrated. */
  readonly depth: number;
  /** Half-spread multiplier; 0 = bid and ask one tick apart around the mid. */
  readonly spread: number;
  /** Multiplier of the connector's fees. */
  readonly fees: number;
  /** Probability that a batch is delayed by up to 2 s. */
  readonly slowProbability: number;
}

export interface BookLevel {
  readonly price: DecimalString;
  readonly quantity: DecimalString;
}
export type BookTrade = BookLevel;

export interface PaperMarket {
  readonly connector: string;
  readonly instruments: readonly Instrument[];
  /** Milliseconds of market time a step takes. */
  readonly stepMs: number;
  /** Market time (epoch ms) of the current state: the last whole step. */
  readonly at: number;
  /** Advances the process to `now` (epoch ms, market time); deterministic in (seed, steps, takes). Returns ids whose quote changed. */
  advanceTo(now: number): readonly string[];
  quote(id: string): Quote | undefined;
  funding(id: string): FundingRate | undefined;
  stats(id: string): MarketStats | undefined;
  /** Dominance and prediction markets; `updatedAt` is market time. The same array until one of them is renewed. */
  feeds(): readonly FeedReading[];
  /** Funding rates settled at boundaries in (after, upTo], oldest first. */
  settlements(after: number, upTo: number): readonly Settlement[];
  /** Levels of one side, best first. `BUY` = bids. */
  levels(id: string, side: Side, count: number): readonly BookLevel[];
  /**
   * Consumes liquidity for a taker order of `side`, best price first, never worse than `limit`, never more than the
   * book has. Consumed depth refills over later steps.
   */
  take(id: string, side: Side, quantity: DecimalString, limit: DecimalString): readonly BookTrade[];
  /** Fills of `take` if it came now, and the depth as far as `limit`; consumes nothing. */
  preview(id: string, side: Side, quantity: DecimalString, limit: DecimalString): BookPreview;
  /**
   * Multiplies the price level of one instrument (tests, crash scenarios), 0.5 = halves it, or the odds of a prediction
   * market, by its feed's name. Recorded as an input of the process.
   */
  shock(id: string, factor: number): void;
  /** Process state for a snapshot, JSON text, and back: a market restored from it continues identically. */
  snapshot(): string;
  restore(state: string): void;
}
