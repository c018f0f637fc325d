/**
 * Live index prices: the returns of `return-series.ts`, walked in steps. Inside a minute each series is a Brownian bridge to
 * its return of that minute, drawn from a stream of (seed, minute), so that the price at the end of a minute is the same
 * whether it was stepped to, jumped to or imagined later.
 *
 * Log prices are a random walk: nothing pulls them to where they were. Only a price that is more than LEASH away from the
 * instrument's first listing price loses the excess slowly (half of it in 90 days), so that after years no price is absurd.
 */

import type { RandomState } from './random.ts';
import { hash32, Random } from './random.ts';
import {
  ALT,
  emptyHour,
  HOUR_MS,
  type HourOfMinutes,
  type Loadings,
  loadingsOf,
  MARKET,
  MINUTE_MS,
  MINUTES,
  ownSeries,
  type ReturnParameters,
  ReturnSeries,
} from './return-series.ts';

export interface PriceParameters extends ReturnParameters {
  /** Price at the first start. */
  readonly price: number;
}

export interface PriceState {
  readonly seed: number;
  readonly random: RandomState;
  readonly logPrice: readonly number[];
  /**
   * Return that each series has made so far in the current minute; null: a snapshot of an earlier version, continued
   * from its prices.
   */
  readonly progress: readonly number[] | null;
}

export const STEP_MS = 100;
const STEPS_PER_MINUTE = MINUTE_MS / STEP_MS;
const JUMP_STREAM = 0x6a756d70;
/** Log distance from the first listing price that the leash leaves free: a factor of eight. */
const LEASH = Math.log(8);
const LEASH_PER_HOUR = 1 - 0.5 ** (1 / (90 * 24));

export class PriceProcess {
  readonly count: number;
  /** Natural logarithm of the index price. */
  readonly logPrice: Float64Array;
  /** Volatility of the running hour over its long-run mean, per instrument. */
  readonly stress: Float64Array;
  private readonly random: Random;
  private readonly home: Float64Array;
  private readonly loadings: readonly Loadings[];
  private seed: number;
  private series: ReturnSeries;
  /** Minutes of the running hour, per series. */
  private readonly minutes: readonly HourOfMinutes[];
  private hour = Number.NaN;
  /** Return, variance and its root of each series' running minute, and the part of the return made so far. */
  private readonly target: Float64Array;
  private readonly variance: Float64Array;
  private readonly deviation: Float64Array;
  private readonly progress: Float64Array;
  private readonly moved: Float64Array;

  constructor(parameters: readonly PriceParameters[], seed: number, startAt: number) {
    this.count = parameters.length;
    this.seed = seed;
    this.random = new Random(seed, 0);
    this.series = new ReturnSeries(this.count, seed);
    this.loadings = loadingsOf(parameters);
    this.logPrice = Float64Array.from(parameters, ({ price }) => Math.log(price));
    this.home = this.logPrice.slice();
    this.stress = new Float64Array(this.count).fill(1);
    this.minutes = Array.from({ length: this.series.count }, emptyHour);
    const numbers = () => new Float64Array(this.series.count);
    [this.target, this.variance, this.deviation] = [numbers(), numbers(), numbers()];
    [this.progress, this.moved] = [numbers(), numbers()];
    this.enterMinuteOf(startAt);
  }

  /** One step that ends at `at` (a multiple of STEP_MS). */
  step(at: number): void {
    const from = at - STEP_MS;
    if (from % MINUTE_MS === 0) this.beginMinute(from / MINUTE_MS);
    const { target, progress, deviation, moved, random } = this;
    const left = STEPS_PER_MINUTE - (from % MINUTE_MS) / STEP_MS;
    const noise = Math.sqrt((left - 1) / left / STEPS_PER_MINUTE);
    for (let k = 0; k < moved.length; k += 1) {
      const step =
        (read(target, k) - read(progress, k)) / left + noise * read(deviation, k) * random.normal();
      moved[k] = step;
      progress[k] = read(progress, k) + step;
    }
    this.move();
    if (at % HOUR_MS === 0) this.holdLeash();
  }

  /** The whole stretch from `from` to `to`: the same prices at whole minutes as step by step. */
  jump(from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (at % HOUR_MS === 0 && to - at >= HOUR_MS) {
        this.wholeHour(at / HOUR_MS);
        at += HOUR_MS;
      } else {
        if (at % MINUTE_MS === 0) this.beginMinute(at / MINUTE_MS);
        const next = Math.min(to, at + MINUTE_MS - (at % MINUTE_MS));
        this.bridge(at, next);
        at = next;
      }
      if (at % HOUR_MS === 0) this.holdLeash();
    }
  }

  /** Sets one price to `logPrice`. */
  place(i: number, logPrice: number): void {
    this.logPrice[i] = logPrice;
  }

  /** Log price of each instrument at the full hour `hoursAgo` hours before that of `at` (now), relative to now. */
  hoursBefore(at: number, hoursAgo: number): readonly Float64Array[] {
    const hour = Math.floor(at / HOUR_MS);
    const { moved } = this;
    if (at % HOUR_MS === 0) moved.fill(0);
    else this.moveSince(runningMinute(at) % MINUTES);
    const levels: Float64Array[] = [];
    const level = new Float64Array(this.count);
    for (let ago = 0; ago <= hoursAgo; ago += 1) {
      if (ago > 0) for (let k = 0; k < moved.length; k += 1) moved[k] = this.series.hour(k, hour - ago);
      for (let i = 0; i < this.count; i += 1) level[i] = read(level, i) - this.movedBy(i);
      levels.push(level.slice());
    }
    return levels;
  }

  state(): PriceState {
    return {
      seed: this.seed,
      random: this.random.state(),
      logPrice: [...this.logPrice],
      progress: [...this.progress],
    };
  }

  /** @param at market time of the state */
  restore(state: PriceState, at: number): void {
    if (state.seed !== this.seed) this.series = new ReturnSeries(this.count, state.seed);
    this.seed = state.seed;
    this.logPrice.set(state.logPrice);
    this.hour = Number.NaN;
    this.enterMinuteOf(at);
    if (state.progress !== null) this.progress.set(state.progress);
    this.random.restore(state.random);
  }

  /** Sets `moved` to the returns since the running hour began. @param minute running minute within the hour */
  private moveSince(minute: number): void {
    this.moved.set(this.progress);
    for (const [k, { returns }] of this.minutes.entries()) {
      for (let m = 0; m < minute; m += 1) this.moved[k] = read(this.moved, k) + read(returns, m);
    }
  }

  /**
   * Enters the minute that is running (or has just ended), as if the elapsed share of its return had been made
   * already.
   */
  private enterMinuteOf(at: number): void {
    const minute = runningMinute(at);
    const over = at / MINUTE_MS - minute;
    this.beginMinute(minute);
    for (let k = 0; k < this.target.length; k += 1) this.progress[k] = over * read(this.target, k);
  }

  private beginMinute(minute: number): void {
    const hour = Math.floor(minute / MINUTES);
    if (hour !== this.hour) this.beginHour(hour);
    const within = minute - hour * MINUTES;
    for (const [k, { returns, variances }] of this.minutes.entries()) {
      this.target[k] = read(returns, within);
      this.variance[k] = read(variances, within);
      this.deviation[k] = Math.sqrt(read(variances, within));
    }
    this.progress.fill(0);
    this.random.reseed(this.seed, minute);
  }

  private beginHour(hour: number): void {
    this.hour = hour;
    for (const [k, minutes] of this.minutes.entries()) {
      this.series.minutes(k, hour, minutes);
      this.variance[k] = this.series.variance(k, hour);
    }
    this.feel(this.variance);
  }

  private wholeHour(hour: number): void {
    const { moved, variance } = this;
    for (let k = 0; k < moved.length; k += 1) {
      const ofHour = this.series.variance(k, hour);
      variance[k] = ofHour;
      moved[k] = this.series.hour(k, hour, ofHour);
    }
    this.move();
    this.feel(variance);
  }

  /** Moves from `from` to `to`, both within the running minute, in one random draw. */
  private bridge(from: number, to: number): void {
    const { target, progress, deviation, moved, random } = this;
    const left = MINUTE_MS - (from % MINUTE_MS);
    const share = (to - from) / left;
    const noise = Math.sqrt(((to - from) / MINUTE_MS) * (1 - share));
    if (share < 1) random.reseed(this.seed, hash32(JUMP_STREAM, to));
    for (let k = 0; k < moved.length; k += 1) {
      const rest = read(target, k) - read(progress, k);
      const step = share < 1 ? share * rest + noise * read(deviation, k) * random.normal() : rest;
      moved[k] = step;
      progress[k] = read(progress, k) + step;
    }
    this.move();
  }

  /** Adds the series' returns to the instruments' log prices. */
  private move(): void {
    for (let i = 0; i < this.count; i += 1) this.logPrice[i] = read(this.logPrice, i) + this.movedBy(i);
  }

  private movedBy(i: number): number {
    const loading = this.loadings[i];
    if (loading === undefined) return 0;
    const { moved } = this;
    return (
      loading.market * read(moved, MARKET) +
      loading.alt * read(moved, ALT) +
      loading.own * read(moved, ownSeries(i))
    );
  }

  /**
   * Sets each instrument's stress from its series.
   * @param hour variance of each series in the hour
   */
  private feel(hour: Float64Array): void {
    for (const [i, { market, alt, own }] of this.loadings.entries()) {
      const [m, a, o] = [market * market, alt * alt, own * own];
      const now = m * read(hour, MARKET) + a * read(hour, ALT) + o * read(hour, ownSeries(i));
      this.stress[i] = Math.sqrt(now / (m + a + o) / MINUTES);
    }
  }

  private holdLeash(): void {
    for (let i = 0; i < this.count; i += 1) {
      const away = read(this.logPrice, i) - read(this.home, i);
      const excess = Math.abs(away) - LEASH;
      if (excess > 0) this.logPrice[i] = read(this.logPrice, i) - Math.sign(away) * excess * LEASH_PER_HOUR;
    }
  }
}

/** Running minute since the epoch; at a full minute, the minute that has just ended. */
function runningMinute(at: number): number {
  return Math.ceil(at / MINUTE_MS) - 1;
}

/** Typed arrays are only read within bounds here; the fallback value just satisfies the compiler. */
function read(array: Float64Array, i: number): number {
  return array[i] ?? 0;
}
