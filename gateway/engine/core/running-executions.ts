/** Executions of one holder of a mandate that have not ended, by their basket, and what they have reserved together. */
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

export interface Running {
  readonly id: string;
  /** It was counted as an order that was asked for. */
  readonly asked: boolean;
  readonly usd: Scaled;
}

/**
 * Those of a basket are found by looking through them, because nearly always they are one. A table of all by their ids
 * would be the dearest part of a reservation where many run: it grows, and is hashed anew, with every one.
 */
export class RunningExecutions {
  #usd = NOTHING;
  /** Account → basket key → executions, at least one. */
  readonly #baskets = new Map<string, Map<string, Running[]>>();

  /** What they have reserved. */
  get usd(): Scaled {
    return this.#usd;
  }

  /** Number of baskets that they are on. */
  get baskets(): number {
    let count = 0;
    for (const baskets of this.#baskets.values()) count += baskets.size;
    return count;
  }

  *all(): Iterable<Basket> {
    for (const [tradeAccountId, baskets] of this.#baskets)
      for (const basketKey of baskets.keys()) yield { tradeAccountId, basketKey };
  }

  /** Whether one is on the basket, apart from `without`. */
  isOn({ tradeAccountId, basketKey }: Basket, without?: Running): boolean {
    const running = this.#baskets.get(tradeAccountId)?.get(basketKey);
    return running?.some((one) => one !== without) === true;
  }

  get({ id, tradeAccountId, basketKey }: Reserving): Running | undefined {
    const running = this.#baskets.get(tradeAccountId)?.get(basketKey);
    return running?.find((one) => one.id === id);
  }

  add({ id, tradeAccountId, basketKey }: Reserving, { usd, asked }: Reserved): void {
    const one: Running = { id, asked, usd: scaled(usd) };
    this.#usd = plus(this.#usd, one.usd);
    const baskets = this.#baskets.get(tradeAccountId);
    const running = baskets?.get(basketKey);
    if (baskets === undefined) this.#baskets.set(tradeAccountId, new Map([[basketKey, [one]]]));
    else if (running === undefined) baskets.set(basketKey, [one]);
    else running.push(one);
  }

  /** @returns how it counted; undefined: it did not */
  remove(execution: Reserving): Running | undefined {
    const one = this.get(execution);
    if (one === undefined) return undefined;
    this.#usd = minus(this.#usd, one.usd);
    const baskets = this.#baskets.get(execution.tradeAccountId);
    const left = baskets?.get(execution.basketKey)?.filter((other) => other !== one) ?? [];
    if (left.length > 0) baskets?.set(execution.basketKey, left);
    else baskets?.delete(execution.basketKey);
    return one;
  }
}
