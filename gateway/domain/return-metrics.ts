/**
 * Risk metrics of a series of daily returns. Returns are fractions (0.01 = 1 %) of each day's equity at its start;
 * risk-free rate 0; a year has 365 trading days. These are statistics, not money, so they are floats.
 *
 * A metric that the data do not define (too few days, a divisor of 0) is null.
 */
import { type Moments, momentsOf, rollingMoments, sampleDeviation } from './moments.ts';

/** √ of the trading days of a year. */
const ANNUAL = Math.sqrt(365);
/** Smallest number of days: with fewer, the 5 % tail holds less than one day. */
const MIN_TAIL_DAYS = 20;
const TAIL = 0.05;

/** Sample standard deviation × √365. */
export function volatility(returns: Moments): number | null {
  const deviation = sampleDeviation(returns);
  return deviation === null ? null : deviation * ANNUAL;
}

/** Mean ÷ sample deviation × √365. W. F. Sharpe, The Sharpe Ratio, Journal of Portfolio Management 21 (1994). */
export function sharpe(returns: Moments): number | null {
  const deviation = sampleDeviation(returns);
  return deviation === null || deviation === 0 ? null : (returns.mean / deviation) * ANNUAL;
}

/**
 * Mean ÷ downside deviation × √365, downside deviation = √(Σ min(r, 0)² ÷ n) over all n days, target 0.
 * F. Sortino and L. Price, Performance Measurement in a Downside Risk Framework, Journal of Investing 3 (1994).
 */
export function sortino({ count, mean, falls }: Moments): number | null {
  return count < 2 || falls === 0 ? null : (mean / Math.sqrt(falls / count)) * ANNUAL;
}

/** Linear interpolation between the nearest ranks: type 7 of R. Hyndman and Y. Fan, American Statistician 50 (1996). */
function quantile(sorted: readonly number[], share: number): number {
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? 0;
  const above = sorted[Math.ceil(rank)] ?? below;
  return below + (above - below) * (rank - Math.floor(rank));
}

export interface TailRisk {
  readonly valueAtRisk: number;
  readonly expectedShortfall: number;
}

/**
 * Historical simulation at 95 %: value at risk is minus the 5 % quantile of the returns, expected shortfall minus the
 * mean of the returns at or below it. Positive: a loss, as a fraction of equity. Twenty days at least.
 * P. Jorion, Value at Risk, 3rd ed. (2006), ch. 10; C. Acerbi and D. Tasche, Expected Shortfall (2002).
 */
export function tailRisk(returns: readonly number[]): TailRisk | null {
  if (returns.length < MIN_TAIL_DAYS) return null;
  const sorted = [...returns].sort((a, b) => a - b);
  const threshold = quantile(sorted, TAIL);
  const { mean: shortfall } = momentsOf(sorted.filter((value) => value <= threshold));
  return { valueAtRisk: -threshold, expectedShortfall: -shortfall };
}

/**
 * Covariance with the market's returns of the same days ÷ the market's variance (both sample). Days of which the
 * market's return is unknown are left out. W. F. Sharpe, Capital Asset Prices, Journal of Finance 19 (1964).
 */
export function beta(
  days: readonly { readonly own: number; readonly market: number | null }[],
): number | null {
  const both = days.flatMap(({ own, market }) => (market === null ? [] : [{ own, market }]));
  const others = momentsOf(both.map(({ market }) => market));
  const spread = sampleDeviation(others);
  if (spread === null || spread === 0) return null;
  const { mean } = momentsOf(both.map(({ own }) => own));
  let covariance = 0;
  for (const { own, market } of both) covariance += (own - mean) * (market - others.mean);
  return covariance / (both.length - 1) / spread ** 2;
}

export interface RollingMetrics {
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly volatility: number | null;
}

export const NO_METRICS: RollingMetrics = { sharpe: null, sortino: null, volatility: null };

/** The metrics of the `window` days that end with each day; undefined unless all of them have a return. */
export function rollingMetrics(
  returns: readonly (number | null)[],
  window: number,
): readonly RollingMetrics[] {
  return rollingMoments(returns, window).map((inside) =>
    inside.count < window
      ? NO_METRICS
      : { sharpe: sharpe(inside), sortino: sortino(inside), volatility: volatility(inside) },
  );
}
