/**
 * The orders of an execution as they stand in its row: one JSON array an order, values by position. What an order shares
 * with its execution is not repeated (its leg is its place in the list, its id follows from the execution's), and what it has
 * not come to yet (a new order was never sized, sent or filled) is left out at its end. That makes the JSON of an
 * acknowledgement less than half as long and its commit take a third of the time: reading and copying JSON is most of
 * what the writer's statement does, and shorter rows are fewer pages to sync.
 * The view `orders` of the data file shows them as rows.
 */
import type { Execution, Order } from '../domain/model.ts';
import { idStem, isUntouched, orderId } from '../domain/order.ts';

/** New values are added at the end, with a new step of the schema that makes the view again. */
export type PackedOrder = readonly [
  /** 0: the execution's id with this leg's last byte. */
  id: string | 0,
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
export function packedOrdersJson({ id, orders, createdAt }: Execution): string {
  const stem = idStem(id);
  let list = '';
  orders.forEach((order, place) => {
    const ownId = order.id === orderId(stem, place) ? 0 : order.id;
    const packed = isUntouched(order, createdAt)
      ? // Every value after the amount is what `unpackOrder` gives for one that was left out.
        `[${ownId === 0 ? '0' : `"${ownId}"`},${JSON.stringify(order.symbol)},"${order.side}","${order.mode}","${order.amount}"]`
      : JSON.stringify(packOrder(ownId, order, createdAt));
    list += list === '' ? packed : `,${packed}`;
  });
  return `[${list}]`;
}

function packOrder(id: PackedOrder[0], order: Order, createdAt: number): PackedOrder {
  return [
    id,
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
  const stem = idStem(owner.id);
  return packed.map((values, legIndex) => unpackOrder(owner, stem, values, legIndex));
}

function unpackOrder(
  owner: Owner,
  stem: string,
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
    id: id === 0 ? orderId(stem, legIndex) : id,
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
