/**
 * The hedge ratio of a pair: slope of the ordinary least squares line of the long leg's log returns on the short leg's.
 *
 *   y_t = ln(long_t ÷ long_t−1),  x_t = ln(short_t ÷ short_t−1)
 *   β   = Σ (x_t − x̄)(y_t − ȳ) ÷ Σ (x_t − x̄)²
 *
 * Source: the market model, W. F. Sharpe, "A Simplified Model for Portfolio Analysis", Management Science 9 (1963); the
 * slope as in W. H. Greene, Econometric Analysis, ch. 2. A statistic, not money: computed in floats, 12 figures kept.
 */
import { dec, text } from './decimal.ts';
import { fail, ok, type Result } from './result.ts';

/** Number of latest returns that a beta is computed on. */
export const BETA_WINDOW = 60;
/** Smallest number of returns that says something about a hedge. */
export const BETA_MIN_RETURNS = 20;

const FIGURES = 12;

export type BetaProblem =
  | { readonly kind: 'too_few_returns'; readonly returns: number }
  /** The short leg did not move, so no slope is defined. */
  | { readonly kind: 'no_variance' }
  /** The legs moved against each other: no short position hedges the long one. */
  | { readonly kind: 'not_positive'; readonly beta: string };

/** Closing prices of one candle of both legs, > 0. */
export interface PairClose {
  readonly long: string;
  readonly short: string;
}

/** Log returns of both legs over one candle. */
export interface PairReturn {
  readonly long: number;
  readonly short: number;
}

/** β > 0 of the latest `BETA_WINDOW` returns. `closes` oldest first, one candle apart. */
export function liveBeta(closes: readonly PairClose[]): Result<string, BetaProblem> {
  return betaOfReturns(pairReturns(closes));
}

/** Returns of `closes`, oldest first and one candle apart; one return fewer than closes. */
export function pairReturns(closes: readonly PairClose[]): readonly PairReturn[] {
  const short = logReturns(closes.map((close) => Number(close.short)));
  return logReturns(closes.map((close) => Number(close.long))).map((long, index) => ({
    long,
    short: short[index] ?? 0,
  }));
}

/**
 * Beta as of `liveBeta`, of returns, oldest first, that need not follow on each other: unseen candles are left out.
 */
export function betaOfReturns(returns: readonly PairReturn[]): Result<string, BetaProblem> {
  const window = returns.slice(-BETA_WINDOW);
  if (window.length < BETA_MIN_RETURNS) return fail({ kind: 'too_few_returns', returns: window.length });
  const slope = olsSlope(
    window.map(({ short }) => short),
    window.map(({ long }) => long),
  );
  if (slope === null) return fail({ kind: 'no_variance' });
  const beta = text(dec(slope).toSignificantDigits(FIGURES));
  return dec(beta).gt(0) ? ok(beta) : fail({ kind: 'not_positive', beta });
}

export function logReturns(prices: readonly number[]): readonly number[] {
  return prices.slice(1).map((price, index) => Math.log(price / (prices[index] ?? price)));
}

/** Slope of the least squares line of y on x (of one length); null where x does not vary. */
export function olsSlope(x: readonly number[], y: readonly number[]): number | null {
  const meanX = mean(x);
  const meanY = mean(y);
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of x.entries()) {
    covariance += (value - meanX) * ((y[index] ?? 0) - meanY);
    variance += (value - meanX) ** 2;
  }
  return variance > 0 ? covariance / variance : null;
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
