/**
 * Measured behaviour of 15 USDC perpetuals, from recorded public market data of an on-chain venue: one-minute candles of
 * 21–26 July 2025, hourly candles and funding of December 2024 – July 2025. Only the parameters that the process uses are
 * kept; how volatility clusters is the same for all, see hour-volatility.ts.
 */

export interface FundingCalibration {
  /** Mean of the hourly funding rate; `std` is its standard deviation. */
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
  /** Regression slope on BTC's one-minute returns, and the standard deviation of the residual. */
  readonly beta: number;
  readonly idioSigma: number;
  readonly usdPerMinute: number;
  readonly funding: FundingCalibration;
}

/** Hourly funding while the premium stays inside the venue's dead band: 0.01 % per 8 hours. */
export const FUNDING_ATOM = 0.0000125;

/**
 * Share of the variance left after BTC that altcoins have in common: two altcoins then move together as measured
 * (0.70).
 */
export const ALT_FACTOR_SHARE = 0.43;

type MarketRow = readonly [
  ticker: string,
  price: number,
  sigma: number,
  beta: number,
  idioSigma: number,
  usdPerMinute: number,
];

/**
 * Sigma: the geometric mean of the estimates from five days of minutes and from eight months of hours (hours ÷ √60),
 * and 6 % more, since clustered volatility is below its mean most of the time. Beta and idiosyncratic sigma follow from
 * sigma and from the correlation with BTC, the mean of the estimates from minutes and hours.
 */
const MARKETS: readonly MarketRow[] = [
  ['BTC', 117571, 0.0006253, 1, 0, 3115053],
  ['ETH', 3742.9, 0.001117, 1.369, 0.0007172, 3398778],
  ['SOL', 186.17, 0.001429, 1.661, 0.0009812, 1213791],
  ['DOGE', 0.23681, 0.001708, 2.027, 0.001145, 237202],
  ['XRP', 3.1451, 0.001527, 1.723, 0.001082, 448935],
  ['AVAX', 24.084, 0.001484, 1.646, 0.001069, 15642],
  ['LINK', 18.386, 0.001582, 1.801, 0.001111, 20663],
  ['HYPE', 44.305, 0.001869, 1.787, 0.001498, 485451],
  ['SUI', 3.9856, 0.001657, 1.853, 0.001185, 99503],
  ['ARB', 0.45135, 0.001744, 1.83, 0.001316, 10466],
  ['LTC', 113.39, 0.00147, 1.461, 0.001152, 25853],
  ['BNB', 784.11, 0.0008823, 0.8959, 0.0006816, 38053],
  ['AAVE', 298.55, 0.001557, 1.702, 0.001137, 43851],
  ['ADA', 0.8254, 0.001678, 1.875, 0.0012, 32035],
  ['NEAR', 2.8693, 0.00169, 1.691, 0.001318, 3562],
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
  const [ticker, price, sigma, beta, idioSigma, usdPerMinute] = row;
  const [mean, std, ac1, atomShare] = FUNDING[ticker] ?? [FUNDING_ATOM, 2.4e-5, 0.87, 0.58];
  const funding = { mean, std, ac1, atomShare };
  return { ticker, price, sigma, beta, idioSigma, usdPerMinute, funding };
});
