/**
 * Premium of the perp over its index. The basis (log mid − log index) reverts within minutes to a level that follows
 * the funding rate; the mark price carries a slow average of the basis, as on real venues, so that one print cannot
 * liquidate anybody.
 */
import type { RandomState } from './random.ts';
import { Random } from './random.ts';

export interface PremiumState {
  readonly random: RandomState;
  readonly basis: readonly number[];
  readonly smoothed: readonly number[];
}

const SECONDS_OF_MEMORY = 420;
const SMOOTHING_SECONDS = 30;
const KEPT_PER_SECOND = Math.exp(-1 / SECONDS_OF_MEMORY);
const FRESH_PER_SECOND = Math.sqrt(1 - KEPT_PER_SECOND * KEPT_PER_SECOND);
/** Venues charge the premium over eight hours; about half of it is visible in the price at any time. */
const PREMIUM_PER_HOURLY_RATE = 4;
const MAX_PREMIUM = 0.005;

export class PremiumProcess {
  /** log mid − log index */
  readonly basis: Float64Array;
  /** log mark − log index */
  readonly smoothed: Float64Array;
  private readonly deviation: Float64Array;
  private readonly random: Random;

  /** `deviation`: standard deviation of each instrument's basis around its level. */
  constructor(deviation: readonly number[], seed: number) {
    this.deviation = Float64Array.from(deviation);
    this.basis = new Float64Array(deviation.length);
    this.smoothed = new Float64Array(deviation.length);
    this.random = new Random(seed, 4);
  }

  /** Moves on by one second; `excess` is the hourly funding rate above the interest level. */
  second(excess: (i: number) => number): void {
    for (let i = 0; i < this.basis.length; i += 1) {
      const level = premiumLevel(excess(i));
      const away = ((this.basis[i] ?? 0) - level) * KEPT_PER_SECOND;
      const basis = level + away + (this.deviation[i] ?? 0) * FRESH_PER_SECOND * this.random.normal();
      this.basis[i] = basis;
      this.smoothed[i] = (this.smoothed[i] ?? 0) + (basis - (this.smoothed[i] ?? 0)) / SMOOTHING_SECONDS;
    }
  }

  /** Moves on by a stretch so long that the old basis no longer matters. */
  jump(excess: (i: number) => number): void {
    for (let i = 0; i < this.basis.length; i += 1) {
      const level = premiumLevel(excess(i));
      this.basis[i] = level + (this.deviation[i] ?? 0) * this.random.normal();
      this.smoothed[i] = level;
    }
  }

  state(): PremiumState {
    return { random: this.random.state(), basis: [...this.basis], smoothed: [...this.smoothed] };
  }

  restore(state: PremiumState): void {
    this.random.restore(state.random);
    this.basis.set(state.basis);
    this.smoothed.set(state.smoothed);
  }
}

function premiumLevel(excess: number): number {
  return Math.max(-MAX_PREMIUM, Math.min(MAX_PREMIUM, excess * PREMIUM_PER_HOURLY_RATE));
}
