/**
 * Live state: open positions, leverage settings, busy baskets, client order ids of the gateway's live orders. Rebuilt
 * from the store at start; changed only after the commit of the same change, so it is never ahead of the disk.
 */
import type { BracketRecord } from '../../domain/bracket-rounds.ts';
import { defaultLeverage } from '../../domain/margin.ts';
import type { Instrument, LeverageSetting, MarginMode, Position } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { Store } from '../ports/store.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { VenueFill } from '../ports/venue.ts';
import { Flights } from './flights.ts';
import { Gaps } from './gaps.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { UnassignedBook } from './unassigned-book.ts';

/** A place in the line for a basket. */
export interface BasketTurn {
  /** True: the basket was free and is claimed already. */
  readonly isNow: boolean;
  /** Resolves when the basket is claimed for this turn; the caller `release`s the basket in the end. */
  readonly come: Promise<void>;
  /** Leaves the line, or releases the basket. */
  giveUp(): void;
}

interface Waiting {
  readonly start: () => void;
}

export class Book {
  readonly #positions = new Map<string, Position>();
  readonly #byBasket = new Map<string, string>();
  readonly #leverage = new Map<string, LeverageSetting>();
  /** Account → basket key → action that holds the basket. An account without a busy basket has no entry. */
  readonly #busy = new Map<string, Map<string, string>>();
  readonly #liveOrders = new Map<string, (fill: VenueFill) => void>();
  readonly #held = new Set<string>();
  readonly #entered = new Map<string, number>();
  readonly #keepers: ((tradeAccountId: string) => boolean)[] = [];
  readonly #onIdle = new Map<string, Set<() => void>>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #setups = new Map<string, PositionSetup>();
  readonly unassigned = new UnassignedBook();
  readonly flights = new Flights();
  readonly gaps = new Gaps();
  /** Take-profit and stop-loss of a position that have not ended; the triggers' services set this function. */
  bracketsOf: (positionId: string) => readonly BracketRecord[] = () => [];
  /** Serialises read-change-commit of one position. */
  readonly positionQueue = new KeyedQueue();
  /** Serialises changes of one leverage setting: the setting that the venue was told last is the stored one. */
  readonly leverageQueue = new KeyedQueue();

  async load(
    store: Pick<
      Store,
      'openPositions' | 'unassignedLots' | 'leverage' | 'unfinishedExecutions' | 'positionSetup'
    >,
  ): Promise<void> {
    for (const position of await store.openPositions()) this.putPosition(position);
    this.unassigned.put(await store.unassignedLots());
    for (const setting of await store.leverage()) this.putLeverage(setting);
    for (const { id } of await store.unfinishedExecutions()) {
      const setup = await store.positionSetup(id);
      if (setup !== null) this.putSetup(id, setup);
    }
  }

  /** Setup that an unfinished execution is to put on the position that it leads to. */
  setupOf(executionId: string): PositionSetup | undefined {
    return this.#setups.get(executionId);
  }

  putSetup(executionId: string, setup: PositionSetup): void {
    this.#setups.set(executionId, setup);
  }

  dropSetup(executionId: string): void {
    this.#setups.delete(executionId);
  }

  position(id: string): Position | undefined {
    return this.#positions.get(id);
  }

  openPosition(tradeAccountId: string, basketKey: string): Position | undefined {
    const id = this.#byBasket.get(basketId(tradeAccountId, basketKey));
    return id === undefined ? undefined : this.#positions.get(id);
  }

  positionsOf(tradeAccountId: string): readonly Position[] {
    return [...this.#positions.values()].filter((position) => position.tradeAccountId === tradeAccountId);
  }

  /** Keeps open positions only: closed ones are read from the store. */
  putPosition(position: Position): void {
    const key = basketId(position.tradeAccountId, position.basketKey);
    if (position.status === 'OPEN') {
      this.#positions.set(position.id, position);
      this.#byBasket.set(key, position.id);
    } else {
      this.#positions.delete(position.id);
      if (this.#byBasket.get(key) === position.id) this.#byBasket.delete(key);
    }
  }

  leverageSettings(tradeAccountId: string): readonly LeverageSetting[] {
    return [...this.#leverage.values()].filter((setting) => setting.tradeAccountId === tradeAccountId);
  }

  leverage(tradeAccountId: string, symbol: string): LeverageSetting | undefined {
    return this.#leverage.get(`${tradeAccountId} ${symbol}`);
  }

  leverageOf(
    tradeAccountId: string,
    instrument: Instrument,
  ): { readonly leverage: number; readonly marginMode: MarginMode } {
    return (
      this.leverage(tradeAccountId, instrument.id) ?? {
        leverage: defaultLeverage(instrument),
        marginMode: 'cross',
      }
    );
  }

  putLeverage(setting: LeverageSetting): void {
    this.#leverage.set(`${setting.tradeAccountId} ${setting.symbol}`, setting);
  }

  /** Claims (account, basket) for one action; the answer is the present holder, or null when the claim is made. */
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
   * Claims the basket, or stands in line for it (`wait`); its holder releases it to the next in line. The error is the
   * holder: with `refuse` the action that has the basket, with both the account while it is being removed.
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

  /** Hands the claim on to another execution of the same basket (an unwind takes over from its parent). */
  handOver(tradeAccountId: string, basketKey: string, executionId: string): void {
    this.#busy.get(tradeAccountId)?.set(basketKey, executionId);
  }

  /** Frees the basket, or gives it to the next in line. */
  release(tradeAccountId: string, basketKey: string): void {
    const key = basketId(tradeAccountId, basketKey);
    const next = this.#waiting.get(key)?.shift();
    if (next !== undefined) {
      next.start();
      return;
    }
    this.#waiting.delete(key);
    const baskets = this.#busy.get(tradeAccountId);
    if (baskets?.delete(basketKey) !== true || baskets.size > 0) return;
    this.#busy.delete(tradeAccountId);
    const listeners = this.#onIdle.get(tradeAccountId);
    this.#onIdle.delete(tradeAccountId);
    for (const run of listeners ?? []) run();
  }

  /**
   * Keeps every new action off an account that has no position, no running execution and no waiting object, until the
   * returned function is called; null: the account is in use.
   */
  hold(tradeAccountId: string): (() => void) | null {
    if (this.isRunning(tradeAccountId) || this.positionsOf(tradeAccountId).length > 0) return null;
    if (this.#entered.has(tradeAccountId) || this.#keepers.some((needs) => needs(tradeAccountId)))
      return null;
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

  /** `needs` says whether an object waits on the account, which must not be removed meanwhile. */
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

  isRunning(tradeAccountId: string): boolean {
    return this.#busy.has(tradeAccountId);
  }

  /** Routes the account stream's fills of a live order to the code that runs the order. */
  watchOrder(clientOrderId: string, onFill: (fill: VenueFill) => void): void {
    this.#liveOrders.set(clientOrderId, onFill);
  }

  unwatchOrder(clientOrderId: string): void {
    this.#liveOrders.delete(clientOrderId);
  }

  /** True when the fill belongs to a live order of the gateway (and was handed over). */
  routeFill(fill: VenueFill): boolean {
    const onFill = fill.clientOrderId === null ? undefined : this.#liveOrders.get(fill.clientOrderId);
    if (onFill === undefined) return false;
    onFill(fill);
    return true;
  }
}

function basketId(tradeAccountId: string, basketKey: string): string {
  return `${tradeAccountId} ${basketKey}`;
}
