/**
 * Distance that prices may move before a level of a gauge could be crossed. Computed in floats; decimals decide
 * doubtful cases.
 *
 * A gauge has a coordinate x that is linear in the coordinates of its legs, and a gross weight G:
 *
 *   POWER   x = Σ e ln p                 G = Σ |e|        level T stands at ln T
 *   LINEAR  x = Σ q p + constant         G = Σ |q| p      level T stands at T × divisor
 *
 * With d the distance from x to the nearest level in one direction, every leg may move by r = d ÷ G the harmful way,
 * all at once: ln p by r in a POWER gauge, p by the share r of itself in a LINEAR one. Then x has moved by at most
 * Σ |e| r = Σ |q| p r = d, and nothing was crossed. So the band of a leg ends at
 *
 *   POWER   p × exp(± r)                 LINEAR  p × (1 ± r)
 *
 * `SAFETY` is taken off every distance. It is far above the error of floats (some 1e-14 of the sizes involved) and of
 * rounding a weighted ratio to 12 figures (5e-12), and far below a tick.
 */
import type { FeedTable } from './feed-table.ts';
import { type GaugeTable, POWER } from './gauge-table.ts';

const SAFETY = 1e-9;

export class Reach {
  readonly #feeds: FeedTable;
  readonly #gauges: GaugeTable;
  #isPower = true;
  #x = 0;
  #gross = 0;
  /** Bound on the error of the coordinate, many times the real error. */
  #doubt = 0;
  #divisor = 1;

  constructor(feeds: FeedTable, gauges: GaugeTable) {
    this.#feeds = feeds;
    this.#gauges = gauges;
  }

  /** Reads the usable prices of a POWER or LINEAR gauge. All other methods refer to the gauge read last. */
  read(gauge: number): void {
    const [feeds, gauges] = [this.#feeds, this.#gauges];
    const end = gauges.endLeg(gauge);
    let x = 0;
    let gross = 0;
    this.#isPower = gauges.kind(gauge) === POWER;
    if (this.#isPower) {
      for (let leg = gauges.firstLeg(gauge); leg < end; leg += 1) {
        const factor = gauges.factor(leg);
        x += factor * Math.log(feeds.near(gauges.feed(leg)));
        gross += Math.abs(factor);
      }
      this.#doubt = SAFETY * (1 + gross);
    } else {
      for (let leg = gauges.firstLeg(gauge); leg < end; leg += 1) {
        const worth = gauges.factor(leg) * feeds.near(gauges.feed(leg));
        x += worth;
        gross += Math.abs(worth);
      }
      const { constant, divisor } = gauges.scale(gauge);
      const shift = Number(constant);
      x += shift;
      this.#divisor = Number(divisor);
      this.#doubt = SAFETY * (gross + Math.abs(shift));
    }
    this.#x = x;
    this.#gross = gross;
  }

  /** Allowed move r up to a level above; not > 0 if the level is or may be crossed. */
  upTo(level: number): number {
    const at = this.#standing(level);
    return (at - this.#x - this.#doubt) / this.#gross;
  }

  /** Allowed move r down to a level below; not > 0 if the level is or may be crossed. */
  downTo(level: number): number {
    const at = this.#standing(level);
    return (this.#x - at - this.#doubt) / this.#gross;
  }

  /** Upper bound of the gauge's value: levels above it are certainly not crossed upwards. */
  ceiling(): number {
    return this.#isPower ? Math.exp(this.#x + this.#doubt) : (this.#x + this.#doubt) / this.#divisor;
  }

  /** Lower bound of the gauge's value: levels below it are certainly not crossed downwards. */
  floor(): number {
    return this.#isPower ? Math.exp(this.#x - this.#doubt) : (this.#x - this.#doubt) / this.#divisor;
  }

  /** Factor from a price to the upper end of its band. If r is −Infinity the result is too: any price is outside. */
  rise(r: number): number {
    if (r === Number.NEGATIVE_INFINITY) return r;
    return this.#isPower ? Math.exp(r) : 1 + r;
  }

  /**
   * Factor from a price to the lower end of its band. If r is −Infinity the result is +Infinity: any price is outside.
   */
  fall(r: number): number {
    return this.#isPower ? Math.exp(-r) : 1 - r;
  }

  /** Coordinate of a level. A POWER gauge is always > 0, so levels of 0 and less are infinitely far below it. */
  #standing(level: number): number {
    return this.#isPower ? Math.log(Math.max(level, 0)) : level * this.#divisor;
  }
}
