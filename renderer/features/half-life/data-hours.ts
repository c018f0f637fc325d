/** Time span of the data behind a pair's statistics. */
import type { PairAnalytics } from '../ratio-chart/pair-analytics.ts';

export interface DataSpan {
  readonly observations: number;
  /** Left out: the statistics are the screener's, whose observations are hourly. */
  readonly lookback?: PairAnalytics['lookback'];
}

/** Hours between two observations of a look-back, as the gateway chooses them. */
const STEP_HOURS: Readonly<Record<PairAnalytics['lookback'], number>> = {
  '24h': 1 / 12,
  '7d': 1,
  '30d': 1,
  '90d': 4,
};

/** Span in whole hours. */
export function dataHours({ observations, lookback }: DataSpan): number {
  return Math.round(observations * (lookback === undefined ? 1 : STEP_HOURS[lookback]));
}
