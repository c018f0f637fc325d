/**
 * Funding rates. A premium follows a Gaussian AR(1); the rate is the interest-rate level (0.01 % per 8 h) as long as
 * the premium stays inside the venue's dead band around it, and moves with the premium's excess beyond the band. That
 * is the published formula of perpetuals venues (rate = premium + clamp(interest − premium, ±band)), and the dead band
 * puts more than half of all measured hours on exactly one value. The rate of an interval is known from its start and
 * settled at its end.
 */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { FundingCalibration } from './calibration.ts';
import { FUNDING_ATOM } from './calibration.ts';
import { unitsText } from './price-grid.ts';
import type { RandomState } from './random.ts';
import { Random } from './random.ts';

export interface FundingState {
  readonly random: RandomState;
  readonly premium: readonly number[];
}

/** The premium, in units of its standard deviation s: y = (premium − interest)/s ~ N(shift, 1); band = dead band/s. */
interface DeadBand {
  readonly shift: number;
  readonly band: number;
  /** Standard deviation s of the premium, per hour. */
  readonly scale: number;
}

export const HOUR_MS = 3_600_000;
/** Rates are written with at most ten decimals. */
const RATE_DECIMALS = 10;
/** No venue charges more than 4 % per hour. */
const MAX_HOURLY = 0.04;

export class FundingProcess {
  readonly intervalMs: number;
  private readonly intervalHours: number;
  private readonly random: Random;
  private readonly bands: readonly DeadBand[];
  private readonly persistence: readonly number[];
  private readonly premium: Float64Array;

  constructor(calibrations: readonly FundingCalibration[], intervalHours: number, seed: number) {
    this.intervalHours = intervalHours;
    this.intervalMs = intervalHours * HOUR_MS;
    this.random = new Random(seed, 3);
    this.bands = calibrations.map(bandOf);
    this.persistence = calibrations.map((c) => premiumPersistence(c.ac1) ** intervalHours);
    this.premium = Float64Array.from(calibrations, () => this.random.normal());
  }

  /** Rate of the running interval, as a decimal fraction per interval; positive: longs pay. */
  rate(i: number): DecimalString {
    return unitsText(Math.round(this.hourly(i) * this.intervalHours * 10 ** RATE_DECIMALS), RATE_DECIMALS);
  }

  /** Rate of the running interval per hour, as a float; the premium of the perp over its index follows this rate. */
  hourly(i: number): number {
    const band = this.bands[i];
    if (band === undefined) return FUNDING_ATOM;
    const y = (this.premium[i] ?? 0) + band.shift;
    const excess = y > band.band ? y - band.band : Math.min(0, y + band.band);
    return Math.max(-MAX_HOURLY, Math.min(MAX_HOURLY, FUNDING_ATOM + excess * band.scale));
  }

  /** First boundary after `at`; intervals are aligned to midnight UTC. */
  nextBoundary(at: number): number {
    return (Math.floor(at / this.intervalMs) + 1) * this.intervalMs;
  }

  /** Starts the next interval. */
  advance(): void {
    for (let i = 0; i < this.premium.length; i += 1) {
      const kept = this.persistence[i] ?? 0;
      const fresh = Math.sqrt(1 - kept * kept);
      this.premium[i] = kept * (this.premium[i] ?? 0) + fresh * this.random.normal();
    }
  }

  state(): FundingState {
    return { random: this.random.state(), premium: [...this.premium] };
  }

  restore(state: FundingState): void {
    this.random.restore(state.random);
    this.premium.set(state.premium);
  }
}

/** Fitted once for both venues: the fit is a good part of what opening a market costs. */
const fittedBands = new WeakMap<FundingCalibration, DeadBand>();

function bandOf(calibration: FundingCalibration): DeadBand {
  const known = fittedBands.get(calibration);
  if (known !== undefined) return known;
  const fitted = fitDeadBand(calibration);
  fittedBands.set(calibration, fitted);
  return fitted;
}

/** The flat band hides small moves, so the premium's autocorrelation is higher; the power is fitted by simulation. */
function premiumPersistence(rateAc1: number): number {
  return rateAc1 ** 0.65;
}

/**
 * Finds shift, band and scale so that the rate has the measured mean, standard deviation and share of hours at the
 * atom. The share determines the band for each shift; the ratio of the two moments rises with the shift.
 */
function fitDeadBand(calibration: FundingCalibration): DeadBand {
  const wanted = (calibration.mean - FUNDING_ATOM) / calibration.std;
  let low = -3;
  let high = 3;
  for (let i = 0; i < 40; i += 1) {
    const shift = (low + high) / 2;
    const { mean, std } = excessMoments(shift, bandFor(shift, calibration.atomShare));
    if (mean / std < wanted) low = shift;
    else high = shift;
  }
  const shift = (low + high) / 2;
  const band = bandFor(shift, calibration.atomShare);
  return { shift, band, scale: calibration.std / excessMoments(shift, band).std };
}

/** The band that N(shift, 1) falls into with probability `share`. */
function bandFor(shift: number, share: number): number {
  let low = 0;
  let high = 12;
  for (let i = 0; i < 40; i += 1) {
    const band = (low + high) / 2;
    if (normalCdf(band - shift) - normalCdf(-band - shift) < share) low = band;
    else high = band;
  }
  return (low + high) / 2;
}

/** Mean and deviation of (Z + shift − band)⁺ − (−Z − shift − band)⁺ for standard normal Z. */
function excessMoments(shift: number, band: number): { readonly mean: number; readonly std: number } {
  const up = partialMoments(shift - band);
  const down = partialMoments(-shift - band);
  const mean = up.first - down.first;
  return { mean, std: Math.sqrt(Math.max(1e-12, up.second + down.second - mean * mean)) };
}

/** E[(Z + a)⁺] and E[((Z + a)⁺)²]. */
function partialMoments(a: number): { readonly first: number; readonly second: number } {
  const density = Math.exp((-a * a) / 2) / Math.sqrt(2 * Math.PI);
  const probability = normalCdf(a);
  return { first: a * probability + density, second: (a * a + 1) * probability + a * density };
}

/** Abramowitz and Stegun 26.2.17; absolute error below 7.5e-8. */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x >= 0 ? 1 - tail : tail;
}
