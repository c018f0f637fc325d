/** Orders of the gateway at a venue, by client order id, with the account stream's reports about them. */
import type { OrderOutcome, VenueFill } from '../ports/venue.ts';

/** Report of the account stream about one attempt so far. */
export interface OrderReport {
  /** Fills so far. May hold a fill twice. */
  readonly fills: readonly VenueFill[];
  /** Latest reported state; null: none yet. Its fills are in `fills` too. */
  readonly outcome: OrderOutcome | null;
}

interface Watched {
  readonly fills: VenueFill[];
  outcome: OrderOutcome | null;
  /** Called at each report about the order; null: no listener. */
  onWord: (() => void) | null;
}

export class LiveOrders {
  readonly #orders = new Map<string, Watched>();
  /** Number of orders that each caller asks venues about. */
  readonly #askedAbout = new Map<object, number>();

  /** Collects the account stream's reports about the order from now on. A watched order stays watched. */
  watch(clientOrderId: string): void {
    if (!this.#orders.has(clientOrderId))
      this.#orders.set(clientOrderId, { fills: [], outcome: null, onWord: null });
  }

  unwatch(clientOrderId: string): void {
    this.#orders.delete(clientOrderId);
  }

  report(clientOrderId: string): OrderReport {
    return this.#orders.get(clientOrderId) ?? { fills: [], outcome: null };
  }

  /** Calls `listener` at the next reports about the orders; null: removes it. Each order has one listener. */
  onWord(clientOrderIds: readonly string[], listener: (() => void) | null): void {
    for (const id of clientOrderIds) {
      const watched = this.#orders.get(id);
      if (watched !== undefined) watched.onWord = listener;
    }
  }

  /** Sets the number of orders that `who` asks a venue about from now on. */
  asks(who: object, count: number): void {
    if (count === 0) this.#askedAbout.delete(who);
    else this.#askedAbout.set(who, count);
  }

  /** Number of orders that venues are being asked about. */
  get askedAbout(): number {
    let all = 0;
    for (const count of this.#askedAbout.values()) all += count;
    return all;
  }

  /** True when the fill belongs to a watched order (and was handed over). */
  routeFill(fill: VenueFill): boolean {
    const watched = fill.clientOrderId === null ? undefined : this.#orders.get(fill.clientOrderId);
    if (watched === undefined) return false;
    watched.fills.push(fill);
    watched.onWord?.();
    return true;
  }

  routeOutcome(outcome: OrderOutcome): void {
    const watched = this.#orders.get(outcome.clientOrderId);
    if (watched === undefined) return;
    if ('fills' in outcome) watched.fills.push(...outcome.fills);
    // Streams repeat and reorder reports: an older state does not replace a reported end.
    if (watched.outcome === null || !isEnd(watched.outcome)) watched.outcome = outcome;
    watched.onWord?.();
  }
}

/** True: the order executes nothing more. */
export function isEnd({ kind }: Pick<OrderOutcome, 'kind'>): boolean {
  return kind === 'done' || kind === 'rejected';
}
