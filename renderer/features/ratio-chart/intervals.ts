/** Lengths of a chart's candles. */
export const INTERVALS = (['1m', '5m', '1h', '1d'] as const).map((value) => ({ value, label: value }));
export type CandleInterval = (typeof INTERVALS)[number]['value'];

export const CANDLE_SECONDS: Readonly<Record<CandleInterval, number>> = {
  '1m': 60,
  '5m': 300,
  '1h': 3_600,
  '1d': 86_400,
};
