/** Traded volume and open interest: calibrated levels times slowly wandering factors, whole US dollars. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { RandomState } from './random.ts';
import { Random } from './random.ts';

export interface TurnoverState {
  readonly random: RandomState;
  readonly volume: readonly number[];
  readonly interest: readonly number[];
}

const MINUTES_PER_DAY = 1440;
/**
 * How long the factors remember their value: a rolling 24 h sum changes over a day, open interest over a few days.
 */
const VOLUME_MEMORY_MINUTES = MINUTES_PER_DAY;
const INTEREST_MEMORY_MINUTES = 4 * MINUTES_PER_DAY;
const VOLUME_DEVIATION = 0.3;
const INTEREST_DEVIATION = 0.15;

export class TurnoverProcess {
  private readonly dailyUsd: Float64Array;
  private readonly interestUsd: Float64Array;
  /** Standardised log factors. */
  private readonly volume: Float64Array;
  private readonly interest: Float64Array;
  private readonly random: Random;

  constructor(usdPerMinute: readonly number[], seed: number) {
    this.random = new Random(seed, 5);
    this.dailyUsd = Float64Array.from(usdPerMinute, (usd) => usd * MINUTES_PER_DAY);
    // Open interest of listed perps is of the order of a day's volume, more than that in less traded perps.
    this.interestUsd = Float64Array.from(
      usdPerMinute,
      (usd) => 0.7 * usd * MINUTES_PER_DAY * (3.1e6 / usd) ** 0.12,
    );
    this.volume = Float64Array.from(usdPerMinute, () => this.random.normal());
    this.interest = Float64Array.from(usdPerMinute, () => this.random.normal());
  }

  /** Moves on by `minutes`. */
  advance(minutes: number): void {
    this.move(this.volume, Math.exp(-minutes / VOLUME_MEMORY_MINUTES));
    this.move(this.interest, Math.exp(-minutes / INTEREST_MEMORY_MINUTES));
  }

  volume24h(i: number): DecimalString {
    return wholeUsd((this.dailyUsd[i] ?? 0) * Math.exp(VOLUME_DEVIATION * (this.volume[i] ?? 0)));
  }

  openInterest(i: number): DecimalString {
    return wholeUsd((this.interestUsd[i] ?? 0) * Math.exp(INTEREST_DEVIATION * (this.interest[i] ?? 0)));
  }

  state(): TurnoverState {
    return { random: this.random.state(), volume: [...this.volume], interest: [...this.interest] };
  }

  restore(state: TurnoverState): void {
    this.random.restore(state.random);
    this.volume.set(state.volume);
    this.interest.set(state.interest);
  }

  private move(factor: Float64Array, kept: number): void {
    const fresh = Math.sqrt(1 - kept * kept);
    for (let i = 0; i < factor.length; i += 1) {
      factor[i] = kept * (factor[i] ?? 0) + fresh * this.random.normal();
    }
  }
}

function wholeUsd(usd: number): DecimalString {
  return Math.round(usd).toString();
}
