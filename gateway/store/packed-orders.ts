/**
 * The orders of an execution as its row stores them: one JSON array per order, values by position. Values shared with
 * the execution are not repeated (the leg is the place in the list, the id follows from the execution's id), and
 * trailing values still at their beginning (a new order was never sized, sent or filled) are left out. That makes the
 * JSON of an acknowledgement less than half as long and its commit take a third of the time: reading and copying JSON
 * is most of the work of the writer's statement, and shorter rows are fewer pages to sync.
 * The view `orders` of the data file shows the orders as rows.
 */
import type { Execution, Order } from '../domain/model.ts';
import { idStem, isUntouched, orderId } from '../domain/order.ts';

/** Properties that an order takes from its execution and from its place in the execution's list. */
type Shared = 'id' | 'executionId' | 'tradeAccountId' | 'legIndex' | 'createdAt';
type Own = Exclude<keyof Order, Shared>;
type Owner = Pick<Execution, 'id' | 'tradeAccountId' | 'createdAt'>;
type Stored = string | number | null;

/** `id` 0: the order's id is the execution's id with the leg's last byte. */
export type PackedOrder = readonly [id: string | 0, ...values: Stored[]];

/**
 * Builds an order from its packed values; each value that is missing at the end is that of a new order. New values
 * are added at the end, in a migration that recreates the view `orders`. The order is one object literal, because
 * spreading two objects into it takes a hundred times as long.
 */
function orderOf(owner: Owner, stem: string, packed: readonly (Stored | undefined)[], legIndex: number) {
  return {
    id: packed[0] === 0 ? orderId(stem, legIndex) : packed[0],
    executionId: owner.id,
    tradeAccountId: owner.tradeAccountId,
    legIndex,
    createdAt: owner.createdAt,
    symbol: packed[1],
    side: packed[2],
    mode: packed[3],
    amount: packed[4],
    reduceOnly: packed[5] === 1,
    status: packed[6] ?? 'PENDING',
    filledQuantity: packed[7] ?? '0',
    quantity: packed[8] ?? null,
    limitPrice: packed[9] ?? null,
    attempt: packed[10] ?? 0,
    clientOrderId: packed[11] ?? null,
    expiresAt: packed[12] ?? null,
    venueOrderId: packed[13] ?? null,
    averagePrice: packed[14] ?? null,
    error: packed[15] ?? null,
    errorCode: packed[16] ?? null,
    // `updatedAt` is left out while the order has not changed since its creation.
    updatedAt: packed[17] ?? owner.createdAt,
    worstPrice: packed[18] ?? null,
    sizedPrice: packed[19] ?? null,
    targetQuantity: packed[20] ?? null,
  } satisfies { [Property in keyof Order]: unknown };
}

const { id, executionId, tradeAccountId, legIndex, createdAt, ...beginning } = orderOf(
  { id: '', tradeAccountId: '', createdAt: 0 },
  '',
  [],
  0,
);
const OWN = Object.keys(beginning) as Own[];
const UPDATED_AT = OWN.indexOf('updatedAt');
/** Packed values of a new order. `updatedAt` is null, which means the execution's `createdAt`. */
const BEGINNINGS = Object.values({ ...beginning, updatedAt: null }).map(stored);

function stored(value: Stored | boolean | undefined): Stored | undefined {
  return typeof value === 'boolean' ? Number(value) : value;
}

export function packOrders(execution: Execution): readonly PackedOrder[] {
  const stem = idStem(execution.id);
  return execution.orders.map((order, place) => {
    const own = order.id === orderId(stem, place) ? 0 : order.id;
    // Shortcut with the result of the loop below for a new order; every acknowledgement waits for these rows.
    if (isUntouched(order, execution.createdAt))
      return [own, order.symbol, order.side, order.mode, order.amount];
    const values = OWN.map((property) => stored(order[property]) ?? null);
    if (order.updatedAt === execution.createdAt) values[UPDATED_AT] = null;
    while (values.at(-1) === BEGINNINGS[values.length - 1]) values.pop();
    return [own, ...values];
  });
}

export function unpackOrders(owner: Owner, packed: readonly PackedOrder[]): readonly Order[] {
  const stem = idStem(owner.id);
  // The table is STRICT and only the encoder writes it, so they are orders.
  return packed.map((values, place) => orderOf(owner, stem, values, place) as Order);
}
