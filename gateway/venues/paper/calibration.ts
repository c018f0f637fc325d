/**
 * Measured behaviour of 15 USDC perpetuals, from recorded public market data of an on-chain venue: one-minute candles of
 * 21–26 July 2025, hourly funding of December 2024 – July 2025. Only the parameters that the process uses are kept.
 */

export interface FundingCalibration {
  /** Per hour. */
  readonly mean: number;
  readonly std: number;
  /** Lag-one autocorrelation of the hourly rate. */
  readonly ac1: number;
  /** Share of hours at exactly the interest-rate level, see `FUNDING_ATOM`. */
  readonly atomShare: number;
}

export interface MarketCalibration {
  readonly ticker: string;
  readonly price: number;
  /** Standard deviation of one-minute log returns. */
  readonly sigma: number;
  /** Regression slope on BTC's one-minute returns, and the standard deviation of what remains. */
  readonly beta: number;
  readonly idioSigma: number;
  /** Fourth standardised moment (normal: 3). */
  readonly kurtosis: number;
  /** Lag-one autocorrelation of absolute one-minute returns: how strongly volatility clusters. */
  readonly absReturnAc1: number;
  readonly usdPerMinute: number;
  readonly funding: FundingCalibration;
}

/** Hourly funding while the premium stays inside the venue's dead band: 0.01 % per 8 hours. */
export const FUNDING_ATOM = 0.0000125;

/**
 * Share of the variance left after BTC that altcoins have in common: residual correlations of the recorded pairs are
 * 0.36–0.56. Without it alt/alt pairs would be far too volatile.
 */
export const ALT_FACTOR_SHARE = 0.5;

type MarketRow = readonly [
  ticker: string,
  price: number,
  sigma: number,
  beta: number,
  idioSigma: number,
  kurtosis: number,
  absReturnAc1: number,
  usdPerMinute: number,
];

const MARKETS: readonly MarketRow[] = [
  ['BTC', 117571, 0.0005168, 1, 0, 6.873, 0.2097, 3115053],
  ['ETH', 3742.9, 0.001036, 1.493, 0.0006907, 5.701, 0.1469, 3398778],
  ['SOL', 186.17, 0.001397, 1.908, 0.0009895, 5.224, 0.1725, 1213791],
  ['DOGE', 0.23681, 0.001836, 2.526, 0.001292, 6.265, 0.1731, 237202],
  ['XRP', 3.1451, 0.001498, 1.981, 0.001093, 7.833, 0.2533, 448935],
  ['AVAX', 24.084, 0.001418, 1.732, 0.0011, 5.225, 0.1454, 15642],
  ['LINK', 18.386, 0.001524, 1.977, 0.00113, 5.556, 0.1243, 20663],
  ['HYPE', 44.305, 0.001425, 1.733, 0.001109, 4.885, 0.1597, 485451],
  ['SUI', 3.9856, 0.001503, 1.983, 0.0011, 6.257, 0.1703, 99503],
  ['ARB', 0.45135, 0.001793, 2.131, 0.001415, 5.701, 0.1213, 10466],
  ['LTC', 113.39, 0.001466, 1.59, 0.001214, 5.68, 0.1239, 25853],
  ['BNB', 784.11, 0.0009378, 1.09, 0.00075, 7, 0.1716, 38053],
  ['AAVE', 298.55, 0.001365, 1.781, 0.001008, 5.274, 0.151, 43851],
  ['ADA', 0.8254, 0.001575, 2.028, 0.001176, 5.776, 0.1505, 32035],
  ['NEAR', 2.8693, 0.001718, 1.721, 0.00147, 6.26, 0.07037, 3562],
];

/** mean, std, ac1, atomShare */
const FUNDING: Readonly<Record<string, readonly [number, number, number, number]>> = {
  BTC: [1.459e-5, 1.895e-5, 0.8354, 0.6143],
  ETH: [1.133e-5, 1.989e-5, 0.8783, 0.5176],
  SOL: [8.74e-6, 2.271e-5, 0.8619, 0.5185],
  DOGE: [1.306e-5, 2.525e-5, 0.9067, 0.5416],
  XRP: [1.2e-5, 2.951e-5, 0.9033, 0.5739],
  AVAX: [7.846e-6, 2.429e-5, 0.8867, 0.5809],
  LINK: [1.569e-5, 2.349e-5, 0.823, 0.7006],
  HYPE: [4.368e-5, 6.994e-5, 0.6776, 0.5529],
  SUI: [8.662e-6, 2.711e-5, 0.8953, 0.5319],
  ARB: [9.966e-6, 2.671e-5, 0.8855, 0.5589],
  LTC: [1.744e-5, 2.192e-5, 0.8573, 0.7042],
  BNB: [1.509e-6, 2.909e-5, 0.8668, 0.4203],
  AAVE: [1.896e-5, 2.109e-5, 0.8175, 0.7087],
  ADA: [4.575e-6, 2.361e-5, 0.9074, 0.5831],
  NEAR: [1.337e-5, 1.973e-5, 0.8533, 0.726],
};

/** BTC first: it is the market factor. */
export const CALIBRATED_MARKETS: readonly MarketCalibration[] = MARKETS.map((row) => {
  const [ticker, price, sigma, beta, idioSigma, kurtosis, absReturnAc1, usdPerMinute] = row;
  const [mean, std, ac1, atomShare] = FUNDING[ticker] ?? [FUNDING_ATOM, 2.4e-5, 0.87, 0.58];
  const funding = { mean, std, ac1, atomShare };
  return { ticker, price, sigma, beta, idioSigma, kurtosis, absReturnAc1, usdPerMinute, funding };
});
