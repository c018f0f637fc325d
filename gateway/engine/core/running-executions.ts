/** Executions of one holder of a mandate that have not ended, with the sum of their reservations. */
import type { Execution, Reserved } from '../../domain/model.ts';
import { minus, NOTHING, plus, type Scaled, scaled } from '../../domain/scaled.ts';

/** A basket of an account. */
export interface Basket {
  readonly tradeAccountId: string;
  readonly basketKey: string;
}

/** Execution with a reservation, as far as it counts. */
export type Reserving = Pick<
  Execution,
  'id' | 'authorityKind' | 'authorityId' | 'userId' | 'tradeAccountId' | 'basketKey' | 'reserved'
>;

/** Execution that counts. */
export interface Running extends Basket {
  readonly id: string;
  /** null counts as 0. */
  readonly reserved: Reserved | null;
}

export function reservedUsd({ reserved }: Running): Scaled {
  return reserved === null ? NOTHING : scaled(reserved.usd);
}

/** Set of baskets. Two keys, because a combined text would be hashed each time. */
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

/** Empty places that may pile up before they are removed together. Lookups behind a long execution scan them. */
const MANY = 128;

/**
 * A plain list in starting order. Executions end nearly in that order, so a lookup finds one among the first. A table
 * by id or basket would be the most expensive part of a reservation, as it is hashed, grown and cleared with each. The
 * list is scanned only if a position limit is near.
 */
export class RunningExecutions {
  #usd = NOTHING;
  /**
   * Executions as they were when counted; null: ended. Objects of our own beside each would live as long, and would be
   * most of the cost of a reservation. All before `#first` have ended.
   */
  #list: (Running | null)[] = [];
  #first = 0;
  #count = 0;
  #mostBaskets = 0;

  /** Sum of the reservations, USD. */
  get usd(): Scaled {
    return this.#usd;
  }

  /** Upper bound of the number of baskets on which they run. */
  get mostBaskets(): number {
    return this.#mostBaskets;
  }

  /** Adds their baskets to `all`, apart from `without`. Also makes the upper bound exact. */
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

  /** @returns the execution as it was counted; undefined: it was not */
  remove({ id }: Pick<Reserving, 'id'>): Running | undefined {
    const index = this.#indexOf(id);
    const one = this.#list[index];
    if (one === undefined || one === null) return undefined;
    this.#list[index] = null;
    this.#count -= 1;
    // Sums keep the decimal places of earlier amounts. They start again from 0 when nothing runs.
    this.#usd = this.#count === 0 ? NOTHING : minus(this.#usd, reservedUsd(one));
    this.#mostBaskets = Math.min(this.#mostBaskets, this.#count);
    while (this.#first < this.#list.length && this.#list[this.#first] === null) this.#first += 1;
    if (this.#list.length > 2 * this.#count + MANY) {
      this.#list = this.#list.filter((other) => other !== null);
      this.#first = 0;
    }
    return one;
  }

  /** Index of an execution; -1: not in the list. */
  #indexOf(id: string): number {
    for (let index = this.#first; index < this.#list.length; index += 1)
      if (this.#list[index]?.id === id) return index;
    return -1;
  }
}
