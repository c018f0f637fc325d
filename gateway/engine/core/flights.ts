/**
 * Orders in flight: open quantities of ACTIVE executions' orders that may still change the venue's net position before
 * the baskets show it. An order is added before the commit that lets it be sent, and removed with the commit that folds
 * its fills.
 *
 * Between the two commits the venue's positions may or may not include these changes. So baskets and venue agree when
 * their difference lies within the sum of all orders in flight.
 */
import type { ClosingInstrument } from '../../domain/closing-terms.ts';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';

/** An attempt that may still fill. */
interface Flight {
  /** Signed base units. */
  readonly quantity: Decimal;
  /** False: it reduces a basket's position. */
  readonly opens: boolean;
  readonly limitPrice: string | null;
}

/** Open rest of an opening order in flight. */
export interface OpeningFlight {
  readonly symbol: string;
  readonly clientOrderId: string;
  /** Base units, without a sign. */
  readonly quantity: Decimal;
  readonly limitPrice: string | null;
}

export class Flights {
  /** Account → instrument → client order id → attempt. */
  readonly #open = new Map<string, Map<string, Map<string, Flight>>>();

  /**
   * Adds each order's latest attempt with its open quantity. Orders that have ended or were never sent have no
   * attempt.
   * @param opens false: the execution closes or reduces
   */
  enter(orders: readonly Order[], opens: boolean): void {
    for (const order of orders) this.#enter(order, remainingQuantity(order), opens && !order.reduceOnly);
  }

  /** Adds an attempt of a closing order. @param quantity base units that the attempt may fill */
  enterPart(order: Order, quantity: Decimal): void {
    this.#enter(order, quantity, false);
  }

  #enter(order: Order, quantity: Decimal, opens: boolean): void {
    const { tradeAccountId, symbol, clientOrderId, limitPrice } = order;
    if (isTerminalOrder(order) || clientOrderId === null || quantity.lte(0)) return;
    const bySymbol = this.#open.get(tradeAccountId) ?? new Map<string, Map<string, Flight>>();
    this.#open.set(tradeAccountId, bySymbol);
    const byOrder = bySymbol.get(symbol) ?? new Map<string, Flight>();
    bySymbol.set(symbol, byOrder);
    const signed = order.side === 'BUY' ? quantity : quantity.neg();
    byOrder.set(clientOrderId, { quantity: signed, opens, limitPrice });
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
    for (const [clientOrderId, { quantity }] of this.#open.get(tradeAccountId)?.get(symbol) ?? []) {
      if (except.includes(clientOrderId)) continue;
      if (quantity.isNegative()) low = low.plus(quantity);
      else high = high.plus(quantity);
    }
    return { low, high };
  }

  /** Attempts of the account's opening orders. */
  opening(tradeAccountId: string): readonly OpeningFlight[] {
    return [...(this.#open.get(tradeAccountId) ?? [])].flatMap(([symbol, byOrder]) =>
      [...byOrder].flatMap(([clientOrderId, { quantity, opens, limitPrice }]) =>
        opens ? [{ symbol, clientOrderId, quantity: quantity.abs(), limitPrice }] : [],
      ),
    );
  }

  any(tradeAccountId: string, symbol: string): boolean {
    return this.#open.get(tradeAccountId)?.has(symbol) === true;
  }
}
