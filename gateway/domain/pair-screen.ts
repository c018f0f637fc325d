/**
 * Statistics of one pair among thousands: the same figures as `pair-statistics.ts`, from sums that are each taken once, at
 * a hundredth of the cost. That one decomposes matrices and stays right for series that are nearly dependent; this one
 * solves normal equations, which is enough for prices of hours and is held equal to the other by a test.
 *
 *   hedge ratio h, intercept c, spread e   least squares of ln(first) = c + h·ln(second) + e
 *   statistic                              Engle and Granger's, as in `engle-granger.ts`, with ⌊(n − 1)^⅓⌋ lags
 *   p-value                                of the statistic, two series and a constant: J. G. MacKinnon, "Approximate
 *                                          asymptotic distribution functions for unit-root and cointegration tests",
 *                                          Journal of Business & Economic Statistics 12 (1994), table 3
 */
import { MIN_PAIR_OBSERVATIONS } from './pair-statistics.ts';

export interface PairScreen {
  readonly observations: number;
  /** NaN: the data does not define the figure. */
  readonly correlation: number;
  readonly hedgeRatio: number;
  readonly zScore: number;
  /** In observations. */
  readonly halfLife: number;
  readonly statistic: number;
  readonly pValue: number;
  /** z-scores at evenly spaced observations, the last one among them; empty without a spread. */
  readonly sparkline: readonly number[];
}

export const SPARKLINE_POINTS = 30;
/** As in `pair-statistics.ts`: a spread below it is rounding errors. */
const NO_SPREAD = 1e-12;

/**
 * @param first ln of prices at the same moments as `second`'s, oldest first; NaN in one of them: left out
 */
export function screenPair(first: Float64Array, second: Float64Array): PairScreen {
  const { y, x } = common(first, second);
  const n = y.length;
  if (n < MIN_PAIR_OBSERVATIONS) return nothing(n, Number.NaN);
  const correlation = returnCorrelation(y, x);
  const [meanY, meanX] = [meanOf(y), meanOf(x)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let t = 0; t < n; t += 1) {
    const dy = at(y, t) - meanY;
    const dx = at(x, t) - meanX;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const least = NO_SPREAD ** 2 * n;
  if (xx <= least || yy <= least) return nothing(n, correlation);
  const hedgeRatio = xy / xx;
  const spread = new Float64Array(n);
  let squares = 0;
  for (let t = 0; t < n; t += 1) {
    const e = at(y, t) - meanY - hedgeRatio * (at(x, t) - meanX);
    spread[t] = e;
    squares += e * e;
  }
  const deviation = Math.sqrt(squares / (n - 1));
  if (!(deviation > NO_SPREAD)) return { ...nothing(n, correlation), hedgeRatio };
  const statistic = dickeyFuller(spread);
  return {
    observations: n,
    correlation,
    hedgeRatio,
    zScore: at(spread, n - 1) / deviation,
    halfLife: halfLifeOf(spread),
    statistic,
    pValue: mackinnonP(statistic),
    sparkline: Array.from(
      { length: SPARKLINE_POINTS },
      (_, point) => at(spread, Math.round(((point + 1) * n) / SPARKLINE_POINTS) - 1) / deviation,
    ),
  };
}

function nothing(observations: number, correlation: number): PairScreen {
  const none = Number.NaN;
  return {
    ...{ observations, correlation, hedgeRatio: none, zScore: none, halfLife: none },
    ...{ statistic: none, pValue: none, sparkline: [] },
  };
}

/** Both series where both are known. */
function common(first: Float64Array, second: Float64Array) {
  let isWhole = true;
  for (let t = 0; t < first.length && isWhole; t += 1) isWhole = !Number.isNaN(at(first, t) + at(second, t));
  if (isWhole) return { y: first, x: second };
  const y = new Float64Array(first.length);
  const x = new Float64Array(first.length);
  let known = 0;
  for (let t = 0; t < first.length; t += 1) {
    if (Number.isNaN(at(first, t) + at(second, t))) continue;
    y[known] = at(first, t);
    x[known] = at(second, t);
    known += 1;
  }
  return { y: y.subarray(0, known), x: x.subarray(0, known) };
}

function returnCorrelation(y: Float64Array, x: Float64Array): number {
  const steps = y.length - 1;
  const meanY = (at(y, steps) - at(y, 0)) / steps;
  const meanX = (at(x, steps) - at(x, 0)) / steps;
  let [xx, xy, yy] = [0, 0, 0];
  for (let t = 0; t < steps; t += 1) {
    const dy = at(y, t + 1) - at(y, t) - meanY;
    const dx = at(x, t + 1) - at(x, t) - meanX;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN;
}

/** ln 2 ÷ −ln(1 + λ), λ the slope of Δe on the e before; NaN where the spread does not come back, or overshoots. */
function halfLifeOf(e: Float64Array): number {
  const steps = e.length - 1;
  let mean = 0;
  for (let t = 0; t < steps; t += 1) mean += at(e, t) / steps;
  const drift = (at(e, steps) - at(e, 0)) / steps;
  let [ee, ed] = [0, 0];
  for (let t = 0; t < steps; t += 1) {
    const apart = at(e, t) - mean;
    ee += apart * apart;
    ed += apart * (at(e, t + 1) - at(e, t) - drift);
  }
  const slope = ed / ee;
  return slope < 0 && slope > -1 ? Math.LN2 / -Math.log1p(slope) : Number.NaN;
}

/**
 * The t-statistic of γ in Δe_t = γ·e_t−1 + Σ δ_i·Δe_t−i + u_t. Of the sums of products of lagged differences only those
 * with the latest are taken over all t: shifting both lags by one drops a product at one end and adds one at the other.
 * So it is with the products of level and difference, as a level is the one before it and a difference.
 */
function dickeyFuller(e: Float64Array): number {
  const lags = Math.floor(Math.cbrt(e.length - 1));
  const d = new Float64Array(e.length - 1);
  for (let t = 0; t < d.length; t += 1) d[t] = at(e, t + 1) - at(e, t);
  const end = d.length;
  /** Sums of d_t−i × d_t−j for t from `lags` on, i ≤ j, lag 0 the target. */
  const sums = Array.from({ length: lags + 1 }, () => new Float64Array(lags + 1));
  // Two lags in one turn: a processor adds to two sums in the time that one addition takes.
  for (let j = 0; j <= lags; j += 2) {
    const next = Math.min(j + 1, lags);
    let [product, productOfNext] = [0, 0];
    for (let t = lags; t < end; t += 1) {
      const difference = at(d, t);
      product += difference * at(d, t - j);
      productOfNext += difference * at(d, t - next);
    }
    put(sums, 0, j, product);
    put(sums, 0, next, productOfNext);
  }
  const withLevel = new Float64Array(lags + 1);
  let [levels, levelAndNow] = [0, 0];
  for (let t = lags; t < end; t += 1) {
    levels += at(e, t) ** 2;
    levelAndNow += at(e, t) * at(d, t);
  }
  withLevel[0] = levelAndNow;
  for (let i = 1; i <= lags; i += 1) {
    for (let j = i; j <= lags; j += 1) {
      const added = at(d, lags - i) * at(d, lags - j);
      const dropped = at(d, end - i) * at(d, end - j);
      put(sums, i, j, get(sums, i - 1, j - 1) + added - dropped);
    }
  }
  for (let j = 1; j <= lags; j += 1) {
    const added = at(e, lags - 1) * at(d, lags - j);
    const dropped = at(e, end - 1) * at(d, end - j);
    withLevel[j] = at(withLevel, j - 1) + added - dropped + get(sums, 1, j);
  }
  // Cholesky of the regressors' products, the level last: its row alone tells γ and its error.
  const k = lags + 1;
  const product = (i: number, j: number): number => {
    if (i < lags && j < lags) return get(sums, Math.min(i, j) + 1, Math.max(i, j) + 1);
    return i === lags && j === lags ? levels : at(withLevel, Math.min(i, j) + 1);
  };
  const lower = Array.from({ length: k }, () => new Float64Array(k));
  const solved = new Float64Array(k);
  let rest = get(sums, 0, 0);
  for (let i = 0; i < k; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let value = product(i, j);
      for (let m = 0; m < j; m += 1) value -= get(lower, i, m) * get(lower, j, m);
      if (i === j && !(value > 0)) return Number.NaN;
      put(lower, i, j, i === j ? Math.sqrt(value) : value / get(lower, j, j));
    }
    let right = i === lags ? at(withLevel, 0) : get(sums, 0, i + 1);
    for (let m = 0; m < i; m += 1) right -= get(lower, i, m) * at(solved, m);
    solved[i] = right / get(lower, i, i);
    rest -= at(solved, i) ** 2;
  }
  const variance = rest / (end - lags - k);
  return variance > 0 ? at(solved, lags) / Math.sqrt(variance) : Number.NaN;
}

/** Limits of the approximation and where its two polynomials meet; their coefficients. */
const TAU = { min: -18.86, star: -2.62, max: 0.92 } as const;
const SMALL_P = [2.92, 1.5012, 0.039796] as const;
const LARGE_P = [2.1945, 0.64695, -0.29198, -0.042377] as const;

/** p-value of the hypothesis that two series are not cointegrated; NaN of NaN. */
export function mackinnonP(statistic: number): number {
  if (Number.isNaN(statistic)) return Number.NaN;
  if (statistic > TAU.max) return 1;
  if (statistic < TAU.min) return 0;
  const coefficients: readonly number[] = statistic <= TAU.star ? SMALL_P : LARGE_P;
  return normal(coefficients.reduceRight((value, coefficient) => value * statistic + coefficient, 0));
}

/** The normal distribution: for small arguments by its series, else by Lentz's continued fraction of the tail. */
function normal(z: number): number {
  if (Math.abs(z) < 3) {
    let [term, sum] = [z, z];
    for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && k < 200; k += 1) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    return 0.5 + sum * density(z);
  }
  let fraction = 0;
  for (let k = 60; k > 0; k -= 1) fraction = k / (Math.abs(z) + fraction);
  const tail = density(z) / (Math.abs(z) + fraction);
  return z < 0 ? tail : 1 - tail;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < values.length; t += 1) sum += at(values, t);
  return sum / values.length;
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? Number.NaN;
}

function get(rows: readonly Float64Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? Number.NaN;
}

function put(rows: readonly Float64Array[], i: number, j: number, value: number): void {
  const row = rows[i];
  if (row !== undefined) row[j] = value;
}
