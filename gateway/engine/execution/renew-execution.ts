/** Pure: renews an IDLE execution after a wait, to fit its basket as it is now. */
import { dec, text } from '../../domain/decimal.ts';
import type { Execution, Order, Position } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { NotAnswered } from './ask-venue.ts';
import { reducesPosition } from './basket-job.ts';

export const POSITION_GONE: NotAnswered = {
  error: 'The position is already closed. No orders were placed.',
  errorCode: 'NOOP_ERROR',
};

/**
 * Opening: adds to the basket if it is now open, else opens it. Closing: takes the position's current quantity.
 * Reducing: at most that quantity. Without its position the execution fails with `POSITION_GONE`.
 */
export function renewExecution(
  execution: Execution,
  position: Position | undefined,
): Result<Execution, NotAnswered> {
  if (!reducesPosition(execution)) {
    // A rebalance is for its own position, not for a later one of the same basket.
    if (execution.origin === 'REBALANCE' && position?.id !== execution.positionId) return fail(POSITION_GONE);
    return ok({
      ...execution,
      intent: position === undefined ? 'OPEN' : 'ADJUST',
      positionId: position?.id ?? null,
    });
  }
  if (position === undefined || position.id !== execution.positionId) return fail(POSITION_GONE);
  const isWhole = execution.intent !== 'REDUCE';
  const orders = execution.orders.flatMap((order): Order[] => {
    const held = position.legs.find((leg) => leg.symbol === order.symbol && leg.side !== order.side);
    if (held === undefined || dec(held.quantity).isZero()) return [];
    const amount = isWhole || dec(order.amount).gt(held.quantity) ? held.quantity : order.amount;
    return [{ ...order, mode: 'BASE', amount: text(dec(amount)) }];
  });
  if (orders.length === 0) return fail(POSITION_GONE);
  return ok({ ...execution, orders: orders.map((order, legIndex) => ({ ...order, legIndex })) });
}
