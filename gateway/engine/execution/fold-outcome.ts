/** Pure: folds the results of one attempt into the orders, the fills and the position. */
import { dec, sum } from '../../domain/decimal.ts';
import type { Execution, Fill, Order, OrderErrorCode, Position } from '../../domain/model.ts';
import {
  CANCELLED_BY_TRADER,
  endOrder,
  fillEndedOrder,
  fillOrder,
  isTerminalOrder,
} from '../../domain/order.ts';
import { applyFills, newPosition, weightsOf } from '../../domain/position.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { VenueFill } from '../ports/venue.ts';
import { fillRow } from './fill-row.ts';
import type { Settlement } from './settle-orders.ts';

export interface OrderFold {
  readonly order: Order;
  readonly fills: readonly VenueFill[];
  readonly settlement: Settlement;
}

/**
 * Applies the new fills of a settlement (an order's result). `known` are the order's trade ids that are already
 * recorded.
 * @param told fills of any of the order's attempts that the account stream told: a venue may fill an attempt that it had
 * denied, whatever became of the latest one
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
    // More than was asked for: it did happen at the venue, so it is recorded, for a person to look at.
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
  const byTrader = isWanted && settlement.kind !== 'rejected';
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
  makeId: () => string,
  now: number,
): Result<PositionFold, { readonly kind: string; readonly fills: readonly Fill[] }> {
  const filled = folds.flatMap((fold) => fold.fills.map((fill) => ({ order: fold.order, fill })));
  if (filled.length === 0) return ok({ position: current ?? null, fills: [] });
  const provisional = () =>
    filled.map(({ order, fill }) => recordFill(execution, order, fill, null, '0', makeId()));
  // Closing fills without a position: it was liquidated while its close was running, so the fills reduced what other
  // baskets hold. They stay provisional.
  const grows = adds(execution) || execution.intent === 'OPEN';
  if (current === undefined && !grows) return fail({ kind: 'position_gone', fills: provisional() });
  const base = basePosition(execution, current, makeId, now);
  const applied = applyFills(
    base,
    filled.map(({ fill }) => fill),
    now,
  );
  if (!applied.ok) return fail({ kind: applied.error.kind, fills: provisional() });
  return ok({
    position: tradedHere(applied.value.position),
    fills: filled.map(({ order, fill }, index) =>
      recordFill(execution, order, fill, base.id, applied.value.realized[index] ?? '0', makeId()),
    ),
  });
}

/** A position that was only traded outside becomes MIXED by the gateway's fills. */
function tradedHere(position: Position): Position {
  return position.origin === 'EXTERNAL' ? { ...position, origin: 'MIXED' } : position;
}

function basePosition(
  execution: Execution,
  current: Position | undefined,
  makeId: () => string,
  now: number,
): Position {
  if (current === undefined) return newPositionOf(execution, makeId(), now);
  if (!adds(execution)) return current;
  const whole = withLegsOf(execution, current);
  const untouched = execution.orders.every((order) => order.filledQuantity === '0');
  return untouched ? addedWeights(whole, execution) : whole;
}

/**
 * True for an addition. A rebalance is none: it buys and sells within its basket, makes no basket and changes no
 * target weights.
 */
function adds(execution: Pick<Execution, 'intent' | 'origin'>): boolean {
  return execution.intent === 'ADJUST' && execution.origin !== 'REBALANCE';
}

/**
 * Adds legs that the basket does not have yet. A scheduled basket may have been opened with only some of its legs.
 */
function withLegsOf(execution: Execution, position: Position): Position {
  const held = new Set(position.legs.map(({ symbol }) => symbol));
  const missing = execution.orders.filter(({ symbol }) => !held.has(symbol));
  if (missing.length === 0) return position;
  const added = missing.map(({ symbol, side }) => ({ symbol, side, targetWeight: '0' }));
  return { ...position, legs: [...position.legs, ...newPosition(position, added, position.updatedAt).legs] };
}

function newPositionOf(execution: Execution, id: string, now: number): Position {
  const weights = weightsOf(execution.orders.map((order) => askedNotional(order, execution)));
  return newPosition(
    {
      id,
      userId: execution.userId,
      tradeAccountId: execution.tradeAccountId,
      connector: execution.connector,
      basketKey: execution.basketKey,
    },
    execution.orders.map((order, index) => ({
      symbol: order.symbol,
      side: order.side,
      targetWeight: weights[index] ?? '0',
    })),
    now,
  );
}

/**
 * Notional in USD that a leg was asked for: the amount of a USD leg; the weight of a WEIGHT leg in a new basket,
 * where only proportions count; otherwise quantity × the mark price from which the limit was computed.
 */
function askedNotional(order: Order, execution: Execution, scaleFree = true) {
  if (order.mode === 'USD' || (scaleFree && order.mode === 'WEIGHT')) return dec(order.amount);
  const slip = dec(execution.slippage);
  const toMark = order.side === 'BUY' ? dec(1).plus(slip) : dec(1).minus(slip);
  return dec(order.quantity ?? '0')
    .mul(order.limitPrice ?? '0')
    .div(toMark);
}

/** Target weights after an addition: in proportion to the old notional by target weight plus the added notional. */
function addedWeights(position: Position, execution: Execution): Position {
  const gross = sum(position.legs.map((leg) => dec(leg.entryNotional)));
  const asked = new Map(
    execution.orders.map((order) => [order.symbol, askedNotional(order, execution, false)]),
  );
  const weights = weightsOf(
    position.legs.map((leg) => gross.mul(leg.targetWeight).plus(asked.get(leg.symbol) ?? 0)),
  );
  return {
    ...position,
    legs: position.legs.map((leg, index) => ({ ...leg, targetWeight: weights[index] ?? leg.targetWeight })),
  };
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
