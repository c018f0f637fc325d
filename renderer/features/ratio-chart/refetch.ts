import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';

/** Interval of reading candles, ms: short enough that a candle's final values appear soon after its end. */
export const REFETCH_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': 15_000,
  '5m': 30_000,
  '15m': 30_000,
  '30m': 60_000,
  '1h': 60_000,
  '2h': 60_000,
  '4h': 60_000,
  '12h': 300_000,
  '1d': 300_000,
  '1w': 300_000,
};
