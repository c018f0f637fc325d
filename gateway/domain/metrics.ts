/**
 * Metrics of levels, by the names that notifications use. Data alone: contract and dashboard read the table too.
 */

export type Unit = 'USD' | 'PERCENT' | 'RATIO';

export const METRICS = {
  price: { name: 'price', unit: 'USD' },
  ratio: { name: 'weighted ratio', unit: 'RATIO' },
  price_ratio: { name: 'price ratio', unit: 'RATIO' },
  pnl_pct: { name: 'PnL', unit: 'PERCENT' },
  pnl_usd: { name: 'PnL', unit: 'USD' },
  position_value: { name: 'position value', unit: 'USD' },
  btc_dominance: { name: 'Bitcoin dominance', unit: 'PERCENT' },
  probability: { name: 'probability', unit: 'PERCENT' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly unit: Unit }>>;

export type Metric = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];

/** Unit written after a figure; empty for a ratio. */
export const UNIT_SIGNS = { USD: 'USD', PERCENT: '%', RATIO: '' } as const satisfies Readonly<
  Record<Unit, string>
>;
