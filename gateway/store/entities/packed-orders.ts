/**
 * The orders of an execution as they stand in its row: one JSON array an order, values by position. What an order shares
 * with its execution is not repeated (its leg is its place in the list), and what it has not come to yet (a new order was
 * never sized, sent or filled) is left out at its end. That makes the JSON of an acknowledgement half as long and its
 * commit take a third of the time: reading and copying JSON is most of what the writer's statement does.
 * The view `orders` of the data file shows them as rows.
 */
import type { Execution, Order } from '../../domain/model.ts';
import { isUntouched } from '../../domain/order.ts';

/** New values are added at the end, with a new step of the schema that makes the view again. */
export type PackedOrder = readonly [
  id: string,
  symbol: string,
  side: Order['side'],
  mode: Order['mode'],
  amount: string,
  reduceOnly?: 0 | 1,
  status?: Order['status'],
  filledQuantity?: string,
  quantity?: string | null,
  limitPrice?: string | null,
  attempt?: number,
  clientOrderId?: string | null,
  expiresAt?: number | null,
  venueOrderId?: string | null,
  averagePrice?: string | null,
  error?: string | null,
  errorCode?: Order['errorCode'],
  /** null: not changed since its creation. */
  updatedAt?: number | null,
];

/** A JSON array with one `PackedOrder` an order. */
export function packedOrdersJson({ orders, createdAt }: Execution): string {
  let list = '';
  for (const order of orders) {
    const packed = isUntouched(order, createdAt)
      ? // Every value after the amount is what `unpackOrder` gives for one that was left out.
        `["${order.id}",${JSON.stringify(order.symbol)},"${order.side}","${order.mode}","${order.amount}"]`
      : JSON.stringify(packOrder(order, createdAt));
    list += list === '' ? packed : `,${packed}`;
  }
  return `[${list}]`;
}

function packOrder(order: Order, createdAt: number): PackedOrder {
  return [
    order.id,
    order.symbol,
    order.side,
    order.mode,
    order.amount,
    order.reduceOnly ? 1 : 0,
    order.status,
    order.filledQuantity,
    order.quantity,
    order.limitPrice,
    order.attempt,
    order.clientOrderId,
    order.expiresAt,
    order.venueOrderId,
    order.averagePrice,
    order.error,
    order.errorCode,
    order.updatedAt === createdAt ? null : order.updatedAt,
  ];
}

type Owner = Pick<Execution, 'id' | 'tradeAccountId' | 'createdAt'>;

export function unpackOrders(owner: Owner, packed: readonly PackedOrder[]): readonly Order[] {
  return packed.map((values, legIndex) => unpackOrder(owner, values, legIndex));
}

function unpackOrder(
  owner: Owner,
  [
    id,
    symbol,
    side,
    mode,
    amount,
    reduceOnly = 0,
    status = 'PENDING',
    filledQuantity = '0',
    quantity = null,
    limitPrice = null,
    attempt = 0,
    clientOrderId = null,
    expiresAt = null,
    venueOrderId = null,
    averagePrice = null,
    error = null,
    errorCode = null,
    updatedAt = null,
  ]: PackedOrder,
  legIndex: number,
): Order {
  return {
    id,
    executionId: owner.id,
    tradeAccountId: owner.tradeAccountId,
    legIndex,
    symbol,
    side,
    mode,
    amount,
    reduceOnly: reduceOnly === 1,
    quantity,
    limitPrice,
    attempt,
    clientOrderId,
    expiresAt,
    venueOrderId,
    status,
    filledQuantity,
    averagePrice,
    error,
    errorCode,
    createdAt: owner.createdAt,
    updatedAt: updatedAt ?? owner.createdAt,
  };
}
