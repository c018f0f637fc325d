/**
 * Metrics of levels, by the names that notifications use. Data alone: contract and dashboard read the table too.
 */

export type Unit = 'USD' | 'PERCENT' | 'RATIO';

export const METRICS = {
  price: { name: 'price', unit: 'USD' },
  ratio: { name: 'weighted ratio', unit: 'RATIO' },
  price_ratio: { name: 'price ratio', unit: 'RATIO' },
  z_score: { name: 'z-score of the ratio', unit: 'RATIO' },
  spread: { name: 'spread of the ratio', unit: 'PERCENT' },
  pnl_pct: { name: 'PnL', unit: 'PERCENT' },
  pnl_usd: { name: 'PnL', unit: 'USD' },
  position_value: { name: 'position value', unit: 'USD' },
  btc_dominance: { name: 'Bitcoin dominance', unit: 'PERCENT' },
  probability: { name: 'probability', unit: 'PERCENT' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly unit: Unit }>>;

export type Metric = keyof typeof METRICS;

/** Comparisons of a ratio with its own past (`transform.ts`), and the metric that results. */
export const TRANSFORM_METRICS = { Z_SCORE: 'z_score', SPREAD: 'spread' } as const satisfies Readonly<
  Record<string, Metric>
>;
export type TransformKind = keyof typeof TRANSFORM_METRICS;

/** Fewest and most full hours that a transform looks back on; hourly candles are kept for 91 days. */
export const LOOKBACK_HOURS = { least: 24, most: 2_160 } as const;

/** Transform of a condition or a bracket on a ratio; both fields or neither. */
export interface Transformation {
  readonly transform?: TransformKind | undefined;
  /** Hours. */
  readonly lookback?: number | undefined;
}

/**
 * Name of a level's metric inside a sentence: `ETH price`, `z-score of the ratio (24 h)`.
 * @param instrument of the price, if one is named @param lookback hours; unknown in notifications of older versions
 */
export function metricText(
  metric: Metric,
  instrument: string | undefined,
  lookback: number | undefined,
): string {
  const { name } = METRICS[metric];
  const whole = lookback === undefined ? name : `${name} (${lookback} h)`;
  return instrument === undefined ? whole : `${instrument} ${whole}`;
}

/** True where the level is of the basket; false: of one instrument, or of the market as a whole. */
export function isOfBasket(metric: Metric): boolean {
  return metric !== 'price' && metric !== 'btc_dominance' && metric !== 'probability';
}

export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];

/** Unit written after a figure; empty for a ratio. */
export const UNIT_SIGNS = { USD: 'USD', PERCENT: '%', RATIO: '' } as const satisfies Readonly<
  Record<Unit, string>
>;
