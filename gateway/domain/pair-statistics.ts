/**
 * Statistics of two instruments' joint movement, from closing prices at the same moments, oldest first. Floats, because
 * they are no money. null: the data does not define the figure.
 *
 *   returns       r_t = ln(P_t ÷ P_t−1)
 *   correlation   ρ = Σ(x − x̄)(y − ȳ) ÷ √(Σ(x − x̄)² Σ(y − ȳ)²)                       Pearson, of the returns
 *   beta          β = Σ(x − x̄)(y − ȳ) ÷ Σ(x − x̄)², y long, x short                   Sharpe's market model (1963)
 *   hedge ratio   h, with intercept c: least squares of ln(long) = c + h·ln(short) + e    Engle and Granger (1987), step 1
 *   spread        e_t = ln(long_t) − c − h·ln(short_t)
 *   z-score       e_T ÷ s(e), s the sample standard deviation (the mean of e is 0)
 *   half-life     ln 2 ÷ −ln(1 + λ), from Δe_t = a + λ·e_t−1 + u_t: the time after which an AR(1) process keeps half of a
 *                 deviation; defined for −1 < λ < 0.                                     E. P. Chan, Algorithmic Trading (2013), ch. 2
 *
 * A constant price has no spread: a regression on it, or of it, would fit rounding errors. The beta of a constant long
 * price is exactly 0.
 */
import { type EngleGranger, engleGranger } from './engle-granger.ts';
import type { HALF_LIFE_GAPS, PAIR_GAPS } from './enumerations.ts';
import { leastSquares } from './least-squares.ts';

/** Smallest number of common moments from which figures are computed. */
export const MIN_PAIR_OBSERVATIONS = 30;

/** Reasons why figures are null. */
export type PairGap = (typeof PAIR_GAPS)[number];
/**
 * Why there is no half-life: λ ≥ 0 (no reversion), or λ ≤ −1 (each deviation is followed by its mirror or a larger
 * one).
 */
export type HalfLifeGap = (typeof HALF_LIFE_GAPS)[number];

export interface PairStatistics {
  readonly observations: number;
  /** Why figures are null; null: no figure is missing except those that `halfLifeGap` explains. */
  readonly gap: PairGap | null;
  readonly halfLifeGap: HalfLifeGap | null;
  readonly correlation: number | null;
  readonly beta: number | null;
  readonly hedgeRatio: number | null;
  /** Intercept c of the hedge regression. */
  readonly intercept: number | null;
  readonly spread: readonly number[];
  /** Sample standard deviation of the spread. */
  readonly spreadDeviation: number | null;
  readonly zScore: number | null;
  /** Half-life in observations. */
  readonly halfLife: number | null;
  readonly cointegration: EngleGranger | null;
}

/** Statistics of two equally long lists of prices > 0; null with fewer than `MIN_PAIR_OBSERVATIONS`. */
export function pairStatistics(long: readonly number[], short: readonly number[]): PairStatistics | null {
  const observations = Math.min(long.length, short.length);
  if (observations < MIN_PAIR_OBSERVATIONS) return null;
  const y = long.map(Math.log);
  const x = short.map(Math.log);
  const constant = isConstant(y) ? 'LONG_CONSTANT' : isConstant(x) ? 'SHORT_CONSTANT' : null;
  const returns = comovement(differences(x), differences(y));
  if (constant !== null) return withoutSpread(observations, constant, returns);
  const hedge = leastSquares(
    y,
    x.map((value) => [1, value]),
  );
  const spread = hedge?.residuals ?? [];
  const deviation = hedge === null ? null : sampleDeviation(spread);
  const reversion = deviation === null ? NO_REVERSION : meanReversion(spread);
  return {
    observations,
    gap: deviation === null ? 'NO_SPREAD' : null,
    ...reversion,
    ...returns,
    intercept: hedge?.coefficients[0] ?? null,
    hedgeRatio: hedge?.coefficients[1] ?? null,
    spread,
    spreadDeviation: deviation,
    zScore: deviation === null ? null : (spread.at(-1) ?? 0) / deviation,
    cointegration: deviation === null ? null : engleGranger(spread),
  };
}

function withoutSpread(
  observations: number,
  gap: PairGap,
  returns: Pick<PairStatistics, 'correlation' | 'beta'>,
): PairStatistics {
  return {
    observations,
    gap,
    ...NO_REVERSION,
    ...returns,
    hedgeRatio: null,
    intercept: null,
    spread: [],
    spreadDeviation: null,
    zScore: null,
    cointegration: null,
  };
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/** Correlation of x and y (of one length), and the slope of the least squares line of y on x; null where undefined. */
export function comovement(x: readonly number[], y: readonly number[]) {
  const meanX = mean(x);
  const meanY = mean(y);
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [index, value] of x.entries()) {
    const dx = value - meanX;
    const dy = (y[index] ?? 0) - meanY;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return {
    correlation: xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null,
    beta: xx > 0 ? xy / xx : null,
  };
}

type MeanReversion = Pick<PairStatistics, 'halfLife' | 'halfLifeGap'>;
const NO_REVERSION: MeanReversion = { halfLife: null, halfLifeGap: null };

function meanReversion(spread: readonly number[]): MeanReversion {
  const fit = leastSquares(
    differences(spread),
    spread.slice(0, -1).map((value) => [1, value]),
  );
  const lambda = fit?.coefficients[1];
  if (lambda === undefined) return NO_REVERSION;
  if (lambda >= 0) return { halfLife: null, halfLifeGap: 'DOES_NOT_REVERT' };
  if (lambda <= -1) return { halfLife: null, halfLifeGap: 'OSCILLATES' };
  return { halfLife: Math.LN2 / -Math.log1p(lambda), halfLifeGap: null };
}

export function differences(values: readonly number[]): readonly number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? value));
}

function sampleDeviation(values: readonly number[]): number | null {
  const center = mean(values);
  const squares = values.reduce((total, value) => total + (value - center) ** 2, 0);
  const deviation = Math.sqrt(squares / (values.length - 1));
  // The residuals of two series that are multiples of each other are rounding errors, not a spread.
  return deviation > 1e-12 ? deviation : null;
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
