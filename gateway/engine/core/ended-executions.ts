/** Executions of one holder of a mandate that ended within about 24 hours, with the sum of their opened notional. */
import { minus, NOTHING, plus, type Scaled } from '../../domain/scaled.ts';

/** Number of ends older than a day that may pile up before they are removed together. */
const MANY = 1_024;

/**
 * Ends, oldest first, in columns instead of objects. Every order under a mandate stays here for a day, and the garbage
 * collector copies long-lived objects.
 */
export class EndedExecutions {
  #ids: string[] = [];
  #units: Scaled['units'][] = [];
  #places: number[] = [];
  /** End of each execution: uptime, ms. */
  #at: number[] = [];
  /** Index of the first end within the last day. */
  #first = 0;
  #usd = NOTHING;

  /** Sum of the ends within the last day, USD. */
  get usd(): Scaled {
    return this.#usd;
  }

  /** @param at uptime, ms: not before the last one added, unless `sort` follows */
  add(id: string, usd: Scaled, at: number): void {
    this.#ids.push(id);
    this.#units.push(usd.units);
    this.#places.push(usd.places);
    this.#at.push(at);
    this.#usd = plus(this.#usd, usd);
  }

  /** Sorts the ends by time. To be called after ends were added in any order. */
  sort(): void {
    const [ids, units, places, times] = [this.#ids, this.#units, this.#places, this.#at];
    const order = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
    const sorted = <Value>(column: readonly Value[]) =>
      order.flatMap((index) => column.slice(index, index + 1));
    this.#ids = sorted(ids);
    this.#units = sorted(units);
    this.#places = sorted(places);
    this.#at = sorted(times);
  }

  /** Replaces the amount of an execution that still counts. */
  change(id: string, usd: Scaled): void {
    const index = this.#ids.indexOf(id, this.#first);
    if (index < 0) return;
    this.#usd = minus(plus(this.#usd, usd), this.#amount(index));
    this.#units[index] = usd.units;
    this.#places[index] = usd.places;
  }

  /** Stops counting the ends up to `time`. @param time uptime, ms */
  forgetUntil(time: number): void {
    for (;;) {
      const oldest = this.#at[this.#first];
      if (oldest === undefined || oldest > time) break;
      this.#usd = minus(this.#usd, this.#amount(this.#first));
      this.#first += 1;
    }
    if (this.#first === this.#at.length) this.#usd = NOTHING;
    if (this.#first <= MANY) return;
    this.#ids = this.#ids.slice(this.#first);
    this.#units = this.#units.slice(this.#first);
    this.#places = this.#places.slice(this.#first);
    this.#at = this.#at.slice(this.#first);
    this.#first = 0;
  }

  #amount(index: number): Scaled {
    return { units: this.#units[index] ?? 0, places: this.#places[index] ?? 0 };
  }
}
