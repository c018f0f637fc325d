/**
 * Index returns as functions of (seed, series, hour) and (seed, series, minute): the steps of the live market, the
 * imagined past and the jump over the time when the gateway was off use the same numbers.
 *
 * Three kinds of series: the market's (BTC), the altcoins' common series, and each instrument's own. Given its variance
 * an hour's return is normal. The minutes share the hour's variance unevenly, each with a log-normal weight, and are a
 * Brownian bridge to the hour's return, so that minutes add up to their hour exactly and an hour costs one draw where
 * its minutes are not needed. No return depends on a price or on an earlier return: log prices are a random walk.
 */
import { ALT_FACTOR_SHARE } from './calibration.ts';
import { ALT_WAVES, HourVolatility, MARKET_WAVES, OWN_WAVES } from './hour-volatility.ts';
import { type NoiseStream, NormalPair, noiseStream, normalAt, waveAt } from './noise.ts';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
export const MINUTES = 60;

/** Per one-minute return: standard deviation, slope on BTC and standard deviation of the residual. */
export interface ReturnParameters {
  readonly sigma: number;
  readonly beta: number;
  readonly idioSigma: number;
}

/** Move of an instrument's log price per unit of each of its series. */
export interface Loadings {
  readonly market: number;
  readonly alt: number;
  readonly own: number;
}

export const MARKET = 0;
export const ALT = 1;
/** Number of instrument `i`'s own series. BTC, instrument 0, is the market and has no own series. */
export function ownSeries(i: number): number {
  return 1 + i;
}

/** One hour of one series: return and variance of each minute. */
export interface HourOfMinutes {
  readonly returns: Float64Array;
  readonly variances: Float64Array;
}

export function emptyHour(): HourOfMinutes {
  return { returns: new Float64Array(MINUTES), variances: new Float64Array(MINUTES) };
}

/** Standard deviation of the logarithm of a minute's share in the variance of its hour. */
const MARKET_MINUTES = 0.08;
const ALT_MINUTES = 0.3;
const OWN_MINUTES = 0.62;
/** Minutes between two supporting points of the wave that the market's minute weights also have. */
const WAVE_MINUTES = 10;
const MARKET_WAVE = 0.18;
const HOURS_STREAM = 0x686f7572;
const MINUTES_STREAM = 0x6d696e75;
const WAVE_STREAM = 0x77617665;

export function loadingsOf(parameters: readonly ReturnParameters[]): readonly Loadings[] {
  const market = parameters[0]?.sigma ?? 0;
  return parameters.map(({ beta, idioSigma }, i) =>
    i === 0
      ? { market, alt: 0, own: 0 }
      : {
          market: beta * market,
          alt: idioSigma * Math.sqrt(ALT_FACTOR_SHARE),
          own: idioSigma * Math.sqrt(1 - ALT_FACTOR_SHARE),
        },
  );
}

export class ReturnSeries {
  /** Number of series: the market's, the altcoins', and one of each instrument but the first. */
  readonly count: number;
  private readonly volatility: HourVolatility;
  private readonly hours: readonly NoiseStream[];
  private readonly minuteNoise: readonly NoiseStream[];
  private readonly wave: NoiseStream;
  private readonly pair = new NormalPair();
  private readonly weights = new Float64Array(MINUTES);

  constructor(instruments: number, seed: number) {
    this.count = 1 + instruments;
    const numbers = Array.from({ length: this.count }, (_, series) => series);
    this.volatility = new HourVolatility(
      numbers.map((series) => (series === MARKET ? MARKET_WAVES : series === ALT ? ALT_WAVES : OWN_WAVES)),
      seed,
    );
    this.hours = numbers.map((series) => noiseStream(seed, HOURS_STREAM, series));
    this.minuteNoise = numbers.map((series) => noiseStream(seed, MINUTES_STREAM, series));
    this.wave = noiseStream(seed, WAVE_STREAM);
  }

  /** Variance of the hour's return; a minute's variance is 1 in the mean. @param hour since the epoch */
  variance(series: number, hour: number): number {
    return MINUTES * this.volatility.variance(series, hour);
  }

  /** Return of the whole hour. @param variance of the hour, where it is known already */
  hour(series: number, hour: number, variance = this.variance(series, hour)): number {
    const noise = this.hours[series];
    return noise === undefined ? 0 : Math.sqrt(variance) * normalAt(noise, hour);
  }

  /** Writes the returns and variances of the hour's minutes into `into`. */
  minutes(series: number, hour: number, into: HourOfMinutes): void {
    const { returns, variances } = into;
    const noise = this.minuteNoise[series];
    if (noise === undefined) return;
    const { pair, weights } = this;
    const uneven = series === MARKET ? MARKET_MINUTES : series === ALT ? ALT_MINUTES : OWN_MINUTES;
    const variance = this.variance(series, hour);
    let weightOfAll = 0;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      pair.at(noise, hour * MINUTES + minute);
      returns[minute] = pair.first;
      const wave =
        series === MARKET ? MARKET_WAVE * waveAt(this.wave, hour * MINUTES + minute, WAVE_MINUTES) : 0;
      const weight = Math.exp(2 * (uneven * pair.second + wave));
      weights[minute] = weight;
      weightOfAll += weight;
    }
    let walked = 0;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const own = (variance * (weights[minute] ?? 0)) / weightOfAll;
      const free = Math.sqrt(own) * (returns[minute] ?? 0);
      variances[minute] = own;
      returns[minute] = free;
      walked += free;
    }
    const left = this.hour(series, hour, variance) - walked;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      returns[minute] = (returns[minute] ?? 0) + ((variances[minute] ?? 0) / variance) * left;
    }
  }
}
