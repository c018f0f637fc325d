/**
 * Underlyings of the paper venues: 15 as measured, the rest with parameters drawn once and for all (a fixed seed, the
 * same on every gateway) from the ranges of the measured altcoins. Price levels are those of late July 2025.
 */
import type { Tradeability } from '../../../domain/model.ts';
import type { MarketCalibration } from './calibration.ts';
import { CALIBRATED_MARKETS } from './calibration.ts';
import { hashText, Random } from './random.ts';

export interface Underlying extends MarketCalibration {
  /** Decimals of a quantity on the on-chain venue (its szDecimals); they also set the price decimals there. */
  readonly quantityDecimals: number;
  readonly maxLeverage: number;
  readonly tradeability: Tradeability;
}

const TRADABLE: Tradeability = { status: 'tradable', reason: null };

/** Quantity decimals and maximum leverage of the measured underlyings. */
const MEASURED_RULES: Readonly<Record<string, readonly [number, number]>> = {
  BTC: [5, 40],
  ETH: [4, 25],
  SOL: [2, 20],
  DOGE: [0, 10],
  XRP: [0, 20],
  AVAX: [2, 10],
  LINK: [1, 10],
  HYPE: [2, 10],
  SUI: [1, 10],
  ARB: [1, 10],
  LTC: [2, 10],
  BNB: [3, 10],
  AAVE: [2, 10],
  ADA: [0, 10],
  NEAR: [1, 10],
};

/** Ticker, price, quantity decimals, maximum leverage. */
const DRAWN: readonly (readonly [string, number, number, number])[] = [
  ['DOT', 4.12, 1, 10],
  ['ATOM', 4.75, 2, 5],
  ['UNI', 10.42, 1, 10],
  ['OP', 0.7421, 1, 10],
  ['APT', 4.951, 2, 10],
  ['TIA', 1.953, 1, 10],
  ['INJ', 14.21, 1, 10],
  ['SEI', 0.3352, 0, 10],
  ['kPEPE', 0.01284, 0, 10],
  ['WIF', 1.121, 0, 10],
  ['kBONK', 0.03521, 0, 10],
  ['kSHIB', 0.01413, 0, 10],
  ['FIL', 2.621, 1, 5],
  ['LDO', 1.124, 1, 5],
  ['CRV', 1.018, 1, 10],
  ['COMP', 49.13, 2, 5],
  ['SNX', 0.6614, 1, 3],
  ['GMX', 14.92, 2, 3],
  ['DYDX', 0.6431, 1, 5],
  ['IMX', 0.5512, 1, 5],
  ['STX', 0.7923, 1, 5],
  ['RUNE', 1.523, 1, 5],
  ['S', 0.3318, 0, 5],
  ['TRX', 0.3154, 0, 10],
  ['TON', 3.312, 1, 10],
  ['BCH', 548.3, 3, 10],
  ['ETC', 22.63, 2, 5],
  ['XLM', 0.4317, 0, 10],
  ['HBAR', 0.2614, 0, 5],
  ['ALGO', 0.2652, 0, 5],
  ['ICP', 5.612, 1, 5],
  ['PENDLE', 4.214, 0, 5],
  ['ENA', 0.4913, 0, 10],
  ['ONDO', 0.9824, 0, 10],
  ['WLD', 1.171, 1, 10],
  ['JUP', 0.5312, 0, 10],
  ['PYTH', 0.1253, 0, 5],
  ['JTO', 1.952, 0, 5],
  ['STRK', 0.1312, 1, 5],
  ['ZK', 0.05713, 0, 5],
  ['ZRO', 2.114, 1, 5],
  ['EIGEN', 1.403, 2, 5],
  ['TAO', 418.2, 3, 5],
  ['RENDER', 3.951, 1, 5],
  ['FET', 0.7312, 0, 5],
  ['GALA', 0.01712, 0, 3],
  ['SAND', 0.2913, 0, 5],
  ['APE', 0.6411, 1, 3],
  ['ORDI', 9.312, 2, 3],
  ['BLUR', 0.08214, 1, 3],
  ['POPCAT', 0.3352, 0, 3],
  ['FARTCOIN', 1.352, 1, 10],
  ['TRUMP', 10.32, 1, 10],
  ['PENGU', 0.03612, 0, 5],
  ['VIRTUAL', 1.603, 1, 5],
];

/** Restricted and delisted underlyings: real venues keep such listings, so clients meet them here as well. */
const RESTRICTED: readonly (readonly [string, number, number, number, Tradeability])[] = [
  [
    'CATI',
    0.08513,
    0,
    3,
    { status: 'reduce_only', reason: 'Delisting announced: positions can only be reduced' },
  ],
  ['CANTO', 0.01213, 0, 3, { status: 'not_tradable', reason: 'Delisted: trading has ended' }],
  [
    'FRIEND',
    0.0743,
    1,
    3,
    { status: 'not_tradable', reason: 'Delisted: index price sources were discontinued' },
  ],
];

function drawnMarket(ticker: string, price: number): MarketCalibration {
  const random = new Random(hashText(ticker), 1);
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  const archetype = CALIBRATED_MARKETS[3 + Math.floor(random.uniform() * (CALIBRATED_MARKETS.length - 3))];
  const beta = between(1.4, 2);
  const idioSigma = between(1.0e-3, 1.4e-3);
  // Two draws whose results are not used. Without them, all parameters drawn afterwards would change.
  random.uniform();
  random.uniform();
  return {
    ticker,
    price,
    // BTC's one-minute sigma carries the rest of the variance.
    sigma: Math.hypot(beta * (CALIBRATED_MARKETS[0]?.sigma ?? 0), idioSigma),
    beta,
    idioSigma,
    usdPerMinute: Math.round(Math.exp(between(Math.log(3_500), Math.log(120_000)))),
    funding: archetype?.funding ?? { mean: 1.25e-5, std: 2.4e-5, ac1: 0.87, atomShare: 0.58 },
  };
}

/** Underlyings in the order of the listing; BTC, the market factor, is first. */
export const UNDERLYINGS: readonly Underlying[] = [
  ...CALIBRATED_MARKETS.map((market) => {
    const [quantityDecimals, maxLeverage] = MEASURED_RULES[market.ticker] ?? [1, 5];
    return { ...market, quantityDecimals, maxLeverage, tradeability: TRADABLE };
  }),
  ...DRAWN.map(([ticker, price, quantityDecimals, maxLeverage]) => ({
    ...drawnMarket(ticker, price),
    quantityDecimals,
    maxLeverage,
    tradeability: TRADABLE,
  })),
  ...RESTRICTED.map(([ticker, price, quantityDecimals, maxLeverage, tradeability]) => ({
    ...drawnMarket(ticker, price),
    // Restricted markets have hardly any volume left.
    usdPerMinute: 400,
    quantityDecimals,
    maxLeverage,
    tradeability,
  })),
];
