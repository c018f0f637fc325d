/**
 * Flights, the orders on their way: changes that an ACTIVE execution's orders may still make to the venue's net
 * position and that the baskets do not show yet. Entered before the commit that lets the orders be sent, taken out with
 * the commit that folds their fills.
 *
 * Between the two commits a venue's answer about positions may or may not include these changes: the baskets explain
 * the answer when the difference lies inside the interval of all flights.
 */
import type { ClosingInstrument } from '../../domain/closing-terms.ts';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';

export class Flights {
  /** Account → instrument → client order id → signed base units. */
  readonly #open = new Map<string, Map<string, Map<string, Decimal>>>();

  /** Enters the orders' latest attempts with their open quantity; an ended or unsent order has no attempt. */
  enter(orders: readonly Order[]): void {
    for (const order of orders) this.enterPart(order, remainingQuantity(order));
  }

  /** @param quantity base units that the attempt may fill */
  enterPart(order: Order, quantity: Decimal): void {
    const { tradeAccountId, symbol, clientOrderId } = order;
    if (isTerminalOrder(order) || clientOrderId === null || quantity.lte(0)) return;
    const bySymbol = this.#open.get(tradeAccountId) ?? new Map<string, Map<string, Decimal>>();
    this.#open.set(tradeAccountId, bySymbol);
    const byOrder = bySymbol.get(symbol) ?? new Map<string, Decimal>();
    bySymbol.set(symbol, byOrder);
    byOrder.set(clientOrderId, order.side === 'BUY' ? quantity : quantity.neg());
  }

  /** Takes out attempts whose fills are in the baskets. */
  land(orders: readonly Pick<Order, 'clientOrderId' | 'tradeAccountId' | 'symbol'>[]): void {
    for (const { clientOrderId, tradeAccountId, symbol } of orders) {
      if (clientOrderId === null) continue;
      const bySymbol = this.#open.get(tradeAccountId);
      const byOrder = bySymbol?.get(symbol);
      if (byOrder?.delete(clientOrderId) !== true || byOrder.size > 0) continue;
      bySymbol?.delete(symbol);
      if (bySymbol?.size === 0) this.#open.delete(tradeAccountId);
    }
  }

  of(tradeAccountId: string, symbol: string): ClosingInstrument['flights'] {
    let [low, high] = [ZERO, ZERO];
    for (const quantity of this.#open.get(tradeAccountId)?.get(symbol)?.values() ?? []) {
      if (quantity.isNegative()) low = low.plus(quantity);
      else high = high.plus(quantity);
    }
    return { low, high };
  }

  any(tradeAccountId: string, symbol: string): boolean {
    return this.#open.get(tradeAccountId)?.has(symbol) === true;
  }
}
