/**
 * The life of one order (a leg's row inside an execution), as a table, and the folds that apply the venue's reports.
 *
 * Invariants: `filledQuantity` is the sum of the order's fills; a terminal order never changes; a partly filled IOC
 * remainder ends CANCELLED and keeps what it filled.
 */
import { type Decimal, type DecimalString, dec, text, textRounded, ZERO } from './decimal.ts';
import type { Order, OrderErrorCode, OrderStatus } from './model.ts';
import { fail, ok, type Result } from './result.ts';
import { type IllegalTransition, move, type TransitionTable, transition } from './transition.ts';

export type OrderEvent = 'fill_part' | 'fill_rest' | 'cancel' | 'reject';

export const ORDER_TRANSITIONS: TransitionTable<OrderStatus, OrderEvent> = {
  PENDING: { fill_part: 'PARTIAL', fill_rest: 'FILLED', cancel: 'CANCELLED', reject: 'REJECTED' },
  PARTIAL: {
    fill_part: 'PARTIAL',
    fill_rest: 'FILLED',
    cancel: 'CANCELLED',
    // A venue may refuse a later attempt (RETRY) of an order whose earlier attempt filled in part.
    reject: 'REJECTED',
  },
  FILLED: {},
  CANCELLED: {},
  REJECTED: {},
};

export type OrderRefusal = IllegalTransition | { readonly kind: 'not_sized' };

/**
 * Last bytes of ids, random in a UUID v7: an execution's id ends with 0, an order's with the leg's number from 1 on. An
 * order is kept in its execution's row, and its id leads to that row.
 */
const LAST_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Stem of a UUID: the common beginning of the ids of an execution and of its orders. */
export function idStem(uuid: string): string {
  return uuid.slice(0, -2);
}

export function executionId(stem: string): string {
  return `${stem}00`;
}

/** `legIndex` counts from 0. */
export function orderId(stem: string, legIndex: number): string {
  return `${stem}${LAST_BYTES[legIndex + 1]}`;
}

export function isTerminalOrder(order: Pick<Order, 'status'>): boolean {
  return order.status !== 'PENDING' && order.status !== 'PARTIAL';
}

/** Base units still open; zero while the order is not sized. */
export function remainingQuantity({ quantity, filledQuantity }: Order): Decimal {
  if (quantity === null) return ZERO;
  return filledQuantity === '0' ? dec(quantity) : dec(quantity).minus(filledQuantity);
}

export interface OrderNotional {
  /** Ordered notional in USD, at the mark of the sizing; null while the order is not sized. */
  readonly notional: DecimalString | null;
  readonly filledNotional: DecimalString;
}

export function orderNotional(order: Order): OrderNotional {
  const filled = dec(order.filledQuantity).mul(order.averagePrice ?? 0);
  return { notional: orderedNotional(order, filled), filledNotional: text(filled) };
}

function orderedNotional(order: Order, filled: Decimal): DecimalString | null {
  const { quantity, sizedPrice, limitPrice } = order;
  if (quantity !== null && sizedPrice !== null) return text(dec(quantity).mul(sizedPrice));
  if (quantity === null) return null;
  // A closing leg that others of its round took over whole was never sized at a mark.
  const left = remainingQuantity(order);
  if (left.lte(0)) return text(filled);
  // Earlier versions kept no mark: the price limit is the nearest that is known.
  return limitPrice === null ? null : text(filled.plus(left.mul(limitPrice)));
}

/** Adds a fill to the order. `quantity` and `price` are the fill's, both > 0. */
export function fillOrder(
  order: Order,
  fill: { readonly quantity: string; readonly price: string },
  now: number,
): Result<Order, OrderRefusal> {
  if (order.quantity === null) return fail({ kind: 'not_sized' });
  const before = dec(order.filledQuantity);
  const filled = before.plus(fill.quantity);
  const next = transition(
    ORDER_TRANSITIONS,
    order.status,
    filled.gte(order.quantity) ? 'fill_rest' : 'fill_part',
  );
  if (!next.ok) return next;
  const cost = before.mul(order.averagePrice ?? 0).plus(dec(fill.quantity).mul(fill.price));
  return ok({
    ...order,
    status: next.value,
    filledQuantity: text(filled),
    averagePrice: textRounded(cost.div(filled), 18),
    error: next.value === 'FILLED' ? null : order.error,
    errorCode: next.value === 'FILLED' ? null : order.errorCode,
    updatedAt: now,
  });
}

/**
 * Adds a fill that the venue reported after the order had ended here. The fill did happen, so the order takes it in any
 * state; a REJECTED order becomes CANCELLED, as it filled in part. `quantity` and `price` are the fill's, both > 0.
 */
export function fillEndedOrder(
  order: Order,
  fill: { readonly quantity: string; readonly price: string },
  now: number,
): Order {
  const before = dec(order.filledQuantity);
  const filled = before.plus(fill.quantity);
  const cost = before.mul(order.averagePrice ?? 0).plus(dec(fill.quantity).mul(fill.price));
  const isWhole = order.quantity !== null && filled.gte(order.quantity);
  return {
    ...order,
    status: isWhole ? 'FILLED' : 'CANCELLED',
    filledQuantity: text(filled),
    averagePrice: textRounded(cost.div(filled), 18),
    error: 'the venue told of a fill after it had said that the order had ended',
    errorCode: 'NEEDS_REVIEW',
    updatedAt: now,
  };
}

/** An order that the trader cancelled has no error code: nothing went wrong. */
export const CANCELLED_BY_TRADER = { error: 'cancelled by the trader', errorCode: null } as const;

export function isCancelledByTrader(order: Pick<Order, 'status' | 'error' | 'errorCode'>): boolean {
  return (
    order.status === 'CANCELLED' && order.error === CANCELLED_BY_TRADER.error && order.errorCode === null
  );
}

/** Ends an order that will not fill any further. */
export function endOrder(
  order: Order,
  event: 'cancel' | 'reject',
  reason: { readonly error: string; readonly errorCode: OrderErrorCode | null } | null,
  now: number,
): Result<Order, OrderRefusal> {
  const { error, errorCode } = reason ?? { error: null, errorCode: null };
  return move(ORDER_TRANSITIONS, order, event, { error, errorCode, updatedAt: now });
}

/** True: the order is as accepted, never sized, sent, filled or ended. `createdAt`: time of its execution, epoch ms. */
export function isUntouched(order: Order, createdAt: number): boolean {
  return (
    !order.reduceOnly &&
    order.status === 'PENDING' &&
    order.filledQuantity === '0' &&
    order.quantity === null &&
    order.limitPrice === null &&
    order.worstPrice === null &&
    order.sizedPrice === null &&
    order.targetQuantity === null &&
    order.attempt === 0 &&
    order.clientOrderId === null &&
    order.expiresAt === null &&
    order.venueOrderId === null &&
    order.averagePrice === null &&
    order.error === null &&
    order.errorCode === null &&
    order.updatedAt === createdAt
  );
}
