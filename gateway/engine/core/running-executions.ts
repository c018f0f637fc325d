/** Executions of one holder of a mandate that have not ended, and what they have reserved together. */
import type { Execution, Reserved } from '../../domain/model.ts';
import { minus, NOTHING, plus, type Scaled, scaled } from '../../domain/scaled.ts';

/** A basket of an account. */
export interface Basket {
  readonly tradeAccountId: string;
  readonly basketKey: string;
}

/** An execution that has reserved something, as far as it counts. */
export type Reserving = Pick<
  Execution,
  'id' | 'authorityKind' | 'authorityId' | 'userId' | 'tradeAccountId' | 'basketKey' | 'reserved'
>;

/** One that counts. */
export interface Running extends Basket {
  readonly id: string;
  /** null counts as nothing. */
  readonly reserved: Reserved | null;
}

export function reservedUsd({ reserved }: Running): Scaled {
  return reserved === null ? NOTHING : scaled(reserved.usd);
}

/** By two keys, because a text made of both would be hashed for each. */
export class BasketSet {
  readonly #byAccount = new Map<string, Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ tradeAccountId, basketKey }: Basket): void {
    const keys = this.#byAccount.get(tradeAccountId) ?? new Set();
    if (keys.size === 0) this.#byAccount.set(tradeAccountId, keys);
    const before = keys.size;
    this.#size += keys.add(basketKey).size - before;
  }
}

/** Places that may be empty before they are let go together: what began after one that runs long is looked for among them. */
const MANY = 128;

/**
 * A plain list in the order in which they began: they end nearly in that order, so that one is found among the first.
 * A table of them, by id or by basket, would be the dearest part of a reservation where many run: it is hashed, grown and
 * cleared with every one. The list is gone through only where a limit of positions is near.
 */
export class RunningExecutions {
  #usd = NOTHING;
  /**
   * The executions as they were when they were counted: objects of our own beside each would live as long, and be most of what
   * a reservation costs. null: it has ended. Those before `#first` have.
   */
  #list: (Running | null)[] = [];
  #first = 0;
  #count = 0;
  #mostBaskets = 0;

  /** What they have reserved. */
  get usd(): Scaled {
    return this.#usd;
  }

  /** A bound of the number of baskets that they are on. */
  get mostBaskets(): number {
    return this.#mostBaskets;
  }

  /** Adds the baskets that they are on, apart from `without`. From here on the bound is as near as it can be. */
  addBaskets(all: BasketSet, without: Running | undefined): void {
    const own = new BasketSet();
    for (const one of this.#list) {
      if (one === null) continue;
      own.add(one);
      if (one !== without) all.add(one);
    }
    this.#mostBaskets = own.size;
  }

  get({ id }: Pick<Reserving, 'id'>): Running | undefined {
    return this.#list[this.#indexOf(id)] ?? undefined;
  }

  /** @param usd `reserved.usd` as a number */
  add(execution: Running, usd: Scaled): void {
    this.#list.push(execution);
    this.#usd = plus(this.#usd, usd);
    this.#count += 1;
    this.#mostBaskets += 1;
  }

  /** @returns how it counted; undefined: it did not */
  remove({ id }: Pick<Reserving, 'id'>): Running | undefined {
    const index = this.#indexOf(id);
    const one = this.#list[index];
    if (one === undefined || one === null) return undefined;
    this.#list[index] = null;
    this.#count -= 1;
    // Sums keep the places of whatever was among them: where nothing runs they begin anew.
    this.#usd = this.#count === 0 ? NOTHING : minus(this.#usd, reservedUsd(one));
    this.#mostBaskets = Math.min(this.#mostBaskets, this.#count);
    while (this.#first < this.#list.length && this.#list[this.#first] === null) this.#first += 1;
    if (this.#list.length > 2 * this.#count + MANY) {
      this.#list = this.#list.filter((other) => other !== null);
      this.#first = 0;
    }
    return one;
  }

  /** -1: it is not among them. */
  #indexOf(id: string): number {
    for (let index = this.#first; index < this.#list.length; index += 1)
      if (this.#list[index]?.id === id) return index;
    return -1;
  }
}
