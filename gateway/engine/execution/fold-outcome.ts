/** Pure: folds the results of one attempt into the orders, the fills and the position. */
import type { Execution, Fill, Order, OrderErrorCode, Position } from '../../domain/model.ts';
import {
  CANCELLED_BY_TRADER,
  endOrder,
  fillEndedOrder,
  fillOrder,
  isTerminalOrder,
} from '../../domain/order.ts';
import { applyFills, newPosition } from '../../domain/position.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { VenueFill } from '../ports/venue.ts';
import { fillRow } from './fill-row.ts';
import type { Settlement } from './settling-order.ts';
import { type AskedFacts, adds, withAsked, withUnfilled } from './target-weights.ts';

export interface OrderFold {
  readonly order: Order;
  readonly fills: readonly VenueFill[];
  readonly settlement: Settlement;
}

/**
 * Applies the new fills of a settlement (an order's result). `known` are the order's trade ids that are already
 * recorded.
 * @param told fills of any attempt of the order, from the account stream: a venue may fill an attempt that it had
 * denied, whatever the latest attempt's result
 */
export function foldSettlement(
  order: Order,
  settlement: Settlement,
  told: readonly VenueFill[],
  known: ReadonlySet<string>,
  now: number,
): OrderFold {
  const all = settlement.kind === 'done' ? [...settlement.fills, ...told] : told;
  const fills = [...new Map(all.map((fill) => [fill.tradeId, fill])).values()].filter(
    (fill) => !known.has(fill.tradeId),
  );
  if (settlement.kind !== 'done' && fills.length === 0) return { order, fills, settlement };
  // An empty venue order id: the order was never sent, so the venue gave it none.
  const venueOrderId = settlement.kind === 'done' ? settlement.venueOrderId : fills[0]?.venueOrderId;
  let folded: Order = { ...order, venueOrderId: venueOrderId || order.venueOrderId };
  for (const fill of fills) {
    const next = fillOrder(folded, fill, now);
    // More than requested. It happened at the venue, so it is recorded for a person to review.
    folded = next.ok ? next.value : fillEndedOrder(folded, fill, now);
  }
  return { order: folded, fills, settlement };
}

/**
 * Ends an order that did not fill completely, with a reason that a trader can act on.
 * @param isWanted the trader asked for this order to be cancelled
 */
export function endUnfilled(fold: OrderFold, now: number, isWanted: boolean): Order {
  const { order, settlement } = fold;
  if (isTerminalOrder(order)) return order;
  const some = order.filledQuantity !== '0';
  const heldBack = settlement.kind === 'held_back' ? settlement.problem : null;
  const reason = {
    done: {
      error: `no more liquidity inside the slippage bound (limit ${order.limitPrice ?? '?'}), filled ${order.filledQuantity} of ${order.quantity ?? '?'}`,
      errorCode: 'SLIPPAGE_EXCEEDED',
    },
    rejected: refused(settlement),
    never_arrived: {
      error: 'the venue has no record of the order and can no longer execute it',
      errorCode: 'UNKNOWN_OUTCOME',
    },
    unresolved: {
      error: settlement.kind === 'unresolved' ? settlement.message : '',
      errorCode: 'NEEDS_REVIEW',
    },
    not_sent: {
      error: `the order could not be sent in time: ${settlement.kind === 'not_sent' ? settlement.message : ''}`,
      errorCode: 'NOT_SENT',
    },
    held_back: {
      error: heldBack?.message ?? order.error ?? 'nothing was sent',
      errorCode: heldBack?.code ?? order.errorCode ?? 'VENUE_REJECTED',
    },
  } as const;
  const event = settlement.kind === 'done' || some ? 'cancel' : 'reject';

  // A rejection by the venue is not recorded as the trader's cancel.
  const byTrader = isWanted && settlement.kind !== 'rejected' && settlement.kind !== 'unresolved';
  const ended = byTrader
    ? endOrder(order, 'cancel', CANCELLED_BY_TRADER, now)
    : endOrder(order, event, reason[settlement.kind], now);
  if (!ended.ok) throw new Error(`order ${order.id} cannot end: ${ended.error.kind}`);
  return ended.value;
}

function refused(settlement: Settlement): { readonly error: string; readonly errorCode: OrderErrorCode } {
  const [reason, words] =
    settlement.kind === 'rejected' ? [settlement.reason, settlement.message] : [null, ''];
  const error = `the venue rejected the order: ${words}`;
  if (reason !== 'reduce_only') return { error, errorCode: 'VENUE_REJECTED' };
  return {
    error: `${error}. It was not sent without reduce-only, which could open a position. Compare the account with the venue`,
    errorCode: 'NEEDS_REVIEW',
  };
}

export interface PositionFold {
  /** null: no order of this basket has filled so far. */
  readonly position: Position | null;
  readonly fills: readonly Fill[];
}

/**
 * Folds an attempt's fills into the basket's position, making it on the first fill. `execution` is as it was before the
 * attempt: the first fills of an addition change the target weights.
 */
export function foldPosition(
  execution: Execution,
  current: Position | undefined,
  folds: readonly OrderFold[],
  facts: AskedFacts,
  makeId: () => string,
  now: number,
): Result<PositionFold, { readonly kind: string; readonly fills: readonly Fill[] }> {
  const filled = folds.flatMap((fold) => fold.fills.map((fill) => ({ order: fold.order, fill })));
  if (filled.length === 0) return ok({ position: current ?? null, fills: [] });
  const provisional = () =>
    filled.map(({ order, fill }) => recordFill(execution, order, fill, null, '0', makeId()));
  // Closing fills without a position: it was liquidated while its close was running, so the fills reduced what other
  // baskets hold. They stay provisional.
  if (current === undefined && !adds(execution)) {
    return fail({ kind: 'position_gone', fills: provisional() });
  }
  const timestamps = filled.map(({ fill }) => fill.timestamp);
  const opened = basePosition(execution, current, makeId, Math.min(execution.activeAt ?? now, ...timestamps));
  const base = withAsked(opened, execution, filled, facts);
  const applied = applyFills(
    base,
    filled.map(({ fill }) => fill),
    now,
  );
  if (!applied.ok) return fail({ kind: applied.error.kind, fills: provisional() });
  return ok({
    position: tradedHere(withUnfilled(base, applied.value.position, execution, filled, facts)),
    fills: filled.map(({ order, fill }, index) =>
      recordFill(execution, order, fill, base.id, applied.value.realized[index] ?? '0', makeId()),
    ),
  });
}

/** Makes a position traded only outside MIXED, because the gateway filled it. */
function tradedHere(position: Position): Position {
  return position.origin === 'EXTERNAL' ? { ...position, origin: 'MIXED' } : position;
}

/**
 * The position with every leg of an addition: a scheduled basket may have been opened with only some of its legs.
 * @param openedAt earliest time at which an order of it may have filled. A venue that is silent tells fills late, and
 * trades outside Tandem since then have reduced the position.
 */
function basePosition(
  execution: Execution,
  current: Position | undefined,
  makeId: () => string,
  openedAt: number,
): Position {
  if (current !== undefined && !adds(execution)) return current;
  const { userId, tradeAccountId, connector, basketKey } = execution;
  const position =
    current ?? newPosition({ id: makeId(), userId, tradeAccountId, connector, basketKey }, [], openedAt);
  const missing = execution.orders.filter(
    ({ symbol }) => !position.legs.some((leg) => leg.symbol === symbol),
  );
  if (missing.length === 0) return position;
  const added = missing.map(({ symbol, side }) => ({ symbol, side, targetWeight: '0' }));
  return { ...position, legs: [...position.legs, ...newPosition(position, added, openedAt).legs] };
}

function recordFill(
  execution: Execution,
  order: Order,
  fill: VenueFill,
  positionId: string | null,
  realizedPnl: string,
  id: string,
): Fill {
  return fillRow(fill, {
    id,
    tradeAccountId: execution.tradeAccountId,
    connector: execution.connector,
    executionId: execution.id,
    orderId: order.id,
    positionId,
    realizedPnl,
  });
}
