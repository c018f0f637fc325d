/** Numbers the feeds, and keeps the latest value of each as text (exact) and as a float. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { PriceSource } from '../../../domain/measure.ts';
import type { Feed } from './armed-trigger.ts';
import { longerReals, real, roomier } from './columns.ts';

export class FeedTable {
  readonly #prices = new Map<string, Map<string, Record<PriceSource, number>>>();
  readonly #others = new Map<string, number>();
  readonly #feeds: (Feed | null)[] = [null];
  readonly #texts: DecimalString[] = [''];
  readonly #silent = new Set<number>();
  #near = new Float64Array(0);

  /** The feed's number, from 1, assigned at its first use. */
  number(feed: Feed): number {
    if (feed.kind === 'price') return this.price(feed.connector, feed.symbol, feed.source);
    const name = JSON.stringify([feed.connector, feed.name]);
    const known = this.#others.get(name);
    if (known !== undefined) return known;
    const number = this.#add(feed);
    this.#others.set(name, number);
    return number;
  }

  /** Number of an instrument's price feed. Used for ticks, because it needs no `Feed` object. */
  price(connector: string, symbol: string, source: PriceSource): number {
    let symbols = this.#prices.get(connector);
    if (symbols === undefined) {
      symbols = new Map();
      this.#prices.set(connector, symbols);
    }
    let sources = symbols.get(symbol);
    if (sources === undefined) {
      sources = { MARK: 0, LAST: 0, INDEX: 0 };
      symbols.set(symbol, sources);
    }
    if (sources[source] === 0) sources[source] = this.#add({ kind: 'price', connector, symbol, source });
    return sources[source];
  }

  /** Number of feeds. */
  get count(): number {
    return this.#feeds.length - 1;
  }

  named(number: number): Feed {
    const feed = this.#feeds[number];
    if (feed === undefined || feed === null) throw new RangeError(`no feed ${number}`);
    return feed;
  }

  /** The latest value, rounded to the nearest float; NaN before the first value. */
  near(number: number): number {
    return real(this.#near, number);
  }

  /** The latest value; undefined before the first one and while the feed is silent. */
  text(number: number): DecimalString | undefined {
    return this.isSilent(number) || Number.isNaN(this.near(number)) ? undefined : this.#texts[number];
  }

  /** True: the feed is usable in a basket, because it is not silent and its price is > 0. */
  isUsable(number: number): boolean {
    return this.near(number) > 0 && !this.isSilent(number);
  }

  /** Sets the feed's value and returns it as a float. */
  set(number: number, value: DecimalString): number {
    const near = Number(value);
    this.#near[number] = near;
    this.#texts[number] = value;
    return near;
  }

  isSilent(number: number): boolean {
    return this.#silent.size > 0 && this.#silent.has(number);
  }

  setSilent(number: number, silent: boolean): void {
    if (silent) this.#silent.add(number);
    else this.#silent.delete(number);
  }

  #add(feed: Feed): number {
    const number = this.#feeds.push(feed) - 1;
    this.#texts.push('');
    if (number >= this.#near.length) {
      this.#near = longerReals(this.#near, roomier(number, this.#near.length));
    }
    this.#near[number] = Number.NaN;
    return number;
  }
}
