/** Funding rates as they are recorded, and what a basket of them was paid a year, by hours. */
import { type Decimal, type DecimalString, dec, ZERO } from './decimal.ts';
import type { FundingRate, Side } from './model.ts';

export const HOUR_MS = 3_600_000;
const HOURS_A_YEAR = 24 * 365;

/** The longest window that is asked about, and a day for whoever asks while rows are deleted. */
export const FUNDING_RETENTION_MS = 31 * 24 * HOUR_MS;

/** What a funding time was settled at: the rate for the hours that end with it, positive: longs pay. */
export type SettledRate = readonly [rate: DecimalString, intervalHours: number];

/** Every instrument of one connector whose funding time lies at `hour` or in the hour after it. */
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

interface FundedLeg {
  readonly side: Side;
  /** Only the proportions of the legs' weights count. */
  readonly weight: DecimalString;
  readonly now: FundingRate | undefined;
  readonly points: readonly FundingPoint[];
}

/** A figure is null where it stands on nothing: no rate of now, no hour at which all legs have one. */
export interface Carry {
  readonly now: Decimal | null;
  /** Mean of the last hours, one for each of the windows that were asked about. */
  readonly means: readonly (Decimal | null)[];
}

interface CarryHistory {
  readonly net: Carry;
  /** Each leg as if it were the whole basket, over the hours of the basket. */
  readonly legs: readonly (Carry & { readonly share: Decimal })[];
  /** Hours that each mean stands on. */
  readonly counts: readonly number[];
  /** The net of each hour at which all legs have a rate, by the hour's end, oldest first. */
  readonly hours: readonly { readonly at: number; readonly net: Decimal }[];
}

/**
 * Net carry of a basket as a simple yearly rate of its gross notional; positive: the holder receives.
 *
 *   carry(h) = −8760 × Σ s·w·r(h)/n,   mean = Σ carry(h) ÷ hours,
 *
 * with s = 1 for a long leg and −1 for a short one, w the leg's share of gross notional (Σ w = 1), and r the rate of an interval
 * of n hours, of which each is counted with r/n. A position pays size × price × rate at each funding time, longs to shorts where
 * the rate is positive: Hyperliquid Docs, "Funding"; Binance Futures, "Introduction to Funding Rates". A year is 365 days and
 * nothing is compounded, as the rate of now is told everywhere else here. Weights stand still: what drifts with the prices is
 * left out, and so is what is received and would be put in again.
 *
 * @param to end of the last hour that counts, epoch ms
 * @param windows lengths in hours, which all end with `to`
 */
export function carryHistory(
  legs: readonly FundedLeg[],
  to: number,
  windows: readonly number[],
): CarryHistory {
  const whole = legs.reduce((sum, { weight }) => sum.plus(weight), ZERO);
  const shares = legs.map(({ weight }) => dec(weight).div(whole));
  const own = legs.map(({ side, points }) => hourly(points, side));
  const from = to - Math.max(...windows) * HOUR_MS;
  const common = [...(own[0]?.keys() ?? [])]
    .filter((at) => at > from && at <= to && own.every((rates) => rates.has(at)))
    .sort((a, b) => a - b);
  const of = (perLeg: readonly (Decimal | null)[]): Decimal | null =>
    perLeg.reduce<Decimal | null>(
      (sum, one, leg) => (sum === null || one === null ? null : sum.plus(one.mul(shares[leg] ?? ZERO))),
      ZERO,
    );
  const within = windows.map((hours) => common.filter((at) => at > to - hours * HOUR_MS));
  const carries = legs.map(({ side, now }, leg): Carry => {
    const mean = (hours: readonly number[]) =>
      hours.length === 0
        ? null
        : hours.reduce((sum, at) => sum.plus(own[leg]?.get(at) ?? ZERO), ZERO).div(hours.length);
    return {
      now: now === undefined ? null : yearly([now.rate, now.intervalHours], side),
      means: within.map(mean),
    };
  });
  return {
    net: {
      now: of(carries.map(({ now }) => now)),
      means: windows.map((_, window) => of(carries.map(({ means }) => means[window] ?? null))),
    },
    legs: carries.map((carry, leg) => ({ ...carry, share: shares[leg] ?? ZERO })),
    counts: within.map(({ length }) => length),
    hours: common.map((at) => ({ at, net: of(own.map((rates) => rates.get(at) ?? null)) ?? ZERO })),
  };
}

/** The holder's yearly rate of each hour, by its end: each funding time counts for the hours of its interval. */
function hourly(points: readonly FundingPoint[], side: Side): ReadonlyMap<number, Decimal> {
  const hours = new Map<number, Decimal>();
  for (const { hour, rate } of points) {
    const one = yearly(rate, side);
    for (let ago = 0; ago < rate[1]; ago += 1) hours.set(hour - ago * HOUR_MS, one);
  }
  return hours;
}

function yearly([rate, intervalHours]: SettledRate, side: Side): Decimal {
  const paid = dec(rate).mul(HOURS_A_YEAR).div(intervalHours);
  return side === 'BUY' ? paid.neg() : paid;
}
