/**
 * Orders in flight: what the orders of ACTIVE executions may still change in the venue's net position without the
 * baskets showing it yet. An order is added before the commit that lets it be sent, and removed with the commit that
 * folds its fills.
 *
 * Between the two commits the venue's positions may or may not include these changes. So baskets and venue agree when
 * their difference lies within the sum of all orders in flight.
 */
import type { ClosingInstrument } from '../../domain/closing-terms.ts';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';

export class Flights {
  /** Account → instrument → client order id → signed base units. */
  readonly #open = new Map<string, Map<string, Map<string, Decimal>>>();

  /**
   * Adds each order's latest attempt with its open quantity. Orders that have ended or were never sent have no
   * attempt.
   */
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

  /** Removes attempts whose fills the baskets now contain. */
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

  /** @param except client order ids of attempts that do not count */
  of(tradeAccountId: string, symbol: string, except: readonly string[] = []): ClosingInstrument['flights'] {
    let [low, high] = [ZERO, ZERO];
    for (const [clientOrderId, quantity] of this.#open.get(tradeAccountId)?.get(symbol) ?? []) {
      if (except.includes(clientOrderId)) continue;
      if (quantity.isNegative()) low = low.plus(quantity);
      else high = high.plus(quantity);
    }
    return { low, high };
  }

  any(tradeAccountId: string, symbol: string): boolean {
    return this.#open.get(tradeAccountId)?.has(symbol) === true;
  }
}
