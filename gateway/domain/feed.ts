/** Figures that a connector publishes beside its instruments: Bitcoin dominance, prediction markets. All in percent. */
import type { DecimalString } from './decimal.ts';

/** Bitcoin's share of the capitalisation of the whole market, as a feed's name. */
export const BTC_DOMINANCE = 'btc_dominance';

/** A question with a traded outcome; `source` is the platform that trades it, `marketKey` its name there. */
export interface PredictionMarket {
  readonly source: string;
  readonly marketKey: string;
  readonly question: string;
}

export interface FeedReading {
  /** `BTC_DOMINANCE`, or a name made by `predictionFeed`; unique within a connector. */
  readonly name: string;
  /** Percent, 0–100: the dominance, or the probability that the answer is yes. */
  readonly value: DecimalString;
  readonly updatedAt: number;
  /** The feed's prediction market; null where the feed is no prediction market. */
  readonly prediction: PredictionMarket | null;
}

/**
 * Feed name of a prediction market: JSON, so that no two pairs share a name, whatever characters they hold.
 */
export function predictionFeed(source: string, marketKey: string): string {
  return `prediction:${JSON.stringify([source, marketKey])}`;
}
