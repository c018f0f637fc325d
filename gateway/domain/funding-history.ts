/** Recorded funding rates, and the yearly funding of a basket, by hours. */
import { type Decimal, type DecimalString, dec, rounded, sum, ZERO } from './decimal.ts';
import type { Side } from './model.ts';

export const HOUR_MS = 3_600_000;
const HOURS_A_YEAR = 24 * 365;

/** The longest window of a request, and a day for reads while rows are deleted. */
export const FUNDING_RETENTION_MS = 31 * 24 * HOUR_MS;

/** Settled rate of a funding time, for the hours that end with it; positive: longs pay. */
export type SettledRate = readonly [rate: DecimalString, intervalHours: number];

/** Rates of one connector's instruments at the funding time nearest to `hour`. */
export interface FundingRow {
  readonly connector: string;
  /** A full hour, epoch ms. */
  readonly hour: number;
  /** Rates by instrument ID. */
  readonly rates: Readonly<Record<string, SettledRate>>;
}

/** One instrument's part of a row. */
export interface FundingPoint {
  readonly hour: number;
  readonly rate: SettledRate;
}

/** A leg's yearly rate as its holder sees it, positive: received, of each hour by the hour's end, epoch ms. */
export type HourlyCarry = ReadonlyMap<number, Decimal>;

/** Decimal places of inexact quotients: these figures are shown and decide nothing, and digits cost time. */
const PLACES = 20;

/*
 * Net carry of a basket as a simple yearly rate of its gross notional; positive: the holder receives.
 *
 *   carry(h) = −8760 × Σ s·w·r(h)/n,   mean = Σ carry(h) ÷ hours,
 *
 * with s = 1 for a long leg and −1 for a short one, w the leg's share of gross notional (Σ w = 1), and r the rate of an
 * interval of n hours, each of which counts r/n. A position pays size × price × rate at each funding time, longs to
 * shorts if the rate is positive: Hyperliquid Docs, "Funding"; Binance Futures, "Introduction to Funding Rates". A year
 * is 365 days, without compounding, as for present rates everywhere else here. Weights are constant: drift by prices is
 * left out, and so is the reinvestment of funding.
 */

/** The legs' shares of gross notional, in the order of `weights`, of which only the proportions count. */
export function sharesOf(weights: readonly DecimalString[]): readonly Decimal[] {
  const whole = sum(weights.map(dec));
  return weights.map((weight) => rounded(dec(weight).div(whole), PLACES));
}

/** Each funding time counts for the hours of its interval. */
export function hourlyCarry(points: readonly FundingPoint[], side: Side): HourlyCarry {
  const hours = new Map<number, Decimal>();
  for (const { hour, rate } of points) {
    const one = yearly(rate, side);
    for (let ago = 0; ago < rate[1]; ago += 1) hours.set(hour - ago * HOUR_MS, one);
  }
  return hours;
}

/** Funding that the holder of a leg receives in a year at this rate, as a fraction. */
export function yearly([rate, intervalHours]: SettledRate, side: Side): Decimal {
  const paid = dec(rate).mul(HOURS_A_YEAR);
  const one = intervalHours === 1 ? paid : rounded(paid.div(intervalHours), PLACES);
  return side === 'BUY' ? one.neg() : one;
}

/** The hours of (from, to] at which all legs have a rate, by their end, oldest first. */
export function commonHours(legs: readonly HourlyCarry[], from: number, to: number): readonly number[] {
  return [...(legs[0]?.keys() ?? [])]
    .filter((at) => at > from && at <= to && legs.every((rates) => rates.has(at)))
    .sort((a, b) => a - b);
}

/** null: of no hours. */
export function meanCarry(rates: HourlyCarry, hours: readonly number[]): Decimal | null {
  if (hours.length === 0) return null;
  return rounded(sum(hours.map((at) => rates.get(at) ?? ZERO)).div(hours.length), PLACES);
}

/** Net of the legs' figures at their shares; null if one of them is null. */
export function netCarry(
  legs: readonly (Decimal | null | undefined)[],
  shares: readonly Decimal[],
): Decimal | null {
  let net = ZERO;
  for (const [leg, carry] of legs.entries()) {
    if (carry == null) return null;
    net = net.plus(carry.mul(shares[leg] ?? ZERO));
  }
  return net;
}
