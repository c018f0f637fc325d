/** The gateway's orders that are at a venue, by client order id, with the code that runs them. */
import type { VenueFill } from '../ports/venue.ts';

export class LiveOrders {
  readonly #orders = new Map<string, (fill: VenueFill) => void>();

  /** Routes the account stream's fills of the order to the code that runs the order. */
  watch(clientOrderId: string, onFill: (fill: VenueFill) => void): void {
    this.#orders.set(clientOrderId, onFill);
  }

  unwatch(clientOrderId: string): void {
    this.#orders.delete(clientOrderId);
  }

  /** True when the fill belongs to a live order of the gateway (and was handed over). */
  routeFill(fill: VenueFill): boolean {
    const onFill = fill.clientOrderId === null ? undefined : this.#orders.get(fill.clientOrderId);
    if (onFill === undefined) return false;
    onFill(fill);
    return true;
  }
}
