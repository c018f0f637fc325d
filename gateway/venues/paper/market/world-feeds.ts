/**
 * Feeds of a paper venue beside its instruments: Bitcoin dominance and prediction markets, renewed once a second of
 * market time. Readings become text only when they are read.
 */
import { BTC_DOMINANCE, type FeedReading, predictionFeed } from '../../../domain/feed.ts';
import { Dominance } from './dominance.ts';
import { PREDICTION_MARKETS, PredictionProcess } from './prediction-process.ts';
import { unitsText } from './price-grid.ts';

export interface FeedState {
  /** Market time of the readings. */
  readonly at: number;
  /** Bitcoin dominance in per cent. */
  readonly dominance: number;
  readonly logOdds: readonly number[];
}

/** How many log odds a `FeedState` holds. */
export const PREDICTION_COUNT = PREDICTION_MARKETS.length;

/** Dominance moves by hundredths of a per cent, probabilities by tenths. */
const DOMINANCE_PLACES = 4;
const PROBABILITY_PLACES = 2;

const NAMES = PREDICTION_MARKETS.map(({ source, marketKey }) => predictionFeed(source, marketKey));

export class WorldFeeds {
  private readonly share: Dominance;
  private readonly predictions: PredictionProcess;
  private at: number;
  private dominance: number;
  private known: readonly FeedReading[] | null = null;

  /** @param logPrice log index prices of the tickers as of `at`, the market time of the first readings */
  constructor(tickers: readonly string[], seed: number, at: number, logPrice: Float64Array) {
    this.share = new Dominance(tickers);
    this.predictions = new PredictionProcess(seed);
    this.at = at;
    this.dominance = this.share.percent(logPrice);
  }

  /** Moves the feeds over the second that ends at `at`. */
  second(at: number, logPrice: Float64Array): void {
    this.predictions.second(at);
    this.renew(at, logPrice);
  }

  jump(from: number, to: number, logPrice: Float64Array): void {
    this.predictions.jump(from, to);
    this.renew(to, logPrice);
  }

  /** Renews the readings; also called after a shock to index prices. */
  renew(at: number, logPrice: Float64Array): void {
    this.at = at;
    this.dominance = this.share.percent(logPrice);
    this.known = null;
  }

  /** Multiplies the odds of a prediction market; false: `name` is not a prediction market. */
  shock(name: string, factor: number, at: number, logPrice: Float64Array): boolean {
    const i = NAMES.indexOf(name);
    if (i < 0) return false;
    this.predictions.shock(i, factor);
    this.renew(at, logPrice);
    return true;
  }

  /** Dominance first; the same array until a reading is renewed. `updatedAt` is market time. */
  readings(): readonly FeedReading[] {
    this.known ??= [
      {
        name: BTC_DOMINANCE,
        value: percentText(this.dominance, DOMINANCE_PLACES),
        updatedAt: this.at,
        prediction: null,
      },
      ...PREDICTION_MARKETS.map((prediction, i) => ({
        name: NAMES[i] ?? '',
        value: percentText(this.predictions.percent(i), PROBABILITY_PLACES),
        updatedAt: this.at,
        prediction,
      })),
    ];
    return this.known;
  }

  state(): FeedState {
    return { at: this.at, dominance: this.dominance, logOdds: this.predictions.state() };
  }

  /** @param state null: a snapshot of an earlier version, without feeds, which then begin at `at` */
  restore(seed: number, state: FeedState | null, at: number, logPrice: Float64Array): void {
    this.predictions.restore(seed, state?.logOdds ?? null);
    this.at = state?.at ?? at;
    this.dominance = state?.dominance ?? this.share.percent(logPrice);
    this.known = null;
  }
}

function percentText(percent: number, places: number): string {
  return unitsText(Math.round(percent * 10 ** places), places);
}
