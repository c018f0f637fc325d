/** The last 24 hours of each price, hourly points in units of its grid: what `price24hAgo` is read from. */
import { HOUR_MS } from './funding-process.ts';

/** Number of hourly points: both around the time 24 hours ago, and all between that time and the present. */
export const POINTS = 25;

export class DayHistory {
  private readonly units: Float64Array;

  constructor(instruments: number) {
    this.units = new Float64Array(instruments * POINTS);
  }

  /** Fills the day before `startAt` (and its running hour) with `price(i, hoursAgo)`, in units. */
  seed(startAt: number, price: (i: number, hoursAgo: number) => number): void {
    const hour = Math.floor(startAt / HOUR_MS);
    for (let i = 0; i * POINTS < this.units.length; i += 1) {
      for (let ago = 0; ago < POINTS; ago += 1) {
        this.units[i * POINTS + ((hour - ago) % POINTS)] = Math.round(price(i, ago));
      }
    }
  }

  /** Price of instrument `i` at the full hour `at`. */
  record(i: number, at: number, units: number): void {
    this.units[i * POINTS + ((at / HOUR_MS) % POINTS)] = units;
  }

  /** Price 24 hours before `at`, linear between the hours; a float number of units. */
  dayAgo(i: number, at: number): number {
    const hours = at / HOUR_MS - 24;
    const before = Math.floor(hours);
    const from = this.units[i * POINTS + (before % POINTS)] ?? 0;
    const to = this.units[i * POINTS + ((before + 1) % POINTS)] ?? 0;
    return from + (to - from) * (hours - before);
  }

  state(): readonly number[] {
    return [...this.units];
  }

  restore(state: readonly number[]): void {
    this.units.set(state);
  }
}
