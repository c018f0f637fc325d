/** How much time the statistics of a pair are computed from. */
import type { PairAnalytics } from '../ratio-chart/pair-analytics.ts';

export interface DataSpan {
  readonly observations: number;
  /** Left out: of the screener, whose observations are hours. */
  readonly lookback?: PairAnalytics['lookback'];
}

/** Between two observations of a look-back, hours: the gateway's own choice. */
const STEP_HOURS: Readonly<Record<PairAnalytics['lookback'], number>> = {
  '24h': 1 / 12,
  '7d': 1,
  '30d': 1,
  '90d': 4,
};

/** Whole hours. */
export function dataHours({ observations, lookback }: DataSpan): number {
  return Math.round(observations * (lookback === undefined ? 1 : STEP_HOURS[lookback]));
}
