/** Figures of several instruments' joint returns, which a simulated market must share with a real one. */

/** Figures of a market whose first instrument is BTC. Volatilities: standard deviations of log returns per interval. */
export interface ReturnFigures {
  readonly volatilityBtc: number;
  /** Geometric mean over the altcoins. */
  readonly volatilityAlts: number;
  /** Means of correlations. */
  readonly correlationBtcAlt: number;
  readonly correlationAltAlt: number;
  /** Fourth standardised moment; of the altcoins the median. */
  readonly kurtosisBtc: number;
  readonly kurtosisAlts: number;
  /** Lag-one autocorrelation of absolute returns; of the altcoins the median. */
  readonly clusteringBtc: number;
  readonly clusteringAlts: number;
}

export const FIGURES = [
  'volatilityBtc',
  'volatilityAlts',
  'correlationBtcAlt',
  'correlationAltAlt',
  'kurtosisBtc',
  'kurtosisAlts',
  'clusteringBtc',
  'clusteringAlts',
] as const satisfies readonly (keyof ReturnFigures)[];

/** @param returns of each instrument, BTC first, all of one length */
export function returnFigures(returns: readonly Float64Array[]): ReturnFigures {
  const [btc = new Float64Array(), ...alts] = returns;
  const standard = returns.map(standardised);
  const [standardBtc = new Float64Array(), ...standardAlts] = standard;
  const pairs = standardAlts.flatMap((a, i) => standardAlts.slice(0, i).map((b) => product(a, b)));
  return {
    volatilityBtc: deviation(btc),
    volatilityAlts: Math.exp(mean(Float64Array.from(alts, (alt) => Math.log(deviation(alt))))),
    correlationBtcAlt: mean(Float64Array.from(standardAlts, (alt) => product(alt, standardBtc))),
    correlationAltAlt: mean(Float64Array.from(pairs)),
    kurtosisBtc: kurtosis(standardBtc),
    kurtosisAlts: median(standardAlts.map(kurtosis)),
    clusteringBtc: clustering(btc),
    clusteringAlts: median(alts.map(clustering)),
  };
}

/** Median of each figure over many windows. */
export function medianFigures(windows: readonly ReturnFigures[]): ReturnFigures {
  const of = (name: keyof ReturnFigures) => median(windows.map((window) => window[name]));
  return {
    volatilityBtc: of('volatilityBtc'),
    volatilityAlts: of('volatilityAlts'),
    correlationBtcAlt: of('correlationBtcAlt'),
    correlationAltAlt: of('correlationAltAlt'),
    kurtosisBtc: of('kurtosisBtc'),
    kurtosisAlts: of('kurtosisAlts'),
    clusteringBtc: of('clusteringBtc'),
    clusteringAlts: of('clusteringAlts'),
  };
}

/** Log returns from log prices at the times 0, `every`, 2 `every` … */
export function logReturnsOf(logs: ArrayLike<number>, every = 1): Float64Array {
  const count = Math.floor((logs.length - 1) / every);
  return Float64Array.from(
    { length: count },
    (_, k) => (logs[(k + 1) * every] ?? 0) - (logs[k * every] ?? 0),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

function mean(values: Float64Array): number {
  let total = 0;
  for (let k = 0; k < values.length; k += 1) total += values[k] ?? 0;
  return total / values.length;
}

function deviation(values: Float64Array): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function standardised(values: Float64Array): Float64Array {
  const [middle, scale] = [mean(values), deviation(values)];
  return values.map((value) => (value - middle) / scale);
}

function product(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k += 1) total += (a[k] ?? 0) * (b[k] ?? 0);
  return total / a.length;
}

function kurtosis(standard: Float64Array): number {
  return mean(standard.map((value) => value ** 4));
}

function clustering(returns: Float64Array): number {
  const size = returns.map(Math.abs);
  return product(standardised(size.subarray(1)), standardised(size.subarray(0, -1)));
}
