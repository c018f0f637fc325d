/** Reference to the latest attempt of an order, for requests to venues. */
import { text } from '../../domain/decimal.ts';
import type { Order } from '../../domain/model.ts';
import { remainingQuantity } from '../../domain/order.ts';
import type { OrderRef } from '../ports/venue.ts';
import { clientOrderIdOf, ORDER_LIFETIME_MS } from './prepare.ts';

export interface Attempt {
  readonly clientOrderId: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly ref: OrderRef;
}

/** Client order ids of all attempts of the order so far, the latest last. */
export function attemptIds({ executionId, legIndex, attempt, clientOrderId }: Order): readonly string[] {
  if (clientOrderId === null) return [];
  if (attempt < 2) return [clientOrderId];
  const former = Array.from({ length: attempt - 1 }, (_, index) =>
    clientOrderIdOf(executionId, legIndex, index + 1),
  );
  return [...former, clientOrderId];
}

/** @throws when the order has no attempt */
export function attemptOf(order: Order): Attempt {
  const { clientOrderId, expiresAt, symbol, side } = order;
  if (clientOrderId === null || expiresAt === null) throw new Error(`order ${order.id} was never sent`);
  const sentAt = expiresAt - ORDER_LIFETIME_MS;
  const sent = { symbol, side, quantity: text(remainingQuantity(order)), sentAt, expiresAt };
  return { clientOrderId, expiresAt, ref: { clientOrderId, venueOrderId: null, sent } };
}
