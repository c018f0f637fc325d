/**
 * Orders that the trader wants cancelled, from the request until their end is on disk. Before an attempt is sent, the
 * runner looks here: such an order is neither sent nor retried. An attempt already at the venue is cancelled there by
 * the request itself.
 *
 * Requested cancels are kept in memory only: no order is reported as cancelled before its end is on disk.
 */
import type { Order } from '../../domain/model.ts';
import { isTerminalOrder } from '../../domain/order.ts';
import type { Unsubscribe } from '../ports/system.ts';

export class OrderCancels {
  readonly #wanted = new Map<string, Set<() => void>>();
  /** Client order ids of the attempts that may be at the venue, by order. */
  readonly #atVenue = new Map<string, string>();

  /** Calls `onEnd` after the commit of the order's end. The returned function stops listening, not the cancel. */
  want(orderId: string, onEnd: () => void): Unsubscribe {
    const listeners = this.#wanted.get(orderId) ?? new Set();
    this.#wanted.set(orderId, listeners);
    // A wrapper, so that the same function given twice is two listeners.
    const entry = () => onEnd();
    listeners.add(entry);
    return () => listeners.delete(entry);
  }

  isWanted(orderId: string): boolean {
    return this.#wanted.has(orderId);
  }

  /** Client order id of the attempt that may be at the venue; undefined: no attempt was sent yet. */
  atVenue(orderId: string): string | undefined {
    return this.#atVenue.get(orderId);
  }

  /** Records the attempt. To be called before it is sent. */
  leaves(order: Order): void {
    if (order.clientOrderId !== null) this.#atVenue.set(order.id, order.clientOrderId);
  }

  /** Completes the cancels of ended orders. To be called after a commit, with the orders as committed. */
  recorded(orders: readonly Order[]): void {
    for (const order of orders) {
      if (!isTerminalOrder(order)) continue;
      this.#atVenue.delete(order.id);
      const listeners = this.#wanted.get(order.id);
      this.#wanted.delete(order.id);
      for (const onEnd of listeners ?? []) onEnd();
    }
  }
}
