/**
 * Kinds of condition that a trigger can wait for, a row each: the compared value and its unit, the fields of a request,
 * the baskets that it fits, the feed of the connector, and the wording. Contract, engine and dashboard read this table;
 * browsers load it, so it imports nothing that computes. To add a row: `docs/contributing/add-a-condition.md`.
 */
import type { DecimalString } from './decimal.ts';
import { BTC_DOMINANCE, predictionFeed } from './feed.ts';
import type { Direction, Measure, PriceSource } from './measure.ts';
import { METRICS, type Metric, TRANSFORM_METRICS, type Transformation, type Unit } from './metrics.ts';
import { priceMeasure, priceRatioMeasure, type WeightedLeg, weightedRatioMeasure } from './power-measures.ts';

/** Fields of a condition besides its direction and level, by kind. */
export interface NamedThings {
  readonly nothing: unknown;
  /** Nothing, or how the ratio of the legs is compared with its own past. */
  readonly ratio: Transformation;
  /** Symbol of one of the legs. */
  readonly leg: { readonly symbol: string };
  /** Symbol of any instrument of the connector. */
  readonly instrument: { readonly symbol: string };
  readonly prediction: { readonly source: string; readonly marketKey: string };
}

/** A figure that only some connectors publish. */
export interface ConditionFeed {
  /** Capability of the connectors that publish the figure. */
  readonly capability: 'btc_dominance' | 'prediction_markets';
  readonly name: string;
  /** Name of one of several figures, and the field that chooses it; null: there is only one figure. */
  readonly choice: { readonly name: string; readonly path: string } | null;
}

interface Row<Names extends keyof NamedThings> {
  /** Description for the contract. */
  readonly description: string;
  /** Name in a menu. */
  readonly name: string;
  readonly names: Names;
  /** Metric by which notifications name the compared value; the level is in the metric's unit. */
  readonly metric: Metric;
  /** `pair`: one long and one short leg, no other. */
  readonly legs: 'any' | 'pair';
  /** Feed that the condition reads; null: it reads prices alone. */
  readonly feed: ConditionFeed | null;
  /** Chart of the basket that shows the compared value; null: no chart shows it. */
  readonly chart: 'PRICE' | 'PRICE_RATIO' | 'WEIGHTED_RATIO' | null;
  /** Measure that is compared with the level; null where the legs do not fit. */
  readonly measure: (
    named: NamedThings[Names],
    legs: readonly WeightedLeg[],
    source: PriceSource,
  ) => Measure | null;
  /** Compared value, in words. */
  readonly text: (named: NamedThings[Names], tickerOf: (symbol: string) => string) => string;
}

function row<Names extends keyof NamedThings>(columns: Row<Names>): Row<Names> {
  return columns;
}

/** Weights are those of the moment when the trigger was made: were they to move with prices, the level would move too. */
const TABLE = {
  PRICE: row({
    description: "The price of one of the basket's legs",
    name: 'Price of a leg',
    names: 'leg',
    metric: 'price',
    legs: 'any',
    feed: null,
    chart: 'PRICE',
    measure: ({ symbol }, legs, source) =>
      legs.some((leg) => leg.symbol === symbol) ? priceMeasure(symbol, source) : null,
    text: ({ symbol }, tickerOf) => `${tickerOf(symbol)} price`,
  }),
  PRICE_RATIO: row({
    description:
      'Long price ÷ short price of a basket with exactly one of each. Charts (`GET /candles/basket`) draw a ratio of that name for larger baskets too, of geometric means; a trigger on such a basket watches `WEIGHTED_RATIO`',
    name: 'Price ratio',
    names: 'ratio',
    metric: 'price_ratio',
    legs: 'pair',
    feed: null,
    chart: 'PRICE_RATIO',
    measure: (_, legs, source) => priceRatioMeasure(legs, source),
    text: () => 'Price ratio',
  }),
  WEIGHTED_RATIO: row({
    description: "The basket's weightRatio",
    name: 'Weighted ratio',
    names: 'ratio',
    metric: 'ratio',
    legs: 'any',
    feed: null,
    chart: 'WEIGHTED_RATIO',
    measure: (_, legs, source) => weightedRatioMeasure(legs, source),
    text: () => 'Weighted ratio',
  }),
  CROSS_ASSET_PRICE: row({
    description: 'The price of any instrument of the connector',
    name: 'Price of another instrument',
    names: 'instrument',
    metric: 'price',
    legs: 'any',
    feed: null,
    chart: 'PRICE',
    measure: ({ symbol }, _, source) => priceMeasure(symbol, source),
    text: ({ symbol }, tickerOf) => `${tickerOf(symbol)} price`,
  }),
  BTC_DOM: row({
    description: 'Bitcoin dominance in percent',
    name: 'Bitcoin dominance',
    names: 'nothing',
    metric: 'btc_dominance',
    legs: 'any',
    feed: { capability: 'btc_dominance', name: 'Bitcoin dominance', choice: null },
    chart: null,
    measure: () => ({ kind: 'figure', name: BTC_DOMINANCE }),
    text: () => 'BTC dominance',
  }),
  PREDICTION_MARKET_OUTCOME: row({
    description: "Probability of a prediction market's outcome in percent",
    name: 'Prediction market',
    names: 'prediction',
    metric: 'probability',
    legs: 'any',
    feed: {
      capability: 'prediction_markets',
      name: 'prediction markets',
      choice: { name: 'prediction market', path: 'condition.marketKey' },
    },
    chart: null,
    measure: ({ source, marketKey }) => ({ kind: 'figure', name: predictionFeed(source, marketKey) }),
    text: ({ marketKey }) => `Outcome “${marketKey}”`,
  }),
} as const;

export type ConditionType = keyof typeof TABLE;

type NamesOf = { readonly [Type in ConditionType]: (typeof TABLE)[Type]['names'] };

/**
 * Conditions compare strictly: `MORE_THAN` holds at > value, `LESS_THAN` at < value; neither holds at the value itself.
 * `value` is in the unit of the row's metric, percent as 0–100.
 */
export type ConditionOf<Type extends ConditionType> = {
  [One in Type]: {
    readonly type: One;
    readonly direction: Direction;
    readonly value: DecimalString;
  } & NamedThings[NamesOf[One]];
}[Type];

export type Condition = ConditionOf<ConditionType>;

export const CONDITIONS: { readonly [Type in ConditionType]: Row<NamesOf[Type]> } = TABLE;

/** Measure that the condition compares; null where the legs do not fit. */
export function measureOf<Type extends ConditionType>(
  condition: ConditionOf<Type>,
  legs: readonly WeightedLeg[],
  source: PriceSource,
): Measure | null {
  return CONDITIONS[condition.type].measure(condition, legs, source);
}

/** Metric of a condition's level: the transform's where one is asked for. */
export function conditionMetric({
  type,
  transform,
}: { readonly type: ConditionType } & Transformation): Metric {
  return transform === undefined ? CONDITIONS[type].metric : TRANSFORM_METRICS[transform];
}

/** Unit of a condition's level. */
export function conditionUnit(condition: { readonly type: ConditionType } & Transformation): Unit {
  return METRICS[conditionMetric(condition)].unit;
}

/** Why the legs do not fit the condition, and the field of the condition at fault; null: the legs fit. */
export function misfit(
  condition: { readonly type: ConditionType; readonly symbol?: string | undefined },
  legs: readonly { readonly symbol: string; readonly side: string }[],
): { readonly field: 'symbol' | 'type'; readonly message: string } | null {
  const { type, symbol } = condition;
  const row = CONDITIONS[type];
  if (row.names === 'leg' && !legs.some((leg) => leg.symbol === symbol)) {
    return { field: 'symbol', message: 'Must be one of the legs' };
  }
  if (row.legs === 'pair' && !isPair(legs)) {
    return { field: 'type', message: `${type} needs exactly one long and one short leg` };
  }
  return null;
}

export function isPair(legs: readonly { readonly side: string }[]): boolean {
  const longs = legs.filter(({ side }) => side === 'BUY').length;
  return longs === 1 && legs.length === 2;
}

/** Long alone, or short alone: the price of such a basket is no ratio. */
export function isOneSided(legs: readonly { readonly side: string }[]): boolean {
  return legs.every(({ side }) => side === legs[0]?.side);
}

/** Value that the condition compares, in words: `BTC price`, `Price ratio`, `Z-score of the price ratio (240 h)`. */
export function measureText<Type extends ConditionType>(
  condition: ConditionOf<Type> & Transformation,
  tickerOf: (symbol: string) => string,
): string {
  return transformText(condition, CONDITIONS[condition.type].text(condition, tickerOf));
}

/** Name of the compared value, with its transform if there is one: `Z-score of the price ratio (240 h)`. */
export function transformText({ transform, lookback }: Transformation, measure: string): string {
  if (transform === undefined || lookback === undefined) return measure;
  const name = transform === 'Z_SCORE' ? 'Z-score' : 'Spread';
  return `${name} of the ${measure[0]?.toLowerCase()}${measure.slice(1)} (${lookback} h)`;
}
