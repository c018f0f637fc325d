/**
 * Weights of a basket from its legs' closing prices at the same moments. Statistics, not money: floats, rounded to
 * millionths that sum to 1. With r the log returns and a side's composite the mean of its legs' logs:
 *
 *   EQUAL               half for each side, equal among its legs; a basket of one side: equal legs
 *   VOLATILITY_NEUTRAL  w ∝ 1 ÷ s(r): every leg moves as many USD a step, s the sample standard deviation
 *   BETA_NEUTRAL        shorts : longs = β : 1, β the slope of the longs' composite returns on the shorts'
 *   HEDGE_RATIO         shorts : longs = h : 1, h of ln(longs) = c + h·ln(shorts) + e, by least squares
 *
 * The last two weigh the legs of a side equally. β or h of 0 or less hedges nothing: there are no weights then.
 */

import { type WEIGHTING_GAPS, WEIGHTINGS } from './enumerations.ts';
import type { Side } from './model.ts';
import { momentsOf, sampleDeviation } from './moments.ts';
import { comovement, MIN_PAIR_OBSERVATIONS } from './pair-statistics.ts';

export type Weighting = (typeof WEIGHTINGS)[number];

export type WeightingGap = (typeof WEIGHTING_GAPS)[number];

export interface WeighedHistory {
  readonly side: Side;
  /** ln of the closes, at the moments of all other legs, oldest first. */
  readonly logs: readonly number[];
}

export interface Weighed {
  readonly weighting: Weighting;
  /** Millionths in the order of the legs, which sum to 1,000,000; null: `gap` says why. */
  readonly millionths: readonly number[] | null;
  readonly gap: WeightingGap | null;
  /** β or h where the weighting has one. */
  readonly figure: number | null;
}

const MILLION = 1_000_000;

/** Sample standard deviation of each leg's log returns; null: fewer than two. */
export function volatilitiesOf(legs: readonly WeighedHistory[]): readonly (number | null)[] {
  return legs.map(({ logs }) => sampleDeviation(momentsOf(steps(logs))));
}

export function weighings(legs: readonly WeighedHistory[]): readonly Weighed[] {
  return WEIGHTINGS.map((weighting) => ({ weighting, ...weighedBy(weighting, legs) }));
}

function weighedBy(weighting: Weighting, legs: readonly WeighedHistory[]): Omit<Weighed, 'weighting'> {
  if (weighting === 'EQUAL') return weighed(bySides(legs, 1), null);
  if ((legs[0]?.logs.length ?? 0) < MIN_PAIR_OBSERVATIONS) return without('TOO_FEW_OBSERVATIONS', null);
  if (weighting === 'VOLATILITY_NEUTRAL') {
    const volatilities = volatilitiesOf(legs);
    const inverse = volatilities.map((one) => (one === null || one === 0 ? Number.NaN : 1 / one));
    return inverse.some(Number.isNaN) ? without('STOOD_STILL', null) : weighed(inverse, null);
  }
  const [long, short] = [composite(legs, 'BUY'), composite(legs, 'SELL')];
  if (long === null || short === null) return without('ONE_SIDE', null);
  const slope =
    weighting === 'BETA_NEUTRAL' ? comovement(steps(short), steps(long)).beta : comovement(short, long).beta;
  if (slope === null) return without('STOOD_STILL', null);
  return slope > 0 ? weighed(bySides(legs, slope), slope) : without('NOT_POSITIVE', slope);
}

/** Parts of the legs: all longs together 1, all shorts together `shorts`, the legs of a side alike. */
function bySides(legs: readonly WeighedHistory[], shorts: number): readonly number[] {
  const count = (side: Side) => legs.filter((leg) => leg.side === side).length;
  return legs.map(({ side }) => (side === 'BUY' ? 1 : shorts) / count(side));
}

function weighed(parts: readonly number[], figure: number | null): Omit<Weighed, 'weighting'> {
  const whole = parts.reduce((total, part) => total + part, 0);
  const millionths = parts.map((part) => Math.max(1, Math.floor((part / whole) * MILLION)));
  // The largest leg gets the rounding remainder, which changes it least.
  const largest = parts.indexOf(Math.max(...parts));
  const rest = MILLION - millionths.reduce((total, one) => total + one, 0);
  return {
    millionths: millionths.map((one, index) => (index === largest ? one + rest : one)),
    gap: null,
    figure,
  };
}

function without(gap: WeightingGap, figure: number | null): Omit<Weighed, 'weighting'> {
  return { millionths: null, gap, figure };
}

/** Mean of the logs of a side's legs at each moment; null: the side has none. */
function composite(legs: readonly WeighedHistory[], side: Side): readonly number[] | null {
  const ofSide = legs.filter((leg) => leg.side === side);
  const [first] = ofSide;
  if (first === undefined) return null;
  return first.logs.map(
    (_, at) => ofSide.reduce((total, { logs }) => total + (logs[at] ?? Number.NaN), 0) / ofSide.length,
  );
}

function steps(logs: readonly number[]): readonly number[] {
  return logs.slice(1).map((log, index) => log - (logs[index] ?? log));
}
