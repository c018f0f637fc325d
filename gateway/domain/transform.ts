/**
 * Comparison of a ratio with its own past: conditions and brackets on a ratio may have a `transform`.
 * With x = ln(ratio) at the ends of the last `lookback` full hours, m its mean and s its sample standard deviation:
 *
 *   SPREAD    100 × (ln(ratio now) − m)         percent, of logarithms: how far the ratio is from its mean
 *   Z_SCORE   (ln(ratio now) − m) ÷ s           the same in standard deviations
 *
 * m and s are constant until the next hour is over. Both transforms rise with the ratio, so within an hour their level
 * is a level of the ratio, `exp(m + s × level)`, and is watched as one. Statistics, not money: floats, 12 figures kept.
 */
import type { DecimalString } from './decimal.ts';
import { figures } from './figures.ts';
import type { Transformation, TransformKind } from './metrics.ts';

/** Figures of one window. */
export interface WindowFigures {
  /** End of the window's last hour, epoch ms. */
  readonly until: number;
  /** Hours of the window at whose end every leg had a price; the others are left out. */
  readonly observations: number;
  /** Mean of ln(ratio). */
  readonly mean: number;
  /** Sample standard deviation of ln(ratio); 0 for a ratio that stood still. */
  readonly deviation: number;
}

/** A deviation below this is rounding errors of a constant ratio. */
const STANDS_STILL = 1e-12;

/** Hours that have to be there: at least half of the lookback, so that a window with gaps is still one. */
export function neededHours(lookback: number): number {
  return Math.ceil(lookback / 2);
}

/** @param logs ln(ratio) at the ends of the hours that are known, in any order */
export function windowFigures(logs: readonly number[], until: number): WindowFigures {
  const count = logs.length;
  const mean = logs.reduce((total, log) => total + log, 0) / Math.max(1, count);
  const squares = logs.reduce((total, log) => total + (log - mean) ** 2, 0);
  const deviation = count < 2 ? 0 : Math.sqrt(squares / (count - 1));
  return { until, observations: count, mean, deviation: deviation > STANDS_STILL ? deviation : 0 };
}

/** True: the window has enough hours, and a deviation where one is needed. */
export function isDefined(transform: TransformKind, lookback: number, window: WindowFigures): boolean {
  if (window.observations < neededHours(lookback)) return false;
  return transform === 'SPREAD' || window.deviation > 0;
}

/** The ratio at which the transform has `level`; null: no such ratio can be written (levels far beyond any market). */
export function ratioLevel(
  transform: TransformKind,
  level: DecimalString,
  { mean, deviation }: WindowFigures,
): DecimalString | null {
  const ratio = Math.exp(mean + Number(level) * (transform === 'SPREAD' ? 0.01 : deviation));
  return ratio > 1e-18 && ratio < 1e20 ? figures(ratio) : null;
}

/** The transform of a ratio. */
export function transformed(
  transform: TransformKind,
  ratio: DecimalString,
  { mean, deviation }: WindowFigures,
): DecimalString {
  const apart = Math.log(Number(ratio)) - mean;
  return figures(transform === 'SPREAD' ? 100 * apart : apart / deviation);
}

/** Terms of a condition or bracket besides its direction; null: the ratio itself. */
export interface TransformTerms {
  readonly transform: TransformKind;
  readonly lookback: number;
  /** In the transform's unit. */
  readonly level: DecimalString;
}

export function transformTerms(
  asked: Transformation & { readonly value: DecimalString },
): TransformTerms | null {
  const { transform, lookback, value } = asked;
  return transform === undefined || lookback === undefined ? null : { transform, lookback, level: value };
}
