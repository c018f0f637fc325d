/**
 * Relative volatility of each hour: the variance of its returns over their long-run mean, a function of seed, series
 * and hour.
 *
 * The logarithm of volatility is a sum of Gaussian waves of different lengths, from a month down to the single hour (a
 * cascade: Mandelbrot, Calvet and Fisher, "A Multifractal Model of Asset Returns", 1997), and of rare bursts, news that
 * is forgotten within hours. All series share most of the volatility and have a little of their own. Lengths and
 * heights are fitted so that kurtosis and the autocorrelation of absolute returns, of minutes, hours and days, are
 * those of the recordings.
 */
import { type NoiseStream, noiseStream, uniformAt, waveAt } from './noise.ts';

interface Wave {
  /** Hours between two supporting points of the wave. */
  readonly hours: number;
  /** Standard deviation in the logarithm of volatility. */
  readonly deviation: number;
}

const SHARED: readonly Wave[] = [
  { hours: 720, deviation: 0.23 },
  { hours: 72, deviation: 0.29 },
  { hours: 6, deviation: 0.27 },
  { hours: 1, deviation: 0.14 },
];
/**
 * Each series' own volatility waves, in addition to those that all series share: of BTC, of the altcoins together, of
 * each altcoin.
 */
export const MARKET_WAVES: readonly Wave[] = [
  { hours: 72, deviation: 0.2 },
  { hours: 6, deviation: 0.095 },
];
export const ALT_WAVES: readonly Wave[] = [
  { hours: 24, deviation: 0.11 },
  { hours: 1, deviation: 0.25 },
];
export const OWN_WAVES: readonly Wave[] = [
  { hours: 24, deviation: 0.16 },
  { hours: 1, deviation: 0.25 },
];

/** Mean number of hours between the beginnings of two bursts. */
const BURST_EVERY_HOURS = 410;
/** Mean height of a burst in log volatility; heights lie between half and one and a half of the mean. */
const BURST = 1.55;
/** Hours after which a burst has faded to 1/e of its height. */
const BURST_HOURS = 2.6;
const BURST_REMEMBERED = 16;
const FADED = Float64Array.from({ length: BURST_REMEMBERED }, (_, ago) => Math.exp(-ago / BURST_HOURS));

const SHARED_STREAM = 0x766f6c61;
const SERIES_STREAM = 0x6f776e76;

/** Gaussian waves of one series. */
class Waves {
  /** Variance of `at` over all hours. */
  readonly variance: number;
  private readonly waves: readonly {
    readonly hours: number;
    readonly deviation: number;
    readonly noise: NoiseStream;
  }[];

  constructor(waves: readonly Wave[], name: readonly number[]) {
    this.waves = waves.map((wave, k) => ({ ...wave, noise: noiseStream(...name, k) }));
    this.variance = waves.reduce((total, { deviation }) => total + deviation * deviation, 0);
  }

  at(hour: number): number {
    let sum = 0;
    for (const { hours, deviation, noise } of this.waves) sum += deviation * waveAt(noise, hour, hours);
    return sum;
  }
}

export class HourVolatility {
  private readonly shared: Waves;
  private readonly burstBegins: number;
  private readonly burstHeight: number;
  private readonly own: readonly Waves[];
  private readonly mean: Float64Array;
  /** Cache: log volatility shared by all series, in the hour last asked for. */
  private readonly known = { hour: Number.NaN, log: 0 };

  /** @param series own waves of each series */
  constructor(series: readonly (readonly Wave[])[], seed: number) {
    this.shared = new Waves(SHARED, [seed, SHARED_STREAM]);
    this.burstBegins = noiseStream(seed, SHARED_STREAM, 101).radius;
    this.burstHeight = noiseStream(seed, SHARED_STREAM, 102).radius;
    this.own = series.map((waves, k) => new Waves(waves, [seed, SERIES_STREAM, k]));
    this.mean = Float64Array.from(
      this.own,
      ({ variance }) => Math.exp(2 * (this.shared.variance + variance)) * BURST_MEAN,
    );
  }

  /** Variance in an hour, relative to its mean over all hours. */
  variance(series: number, hour: number): number {
    const own = this.own[series]?.at(hour) ?? 0;
    return Math.exp(2 * (this.sharedAt(hour) + own)) / (this.mean[series] ?? 1);
  }

  private sharedAt(hour: number): number {
    const { known } = this;
    if (known.hour !== hour) {
      known.hour = hour;
      known.log = this.shared.at(hour) + this.burst(hour);
    }
    return known.log;
  }

  /** Log volatility that the strongest of the latest bursts still adds. */
  private burst(hour: number): number {
    let most = 0;
    for (const [ago, faded] of FADED.entries()) {
      if (uniformAt(this.burstBegins, hour - ago) * BURST_EVERY_HOURS >= 1) continue;
      most = Math.max(most, faded * BURST * (0.5 + uniformAt(this.burstHeight, hour - ago)));
    }
    return most;
  }
}

/** E[e^(2b)] of a burst b = ∫ 2 e^(2y) P(b > y) dy + 1, so that bursts do not raise the mean variance. */
const BURST_MEAN = meanBurst();

function meanBurst(): number {
  const most = 1.5 * BURST;
  const pieces = 400;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const y = (most * (piece + 0.5)) / pieces;
    let below = 1;
    for (const faded of FADED) {
      below *= 1 - Math.min(1, Math.max(0, 1.5 - y / (BURST * faded))) / BURST_EVERY_HOURS;
    }
    sum += (2 * Math.exp(2 * y) * (1 - below) * most) / pieces;
  }
  return 1 + sum;
}
