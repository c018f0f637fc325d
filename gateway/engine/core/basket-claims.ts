/**
 * Claims of baskets by actions, and the queue of actions that wait for a basket: one execution per basket at a time. A
 * whole account can be held too, while it is being removed.
 */
import type { Position } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { Unsubscribe } from '../ports/system.ts';

/** A place in the queue for a basket. */
export interface BasketTurn {
  /** True: the basket was free and is claimed already. */
  readonly isNow: boolean;
  /** Resolves when this turn has claimed the basket; the caller must `release` it in the end. */
  readonly come: Promise<void>;
  /** Leaves the queue; if the basket was claimed already, releases it. */
  giveUp(): void;
}

interface Waiting {
  readonly start: () => void;
}

export class BasketClaims {
  /** Account → basket key → action that holds the basket. An account without a busy basket has no entry. */
  readonly #busy = new Map<string, Map<string, string>>();
  readonly #held = new Set<string>();
  readonly #entered = new Map<string, number>();
  readonly #keepers: ((tradeAccountId: string) => boolean)[] = [];
  readonly #onIdle = new Map<string, Set<() => void>>();
  readonly #waiting = new Map<string, Waiting[]>();

  /** Claims a basket for one action. Returns the action that has claimed it already, or null: the claim succeeded. */
  claim(tradeAccountId: string, basketKey: string, executionId: string): string | null {
    if (this.#held.has(tradeAccountId)) return tradeAccountId;
    const baskets = this.#busy.get(tradeAccountId);
    if (baskets === undefined) {
      this.#busy.set(tradeAccountId, new Map([[basketKey, executionId]]));
      return null;
    }
    const holder = baskets.get(basketKey);
    if (holder !== undefined) return holder;
    baskets.set(basketKey, executionId);
    return null;
  }

  /**
   * Claims the basket, or joins the queue for it (with `wait`). The error names who holds it: the action that has
   * claimed the basket (only with `refuse`), or the removal of the account.
   */
  takeTurn(
    tradeAccountId: string,
    basketKey: string,
    whenBusy: 'refuse' | 'wait',
  ): Result<BasketTurn, string> {
    const holder = this.claim(tradeAccountId, basketKey, 'starting');
    if (holder === null) {
      const giveUp = () => this.release(tradeAccountId, basketKey);
      return ok({ isNow: true, come: Promise.resolve(), giveUp });
    }
    if (whenBusy === 'refuse' || this.#held.has(tradeAccountId)) return fail(holder);
    const key = basketId(tradeAccountId, basketKey);
    const line = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, line);
    let begin = () => {};
    const come = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const waiting: Waiting = { start: () => begin() };
    line.push(waiting);
    return ok({
      isNow: false,
      come,
      giveUp: () => {
        const place = line.indexOf(waiting);
        if (place === -1) this.release(tradeAccountId, basketKey);
        else line.splice(place, 1);
      },
    });
  }

  /** Hands the claim on to another execution of the same basket: an unwind takes over from its parent execution. */
  handOver(tradeAccountId: string, basketKey: string, executionId: string): void {
    this.#busy.get(tradeAccountId)?.set(basketKey, executionId);
  }

  /** Frees the basket, or hands it to the next action in the queue. */
  release(tradeAccountId: string, basketKey: string): void {
    if (this.#waiting.size > 0 && this.#startNext(basketId(tradeAccountId, basketKey))) return;
    const baskets = this.#busy.get(tradeAccountId);
    if (baskets?.delete(basketKey) !== true || baskets.size > 0) return;
    this.#busy.delete(tradeAccountId);
    const listeners = this.#onIdle.get(tradeAccountId);
    this.#onIdle.delete(tradeAccountId);
    for (const run of listeners ?? []) run();
  }

  /** @returns false: nobody waits for the basket */
  #startNext(key: string): boolean {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next.start();
    return next !== undefined;
  }

  /**
   * Keeps every new action off an account that has no position, no running execution and no waiting object, until the
   * returned function is called; null: the account is in use.
   */
  hold(tradeAccountId: string): (() => void) | null {
    if (this.isRunning(tradeAccountId) || this.#entered.has(tradeAccountId)) return null;
    if (this.#keepers.some((needs) => needs(tradeAccountId))) return null;
    this.#held.add(tradeAccountId);
    return () => this.#held.delete(tradeAccountId);
  }

  /** Keeps an account from being removed while a waiting object is made on it; null: the account is being removed. */
  enter(tradeAccountId: string): (() => void) | null {
    if (this.#held.has(tradeAccountId)) return null;
    this.#entered.set(tradeAccountId, (this.#entered.get(tradeAccountId) ?? 0) + 1);
    return () => {
      const left = (this.#entered.get(tradeAccountId) ?? 1) - 1;
      if (left > 0) this.#entered.set(tradeAccountId, left);
      else this.#entered.delete(tradeAccountId);
    };
  }

  /** Registers a check whether something on an account (a position, a waiting order) forbids its removal. */
  keepAccountsThat(needs: (tradeAccountId: string) => boolean): void {
    this.#keepers.push(needs);
  }

  /** Calls `run` once, when the account's last busy basket is released. */
  onceIdle(tradeAccountId: string, run: () => void): Unsubscribe {
    const listeners = this.#onIdle.get(tradeAccountId) ?? new Set();
    this.#onIdle.set(tradeAccountId, listeners);
    listeners.add(run);
    return () => listeners.delete(run);
  }

  /** Action that holds the basket. */
  holderOf({
    tradeAccountId,
    basketKey,
  }: Pick<Position, 'tradeAccountId' | 'basketKey'>): string | undefined {
    return this.#busy.get(tradeAccountId)?.get(basketKey);
  }

  isRunning(tradeAccountId: string): boolean {
    return this.#busy.has(tradeAccountId);
  }
}

function basketId(tradeAccountId: string, basketKey: string): string {
  return `${tradeAccountId} ${basketKey}`;
}
