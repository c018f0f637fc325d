/** Executions of one holder of a mandate that ended within 24 hours and a while before, and what they have opened together. */
import { minus, NOTHING, plus, type Scaled } from '../../domain/scaled.ts';

/** Ends beyond a day that may be kept before they are let go together. */
const MANY = 1_024;

/**
 * Oldest first, in columns: every order under a mandate stays here for a day, and objects that live so long are what the
 * garbage collector copies.
 */
export class EndedExecutions {
  #ids: string[] = [];
  #units: Scaled['units'][] = [];
  #places: number[] = [];
  /** Uptime, ms. */
  #at: number[] = [];
  /** Those before it have passed their day. */
  #first = 0;
  #usd = NOTHING;

  /** Of those that count. */
  get usd(): Scaled {
    return this.#usd;
  }

  /** @param at uptime, ms: not before that of the one added last, but for what is followed by `sort` */
  add(id: string, usd: Scaled, at: number): void {
    this.#ids.push(id);
    this.#units.push(usd.units);
    this.#places.push(usd.places);
    this.#at.push(at);
    this.#usd = plus(this.#usd, usd);
  }

  /** To be called after they were added in any order. */
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

  /** Counts another amount for one that still counts. */
  change(id: string, usd: Scaled): void {
    const index = this.#ids.indexOf(id, this.#first);
    if (index < 0) return;
    this.#usd = minus(plus(this.#usd, usd), this.#amount(index));
    this.#units[index] = usd.units;
    this.#places[index] = usd.places;
  }

  /** Counts no more what ended until then. @param time uptime, ms */
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
