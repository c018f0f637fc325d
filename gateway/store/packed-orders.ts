/**
 * The orders of an execution as they stand in its row: one JSON array an order, values by position. What an order shares
 * with its execution is not repeated (its leg is its place in the list, its id follows from the execution's), and what it has
 * not come to yet (a new order was never sized, sent or filled) is left out at its end. That makes the JSON of an
 * acknowledgement less than half as long and its commit take a third of the time: reading and copying JSON is most of
 * what the writer's statement does, and shorter rows are fewer pages to sync.
 * The view `orders` of the data file shows them as rows.
 */
import type { Execution, Order } from '../domain/model.ts';
import { idStem, orderId } from '../domain/order.ts';

/** What an order has from its execution and from its place there. */
type Shared = 'id' | 'executionId' | 'tradeAccountId' | 'legIndex' | 'createdAt';
type Own = Exclude<keyof Order, Shared>;
type Stored = string | number | null;

/**
 * An order's own values in the order in which they stand behind its id, each with what it is until something becomes of the
 * order; undefined: it is always written. New ones are added at the end, with a new step of the schema that makes the view
 * again.
 */
const BEGINNING: { readonly [Property in Own]: Stored | undefined } = {
  symbol: undefined,
  side: undefined,
  mode: undefined,
  amount: undefined,
  reduceOnly: 0,
  status: 'PENDING',
  filledQuantity: '0',
  quantity: null,
  limitPrice: null,
  attempt: 0,
  clientOrderId: null,
  expiresAt: null,
  venueOrderId: null,
  averagePrice: null,
  error: null,
  errorCode: null,
  /** null: not changed since its creation. */
  updatedAt: null,
};
const OWN = Object.keys(BEGINNING) as Own[];
const BEGINNINGS = Object.values(BEGINNING);

/** `id` 0: the execution's id with this leg's last byte. */
export type PackedOrder = readonly [id: string | 0, ...values: Stored[]];

export function packOrders({ id, orders, createdAt }: Execution): readonly PackedOrder[] {
  const stem = idStem(id);
  return orders.map((order, legIndex) => {
    const values = OWN.map((property) => stored(order, property, createdAt));
    while (values.at(-1) === BEGINNINGS[values.length - 1]) values.pop();
    return [order.id === orderId(stem, legIndex) ? 0 : order.id, ...values];
  });
}

function stored(order: Order, property: Own, createdAt: number): Stored {
  const value = order[property];
  if (typeof value === 'boolean') return value ? 1 : 0;
  return property === 'updatedAt' && value === createdAt ? null : value;
}

type Owner = Pick<Execution, 'id' | 'tradeAccountId' | 'createdAt'>;

export function unpackOrders(owner: Owner, packed: readonly PackedOrder[]): readonly Order[] {
  const stem = idStem(owner.id);
  return packed.map(([id, ...values], legIndex) => {
    const order: { -readonly [Property in keyof Order]?: unknown } = {
      id: id === 0 ? orderId(stem, legIndex) : id,
      executionId: owner.id,
      tradeAccountId: owner.tradeAccountId,
      legIndex,
      createdAt: owner.createdAt,
    };
    OWN.forEach((property, place) => {
      const value = values[place] ?? BEGINNINGS[place];
      if (property === 'reduceOnly') order[property] = value === 1;
      else if (property === 'updatedAt') order[property] = value ?? owner.createdAt;
      else order[property] = value;
    });
    // The table is STRICT and only the encoder writes it, so it is one.
    return order as Order;
  });
}
