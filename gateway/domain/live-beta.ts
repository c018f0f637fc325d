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
import { comovement } from './pair-statistics.ts';
import { fail, ok, type Result } from './result.ts';

/** Number of latest returns that a beta is computed on. */
export const BETA_WINDOW = 60;
/** Minimum number of returns for a meaningful hedge ratio. */
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

/** Returns of `closes`, oldest first and one candle apart; one return fewer than closes. */
export function pairReturns(closes: readonly PairClose[]): readonly PairReturn[] {
  const short = logReturns(closes.map((close) => Number(close.short)));
  return logReturns(closes.map((close) => Number(close.long))).map((long, index) => ({
    long,
    short: short[index] ?? 0,
  }));
}

/**
 * β > 0 of the latest `BETA_WINDOW` returns, oldest first, which may have gaps: candles that were not recorded are
 * left out.
 */
export function betaOfReturns(returns: readonly PairReturn[]): Result<string, BetaProblem> {
  const window = returns.slice(-BETA_WINDOW);
  if (window.length < BETA_MIN_RETURNS) return fail({ kind: 'too_few_returns', returns: window.length });
  const { beta: slope } = comovement(
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
