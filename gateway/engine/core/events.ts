/** Private events, as they are committed with what they tell. */
import type { Execution, Order, Position } from '../../domain/model.ts';
import type { NewEvent } from '../ports/unit-of-work.ts';

export function executionEnded(execution: Execution): NewEvent {
  return {
    tradeAccountId: execution.tradeAccountId,
    event: `execution.${execution.status === 'COMPLETED' ? 'completed' : 'failed'}`,
    entityId: execution.id,
    timestamp: execution.updatedAt,
  };
}

/** @param created the execution behind it made the position */
export function positionChanged(position: Position, created: boolean): NewEvent {
  const event = position.status === 'CLOSED' ? 'closed' : created ? 'created' : 'updated';
  return {
    tradeAccountId: position.tradeAccountId,
    event: `position.${event}`,
    entityId: position.id,
    timestamp: position.updatedAt,
  };
}

/** Something was booked on it (funding), maybe after it was closed. */
export function positionUpdated(position: Position): NewEvent {
  return {
    tradeAccountId: position.tradeAccountId,
    event: 'position.updated',
    entityId: position.id,
    timestamp: position.updatedAt,
  };
}

export function ordersUpdated(orders: readonly Order[], now: number): readonly NewEvent[] {
  return orders.map((order) => ({
    tradeAccountId: order.tradeAccountId,
    event: 'order.updated',
    entityId: order.id,
    timestamp: now,
  }));
}
