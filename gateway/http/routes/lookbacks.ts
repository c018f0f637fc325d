/** Lookbacks of statistics: how far back, and the time between two observations. */
import { INTERVAL_MS } from '../../domain/candle-intervals.ts';

const HOUR_MS = 3_600_000;

export const LOOKBACKS = {
  '24h': { every: '5m', ms: 24 * HOUR_MS },
  '7d': { every: '1h', ms: 7 * 24 * HOUR_MS },
  '30d': { every: '1h', ms: 30 * 24 * HOUR_MS },
  '90d': { every: '4h', ms: 90 * 24 * HOUR_MS },
} as const;

/** Time between two observations of a lookback, ms. */
export function stepMs(lookback: keyof typeof LOOKBACKS): number {
  return INTERVAL_MS[LOOKBACKS[lookback].every];
}
