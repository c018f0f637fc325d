/**
 * Index prices: one market factor (BTC, instrument 0), a factor the altcoins share, and noise of their own.
 *
 * Within a minute of market time volatility is constant and steps are normal; at each minute it is drawn anew (see
 * tail-fit.ts), so one-minute returns have the measured variance, Student-t tails and clustering volatility. Log prices
 * are pulled to an anchor which itself follows slowly: over weeks prices wander, but do not run away.
 *
 * The noise of a minute is seeded by (seed, minute): two venues with one seed see one index, and what happened before
 * does not change what happens next.
 */
import { ALT_FACTOR_SHARE } from './calibration.ts';
import type { RandomState } from './random.ts';
import { hash32, Random } from './random.ts';
import { fitTails, type TailParameters } from './tail-fit.ts';

export interface PriceParameters {
  readonly price: number;
  readonly sigma: number;
  readonly beta: number;
  readonly idioSigma: number;
  readonly kurtosis: number;
  readonly absReturnAc1: number;
}

export interface PriceState {
  readonly seed: number;
  readonly random: RandomState;
  readonly logPrice: readonly number[];
  readonly anchor: readonly number[];
  readonly volatility: readonly number[];
  readonly marketVolatility: number;
  readonly stepSigma: readonly number[];
  readonly altSigma: number;
  readonly stress: readonly number[];
}

export const STEP_MS = 100;
const MINUTE_MS = 60_000;
const STEPS_PER_MINUTE = MINUTE_MS / STEP_MS;
const MINUTES_PER_DAY = 1440;
/** Log volatility forgets over some 70 minutes: measured autocorrelation of |r| is halved after about an hour. */
const PERSISTENCE = Math.exp(-1 / 70);
/** Share of the log volatility's variance that all instruments have in common. */
const SHARED_VOLATILITY = 0.8;
/** Half of a distance to the anchor is gone after ten days … */
const PULL_PER_MINUTE = Math.LN2 / (10 * MINUTES_PER_DAY);
/** … while the anchor comes half way to the price in sixty. */
const FOLLOW_PER_MINUTE = Math.LN2 / (60 * MINUTES_PER_DAY);
const ALT_DEGREES = 8;
const ALT_VARIANCE = 0.13;
const JUMP_STREAM = 0x6a756d70;

/** Fitted once for both venues: the fit is a good part of what opening a market costs. */
const fittedTails = new WeakMap<PriceParameters, TailParameters>();

function tailsOf(parameters: PriceParameters): TailParameters {
  const known = fittedTails.get(parameters);
  if (known !== undefined) return known;
  const fitted = fitTails(parameters.kurtosis, parameters.absReturnAc1, PERSISTENCE);
  fittedTails.set(parameters, fitted);
  return fitted;
}

export class PriceProcess {
  readonly count: number;
  /** Natural logarithm of the index price. */
  readonly logPrice: Float64Array;
  /** Current volatility over its long-run mean, per instrument. */
  readonly stress: Float64Array;
  private readonly random: Random;
  private seed: number;
  private readonly anchor: Float64Array;
  private readonly beta: Float64Array;
  private readonly ownSigma: Float64Array;
  private readonly altLoading: Float64Array;
  private readonly variance: Float64Array;
  private readonly degrees: Float64Array;
  /** Standardised own log volatility; that of BTC is `marketVolatility`. */
  private readonly volatility: Float64Array;
  private marketVolatility = 0;
  private readonly stepSigma: Float64Array;
  private altSigma = 0;

  constructor(parameters: readonly PriceParameters[], seed: number, startAt: number) {
    this.count = parameters.length;
    this.seed = seed;
    this.random = new Random(seed, 0);
    const column = (of: (p: PriceParameters, i: number) => number) => Float64Array.from(parameters, of);
    const tails = parameters.map(tailsOf);
    this.logPrice = column((p) => Math.log(p.price));
    this.anchor = this.logPrice.slice();
    this.stress = new Float64Array(this.count).fill(1);
    this.beta = column((p, i) => (i === 0 ? 0 : p.beta));
    this.ownSigma = column((p, i) => (i === 0 ? p.sigma : p.idioSigma * Math.sqrt(1 - ALT_FACTOR_SHARE)));
    this.altLoading = column((p, i) => (i === 0 ? 0 : p.idioSigma * Math.sqrt(ALT_FACTOR_SHARE)));
    this.variance = Float64Array.from(tails, (t) => t.logVolatilityVariance);
    this.degrees = Float64Array.from(tails, (t) => t.degreesOfFreedom);
    this.volatility = new Float64Array(this.count);
    this.stepSigma = new Float64Array(this.count);
    this.drawMinute(Math.floor(startAt / MINUTE_MS));
  }

  /** One step that ends at `at` (a multiple of STEP_MS). */
  step(at: number): void {
    const from = at - STEP_MS;
    if (from % MINUTE_MS === 0) this.drawMinute(from / MINUTE_MS);
    const { logPrice, beta, altLoading, stepSigma, random } = this;
    const market = random.normal() * read(stepSigma, 0);
    const alt = random.normal() * this.altSigma;
    logPrice[0] = read(logPrice, 0) + market;
    for (let i = 1; i < this.count; i += 1) {
      logPrice[i] =
        read(logPrice, i) +
        read(beta, i) * market +
        read(altLoading, i) * alt +
        read(stepSigma, i) * random.normal();
    }
  }

  /** The whole stretch from `from` to `to` in one draw, its variance scaled by the length. */
  jump(from: number, to: number): void {
    const { random, logPrice, anchor } = this;
    const minutes = (to - from) / MINUTE_MS;
    const root = Math.sqrt(minutes);
    random.reseed(this.seed, hash32(JUMP_STREAM, to));
    const market = random.normal() * read(this.ownSigma, 0) * root;
    const alt = random.normal() * root;
    const remembered = Math.exp(-(PULL_PER_MINUTE + FOLLOW_PER_MINUTE) * minutes);
    const anchorShare = FOLLOW_PER_MINUTE / (PULL_PER_MINUTE + FOLLOW_PER_MINUTE);
    for (let i = 0; i < this.count; i += 1) {
      const own = i === 0 ? market : read(this.ownSigma, i) * random.normal() * root;
      const gap = (read(anchor, i) - read(logPrice, i)) * (1 - remembered);
      const move = read(this.beta, i) * market + read(this.altLoading, i) * alt + own;
      logPrice[i] = read(logPrice, i) + gap * (1 - anchorShare) + move;
      anchor[i] = read(anchor, i) - gap * anchorShare;
    }
    this.moveVolatility(PERSISTENCE ** minutes);
    this.drawMinute(Math.floor(to / MINUTE_MS));
  }

  /** Moves one price level and its anchor to `logPrice`. */
  place(i: number, logPrice: number): void {
    this.anchor[i] = read(this.anchor, i) + logPrice - read(this.logPrice, i);
    this.logPrice[i] = logPrice;
  }

  state(): PriceState {
    return {
      seed: this.seed,
      random: this.random.state(),
      logPrice: [...this.logPrice],
      anchor: [...this.anchor],
      volatility: [...this.volatility],
      marketVolatility: this.marketVolatility,
      stepSigma: [...this.stepSigma],
      altSigma: this.altSigma,
      stress: [...this.stress],
    };
  }

  restore(state: PriceState): void {
    this.seed = state.seed;
    this.random.restore(state.random);
    this.logPrice.set(state.logPrice);
    this.anchor.set(state.anchor);
    this.volatility.set(state.volatility);
    this.marketVolatility = state.marketVolatility;
    this.stepSigma.set(state.stepSigma);
    this.altSigma = state.altSigma;
    this.stress.set(state.stress);
  }

  private drawMinute(minute: number): void {
    const { random, logPrice, anchor } = this;
    random.reseed(this.seed, minute);
    this.moveVolatility(PERSISTENCE);
    const market = this.marketVolatility;
    for (let i = 0; i < this.count; i += 1) {
      const gap = read(anchor, i) - read(logPrice, i);
      logPrice[i] = read(logPrice, i) + gap * PULL_PER_MINUTE;
      anchor[i] = read(anchor, i) - gap * FOLLOW_PER_MINUTE;
      const mixed = SHARED_ROOT * market + OWN_ROOT * read(this.volatility, i);
      const v = read(this.variance, i);
      const clustered = Math.exp(Math.sqrt(v) * (i === 0 ? market : mixed) - v);
      this.stress[i] = clustered;
      this.stepSigma[i] = read(this.ownSigma, i) * clustered * this.tail(read(this.degrees, i)) * STEP_ROOT;
    }
    this.altSigma =
      Math.exp(Math.sqrt(ALT_VARIANCE) * market - ALT_VARIANCE) * this.tail(ALT_DEGREES) * STEP_ROOT;
  }

  /** √W: the minute's share in a Student-t return of unit variance. */
  private tail(degrees: number): number {
    return Math.sqrt((degrees - 2) / this.random.chiSquare(degrees));
  }

  private moveVolatility(kept: number): void {
    const fresh = Math.sqrt(1 - kept * kept);
    const { random, volatility } = this;
    this.marketVolatility = kept * this.marketVolatility + fresh * random.normal();
    for (let i = 0; i < this.count; i += 1) {
      volatility[i] = kept * read(volatility, i) + fresh * random.normal();
    }
  }
}

const SHARED_ROOT = Math.sqrt(SHARED_VOLATILITY);
const OWN_ROOT = Math.sqrt(1 - SHARED_VOLATILITY);
const STEP_ROOT = 1 / Math.sqrt(STEPS_PER_MINUTE);

/** Typed arrays are read inside their bounds here; the fallback only satisfies the compiler. */
function read(array: Float64Array, i: number): number {
  return array[i] ?? 0;
}
