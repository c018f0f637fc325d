/** Private events. Each is committed in the unit of the change that it reports. */
import type { Execution, Order, Position } from '../../domain/model.ts';
import type { NewEvent } from '../ports/unit-of-work.ts';

interface Told {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly updatedAt: number;
}

/** @param event `<kind>.<what>`, for example `order.updated` */
export function eventOf({ id, tradeAccountId, updatedAt }: Told, event: string): NewEvent {
  return { tradeAccountId, event, entityId: id, timestamp: updatedAt };
}

const ENDS = {
  ACTIVE: 'updated',
  PAUSED: 'updated',
  TRIGGERED: 'updated',
  COMPLETED: 'completed',
  PARTIALLY_COMPLETED: 'completed',
  FAILED: 'failed',
  STOPPED_BY_BRACKET: 'cancelled',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
} as const;

/** Event of a trigger, schedule, ladder or alert whose status has changed. */
export function restingEvent(
  kind: 'trigger' | 'schedule' | 'ladder' | 'alert',
  of: Told & { readonly status: keyof typeof ENDS },
): NewEvent {
  return eventOf(of, `${kind}.${ENDS[of.status]}`);
}

export function executionEnded(execution: Execution): NewEvent {
  return eventOf(execution, `execution.${execution.status === 'COMPLETED' ? 'completed' : 'failed'}`);
}

/** @param created true: the execution behind the change made the position */
export function positionChanged(position: Position, created: boolean): NewEvent {
  const event = position.status === 'CLOSED' ? 'closed' : created ? 'created' : 'updated';
  return eventOf(position, `position.${event}`);
}

/** Event of a position that changed without a fill (funding, margin); the position may be closed already. */
export function positionUpdated(position: Position): NewEvent {
  return eventOf(position, 'position.updated');
}

export function ordersUpdated(orders: readonly Order[], now: number): readonly NewEvent[] {
  return orders.map((order) => eventOf({ ...order, updatedAt: now }, 'order.updated'));
}
