/**
 * The index of each instrument at past minutes, relative to the market's first hour: the same returns as the live
 * process, added up. Only the levels of full hours and the shared series' latest hours are kept, and levels are
 * computed on demand only.
 */
import {
  ALT,
  emptyHour,
  HOUR_MS,
  type HourOfMinutes,
  type Loadings,
  loadingsOf,
  MARKET,
  MINUTES,
  ownSeries,
  type ReturnParameters,
  ReturnSeries,
} from './return-series.ts';

/** Number of hours whose minutes are kept, of the two series that all instruments share: 120 days of each, 6 MB. */
const KEPT_HOURS = 5_900;

export class IndexHistory {
  private readonly series: ReturnSeries;
  private readonly loadings: readonly Loadings[];
  private readonly origin: number;
  private readonly levels = new Map<number, Levels>();
  private readonly shared = new Map<string, HourOfMinutes>();
  private readonly own = emptyHour();

  /** @param startAt epoch ms; levels are relative to the hour that holds `startAt` */
  constructor(parameters: readonly ReturnParameters[], seed: number, startAt: number) {
    this.series = new ReturnSeries(parameters.length, seed);
    this.loadings = loadingsOf(parameters);
    this.origin = Math.floor(startAt / HOUR_MS);
  }

  /** Log index of instrument `i` at the beginning of an hour since the epoch. */
  level(i: number, hour: number): number {
    let levels = this.levels.get(i);
    if (levels === undefined) {
      levels = new Levels((of) => this.hour(i, of), this.origin);
      this.levels.set(i, levels);
    }
    return levels.at(hour);
  }

  /** Log index at a minute since the epoch. */
  at(i: number, minute: number): number {
    const hour = Math.floor(minute / MINUTES);
    const within = minute - hour * MINUTES;
    return within === 0 ? this.level(i, hour) : (this.points(i, hour).levels[within] ?? 0);
  }

  /** Log index at the beginning of each minute of the hour and at its end, and the variance of each minute's return. */
  points(i: number, hour: number): { readonly levels: Float64Array; readonly variances: Float64Array } {
    const levels = new Float64Array(MINUTES + 1);
    const variances = new Float64Array(MINUTES);
    const loading = this.loadings[i];
    if (loading === undefined) return { levels, variances };
    const { market, alt, own } = loading;
    const [m, a] = [this.sharedHour(MARKET, hour), this.sharedHour(ALT, hour)];
    if (own > 0) this.series.minutes(ownSeries(i), hour, this.own);
    const o = this.own;
    let level = this.level(i, hour);
    for (let k = 0; k < MINUTES; k += 1) {
      levels[k] = level;
      level += market * (m.returns[k] ?? 0) + alt * (a.returns[k] ?? 0) + own * (o.returns[k] ?? 0);
      variances[k] =
        market * market * (m.variances[k] ?? 0) +
        alt * alt * (a.variances[k] ?? 0) +
        own * own * (o.variances[k] ?? 0);
    }
    // Level of the next hour, not the sum of the minutes, which may differ in the last digit: hours join without a
    // step.
    levels[MINUTES] = this.level(i, hour + 1);
    return { levels, variances };
  }

  private hour(i: number, hour: number): number {
    const loading = this.loadings[i];
    if (loading === undefined) return 0;
    const { market, alt, own } = loading;
    const moved = market * this.series.hour(MARKET, hour) + alt * this.series.hour(ALT, hour);
    return own > 0 ? moved + own * this.series.hour(ownSeries(i), hour) : moved;
  }

  private sharedHour(series: number, hour: number): HourOfMinutes {
    const name = `${series} ${hour}`;
    const known = this.shared.get(name);
    if (known !== undefined) return known;
    const minutes = emptyHour();
    this.series.minutes(series, hour, minutes);
    this.shared.set(name, minutes);
    if (this.shared.size > KEPT_HOURS) {
      for (const oldest of this.shared.keys()) {
        this.shared.delete(oldest);
        break;
      }
    }
    return minutes;
  }
}

/** Sums of an instrument's hourly returns from the origin on, forwards and backwards, as far as they were asked for. */
class Levels {
  private readonly returnOf: (hour: number) => number;
  private readonly origin: number;
  private readonly after: number[] = [0];
  private readonly before: number[] = [0];

  constructor(returnOf: (hour: number) => number, origin: number) {
    this.returnOf = returnOf;
    this.origin = origin;
  }

  at(hour: number): number {
    const { after, before, origin } = this;
    const away = hour - origin;
    while (after.length <= away) {
      after.push((after.at(-1) ?? 0) + this.returnOf(origin + after.length - 1));
    }
    while (before.length <= -away) {
      before.push((before.at(-1) ?? 0) - this.returnOf(origin - before.length));
    }
    return (away < 0 ? before[-away] : after[away]) ?? 0;
  }
}
