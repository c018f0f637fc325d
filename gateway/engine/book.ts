/**
 * Live state: open positions, leverage settings, which basket is busy, which client order ids are ours. Rebuilt from the
 * store at start; changed only after the commit that says the same, so it is never ahead of the disk.
 */
import { defaultLeverage } from '../domain/margin.ts';
import type { Instrument, LeverageSetting, MarginMode, Position } from '../domain/model.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { Store, VenueFill } from './ports.ts';

export class Book {
  readonly #positions = new Map<string, Position>();
  readonly #byBasket = new Map<string, string>();
  readonly #leverage = new Map<string, LeverageSetting>();
  readonly #busy = new Map<string, string>();
  readonly #liveOrders = new Map<string, (fill: VenueFill) => void>();
  readonly #running = new Map<string, number>();
  readonly #held = new Set<string>();
  /** Serialises read-change-commit of one position. */
  readonly positionQueue = new KeyedQueue();
  /** Serialises changes of one leverage setting: what the venue was told last is what is kept. */
  readonly leverageQueue = new KeyedQueue();

  async load(store: Pick<Store, 'openPositions' | 'leverage'>): Promise<void> {
    for (const position of await store.openPositions()) this.putPosition(position);
    for (const setting of await store.leverage()) this.putLeverage(setting);
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

  /** Claims (account, basket) for one action; the answer is who holds it already, or null when it is now ours. */
  claim(tradeAccountId: string, basketKey: string, executionId: string): string | null {
    const key = basketId(tradeAccountId, basketKey);
    if (this.#held.has(tradeAccountId)) return tradeAccountId;
    const holder = this.#busy.get(key);
    if (holder !== undefined) return holder;
    this.#busy.set(key, executionId);
    this.#running.set(tradeAccountId, (this.#running.get(tradeAccountId) ?? 0) + 1);
    return null;
  }

  /** Hands the claim on to another execution of the same basket (an unwind takes over from its parent). */
  handOver(tradeAccountId: string, basketKey: string, executionId: string): void {
    this.#busy.set(basketId(tradeAccountId, basketKey), executionId);
  }

  release(tradeAccountId: string, basketKey: string): void {
    if (!this.#busy.delete(basketId(tradeAccountId, basketKey))) return;
    const left = (this.#running.get(tradeAccountId) ?? 1) - 1;
    if (left <= 0) this.#running.delete(tradeAccountId);
    else this.#running.set(tradeAccountId, left);
  }

  /**
   * Keeps every new execution off an account that holds no position and runs nothing, until the returned function is
   * called; null when it is in use.
   */
  hold(tradeAccountId: string): (() => void) | null {
    if (this.isRunning(tradeAccountId) || this.positionsOf(tradeAccountId).length > 0) return null;
    this.#held.add(tradeAccountId);
    return () => this.#held.delete(tradeAccountId);
  }

  isRunning(tradeAccountId: string): boolean {
    return this.#running.has(tradeAccountId);
  }

  /** Routes the account stream's fills of a live order to whoever runs it. */
  watchOrder(clientOrderId: string, onFill: (fill: VenueFill) => void): void {
    this.#liveOrders.set(clientOrderId, onFill);
  }

  unwatchOrder(clientOrderId: string): void {
    this.#liveOrders.delete(clientOrderId);
  }

  /** True when the fill belongs to a live order of ours (and was handed over). */
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
