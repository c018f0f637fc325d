/**
 * Names and explanations of the two z-scores and the two spreads, which must never share a name. Triggers, alerts and
 * brackets compare the ratio itself; the header, the screener and a pair's tabs show its spread by the hedge ratio.
 */
import type { TransformKind } from '../../../gateway/domain/metrics.ts';

export const SPREAD = 'Spread %';
export const SPREAD_Z = 'Spread z';
export const RATIO_Z = 'Ratio z';

export const WHY_SPREAD =
  'Long price against short price by their hedge ratio, in percent from the mean. What triggers compare is another, of the ratio itself';
export const WHY_SPREAD_Z =
  'The spread by the hedge ratio, in its standard deviations from the mean. What triggers compare is another, Ratio z';
export const WHY_RATIO_Z =
  'The logarithm of the ratio against its mean over the hours looked back on, in its standard deviations: what a trigger, an alert or a bracket on a z-score compares';

/** Names of the compared figure, beside the typed level. */
export const TRANSFORM_NAMES = {
  Z_SCORE: RATIO_Z,
  SPREAD: 'Ratio spread',
} as const satisfies Readonly<Record<TransformKind, string>>;
export const TRANSFORM_HELP = {
  Z_SCORE: 'Standard deviations from the mean of its logarithm, computed anew at each full hour',
  SPREAD: 'Percent from the mean of its logarithm, computed anew at each full hour',
} as const satisfies Readonly<Record<TransformKind, string>>;
