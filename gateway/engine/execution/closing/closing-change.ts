/**
 * Changes by a closing round in one execution and its basket: orders with transfers folded in, the position, the end if
 * no order is left to send, and the follow-ups. All are one unit.
 */

import { wantedOf } from '../../../domain/closing-plan.ts';
import type { ClosingLegPlan } from '../../../domain/closing-terms.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import { activateExecution, concludeExecution } from '../../../domain/execution.ts';
import type { Execution, Fill, Order, Position } from '../../../domain/model.ts';
import { venueNotification } from '../../../domain/notification.ts';
import { fillOrder, isTerminalOrder } from '../../../domain/order.ts';
import { applyFills } from '../../../domain/position.ts';
import type { LegProblem } from '../../../domain/sizing.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { executionEnded, ordersUpdated, positionChanged } from '../../core/events.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { legal } from '../legal-step.ts';
import { nextAttempt } from '../prepare.ts';
import type { Transfers } from './closing-transfers.ts';

type ChangeDeps = Pick<EngineDeps, 'followUps' | 'ids' | 'clock' | 'market'>;

export interface ClosingRequest {
  /** IDLE, or ACTIVE with no order in flight. */
  readonly execution: Execution;
  /** Ids of the execution's orders to be sent again. */
  readonly orders: ReadonlySet<string>;
  /**
   * Ids of orders whose last attempt never reached the venue. The next attempt need not respect that attempt's limit
   * price.
   */
  readonly unbound: ReadonlySet<string>;
}

export interface ClosingStep {
  readonly execution: Execution;
  /** `ended`: the execution ends with this commit. `idle`: no order could be sent, no row was committed. */
  readonly kind: 'sent' | 'ended' | 'idle';
  readonly sent: readonly ClosingSend[];
  /** Reason why an order, or a part of it, was held back. */
  readonly problems: ReadonlyMap<string, LegProblem>;
}

export interface ClosingSend {
  readonly order: Order;
  /** Base units of this attempt. */
  readonly quantity: string;
  /** Place in the order of sending, over all executions of the round. */
  readonly place: number;
}

export interface Decision {
  readonly request: ClosingRequest;
  readonly position: Position;
  readonly legs: readonly ClosingLegPlan[];
}

export interface Change extends ClosingStep {
  /** The position after the commit; null: unchanged. */
  readonly position: Position | null;
  readonly followUp: FollowUp;
  readonly unit: UnitOfWork;
}

/** Changes by the plan in one execution and its basket. */
export function changeOf(
  deps: ChangeDeps,
  { request, position, legs }: Decision,
  transfers: Transfers,
  places: ReadonlyMap<string, number>,
  now: number,
): Change {
  const { execution } = request;
  const own = transfers.intoBaskets.filter(({ key }) => legs.some(({ leg }) => leg.key === key));
  const applied = applyFills(
    position,
    own.map(({ fill }) => fill),
    now,
  );
  if (!applied.ok) throw new Error(`transfers do not fit their basket: ${applied.error.kind}`);
  const fills = own.map(({ fill }, index) => ({
    ...fill,
    realizedPnl: applied.value.realized[index] ?? '0',
  }));
  const next = fills.length === 0 ? null : tradedBoth(applied.value.position, legs);
  const problems = new Map<string, LegProblem>();
  const sent: ClosingSend[] = [];
  const orders = execution.orders.map((order): Order => {
    const planned = legs.find(({ leg }) => leg.key === order.id);
    if (planned === undefined) {
      if (request.orders.has(order.id) && !isTerminalOrder(order)) problems.set(order.id, nothingHeld());
      return order;
    }
    if (planned.problem !== null) problems.set(order.id, planned.problem);
    const changed = plannedOrder(execution, order, planned, fills, now);
    if (planned.order !== null) {
      const place = places.get(order.id) ?? 0;
      sent.push({ order: changed, quantity: planned.order.quantity, place });
    }
    return changed;
  });
  if (sent.length === 0 && fills.length === 0) {
    return { execution, kind: 'idle', sent, problems, position: null, followUp: { unit: {} }, unit: {} };
  }
  const active =
    execution.status === 'IDLE'
      ? legal(activateExecution(execution, orders, now))
      : { ...execution, orders, updatedAt: now };
  const hasEnded = orders.every(isTerminalOrder);
  const after = hasEnded ? legal(concludeExecution(active, now)) : active;
  const followUp = followUpOf(deps, after, position, next, hasEnded);
  const changed = orders.filter((order, index) => order !== execution.orders[index]);
  const unit = oneUnit(
    {
      executions: [after],
      newExecutions: followUp.children ?? [],
      fills,
      positions: next === null ? [] : [next],
      events: [
        ...(hasEnded || fills.length > 0 ? ordersUpdated(changed, now) : []),
        ...(hasEnded ? [executionEnded(after)] : []),
        ...(next === null ? [] : [positionChanged(next, false)]),
      ],
    },
    followUp.unit,
    told(deps, request, position, legs),
  );
  const kind = hasEnded ? 'ended' : 'sent';
  return { execution: after, kind, sent, problems, position: next, followUp, unit };
}

function followUpOf(
  { followUps }: Pick<ChangeDeps, 'followUps'>,
  after: Execution,
  before: Position,
  next: Position | null,
  hasEnded: boolean,
): FollowUp {
  const position = next ?? before;
  return together([
    next === null ? null : followUps.ofChange(next, after),
    hasEnded ? followUps.ofEnd(after, position.status === 'OPEN' ? position : null) : null,
  ]);
}

/** Notification of the quantity that was closed outside Tandem. */
function told(
  deps: ChangeDeps,
  { execution }: ClosingRequest,
  position: Position,
  legs: readonly ClosingLegPlan[],
): UnitOfWork {
  const traded = legs.flatMap(({ leg, taken }) => {
    const parts = taken.filter(({ lot }) => lot.source === 'OUTSIDE');
    const quantity = sum(parts.map((part) => dec(part.quantity)));
    return quantity.isZero() ? [] : [{ leg, quantity: text(quantity) }];
  });
  const missing = legs.flatMap(({ leg, adjusted }) =>
    adjusted === null ? [] : [{ leg, quantity: adjusted.quantity }],
  );
  const outside = [...traded, ...missing];
  if (outside.length === 0) return {};
  const partsOf = (parts: typeof outside) =>
    parts.map(({ leg, quantity }) => `${leg.side} ${quantity} ${leg.symbol}`).join(', ');
  const reason = [
    ...(traded.length === 0
      ? []
      : [`${partsOf(traded)}: traded outside Tandem against the basket, and taken out of it as it closed`]),
    ...(missing.length === 0
      ? []
      : [
          `${partsOf(missing)}: not held at the venue any more, and no trade on record says why; taken out of the basket as it closed, at the mark price`,
        ]),
  ].join('; ');
  const legsOutside = outside.map(({ leg }) => ({ symbol: leg.symbol, side: leg.side }));
  const about = { legs: legsOutside, positionId: position.id, executionId: execution.id };
  return noticeOf(deps, execution, about, (subject) => venueNotification('EXTERNAL_CLOSE', subject, reason));
}

/** A position that took in outside fills, or came from outside, becomes MIXED. */
function tradedBoth(position: Position, legs: readonly ClosingLegPlan[]): Position {
  const isMixed = legs.some(({ taken }) => taken.some(({ lot }) => lot.source === 'OUTSIDE'));
  return isMixed || position.origin === 'EXTERNAL' ? { ...position, origin: 'MIXED' } : position;
}

/** The order with transfers folded in, and with its next attempt if one is sent. */
function plannedOrder(
  execution: Execution,
  order: Order,
  planned: ClosingLegPlan,
  fills: readonly Fill[],
  now: number,
): Order {
  const own = fills.filter(({ orderId }) => orderId === order.id);
  const moved = sum(own.map(({ quantity }) => dec(quantity)));
  const taken = sum(planned.taken.map(({ quantity }) => dec(quantity)));
  const asked = taken.plus(wantedOf(planned.leg, taken));
  const going = moved.plus(planned.order?.quantity ?? 0);
  const total = dec(order.filledQuantity).plus(planned.problem === null ? going : asked);
  let folded: Order = { ...order, ...turnedOver(execution, order, planned), quantity: text(total) };
  for (const fill of own) folded = legal(fillOrder(folded, fill, now));
  if (planned.order !== null) {
    const { limitPrice, reduceOnly, price: sizedPrice } = planned.order;
    return nextAttempt({ ...folded, sizedPrice, reduceOnly }, limitPrice, now);
  }
  if (planned.problem === null || isTerminalOrder(folded)) return folded;
  return { ...folded, error: planned.problem.message, errorCode: planned.problem.code, updatedAt: now };
}

/** Amount of a reversal's opening: only the quantity that it closed itself, without trades outside Tandem. */
function turnedOver(execution: Execution, order: Order, planned: ClosingLegPlan): Pick<Order, 'amount'> {
  const outside = planned.taken.filter(({ lot }) => lot.source === 'OUTSIDE');
  if (execution.intent !== 'REVERSE' || outside.length === 0) return order;
  const left = dec(order.amount).minus(sum(outside.map(({ quantity }) => dec(quantity))));
  return { amount: text(left.lt(0) ? dec(0) : left) };
}

export function nothingHeld(): LegProblem {
  return { code: 'ZERO_QUANTITY', message: 'nothing of the leg is held any more' };
}
