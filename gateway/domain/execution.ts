/**
 * The life of an execution, as a table, and how it concludes from its orders.
 *
 * IDLE: committed, nothing sent. ACTIVE: committed with its client order ids; from here the venue may hold orders.
 * COMPLETED = every order FILLED. CANCELLED = the trader cancelled every order that did not fill. Every other end is
 * FAILED.
 */
import type { Execution, ExecutionErrorCode, ExecutionStatus, Order } from './model.ts';
import { isCancelledByTrader, isTerminalOrder } from './order.ts';
import { fail, type Result } from './result.ts';
import { type IllegalTransition, move, type TransitionTable } from './transition.ts';

export type ExecutionEvent = 'activate' | 'complete' | 'fail' | 'cancel';

export const EXECUTION_TRANSITIONS: TransitionTable<ExecutionStatus, ExecutionEvent> = {
  // A cancel while IDLE ends the execution before any order was sent.
  IDLE: { activate: 'ACTIVE', fail: 'FAILED', cancel: 'CANCELLED' },
  ACTIVE: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
  COMPLETED: {},
  CANCELLED: {},
  FAILED: {},
};

export function activateExecution(
  execution: Execution,
  orders: readonly Order[],
  now: number,
): Result<Execution, IllegalTransition> {
  return move(EXECUTION_TRANSITIONS, execution, 'activate', { orders, activeAt: now, updatedAt: now });
}

export function failExecution(
  execution: Execution,
  reason: { readonly error: string; readonly errorCode: ExecutionErrorCode },
  orders: readonly Order[],
  now: number,
): Result<Execution, IllegalTransition> {
  return ended(execution, 'fail', { ...reason, orders }, now);
}

/**
 * Ends an execution all of whose open orders the trader cancelled. Legal from IDLE too: no order was sent then.
 */
export function cancelExecution(
  execution: Execution,
  orders: readonly Order[],
  now: number,
): Result<Execution, IllegalTransition> {
  const cancelled = orders.filter((order) => order.status !== 'FILLED');
  const { error } = describeFailure({ orders }, cancelled);
  return ended(execution, 'cancel', { error, errorCode: 'CANCELLED', orders }, now);
}

/** Ends an ACTIVE execution whose orders are all terminal; refused while an order is open. */
export function concludeExecution(
  execution: Execution,
  now: number,
): Result<Execution, IllegalTransition | { readonly kind: 'orders_open' }> {
  if (!execution.orders.every(isTerminalOrder)) return fail({ kind: 'orders_open' });
  const failed = execution.orders.filter((order) => order.status !== 'FILLED');
  if (failed.length > 0 && failed.every(isCancelledByTrader))
    return cancelExecution(execution, execution.orders, now);
  if (failed.length > 0)
    return failExecution(execution, describeFailure(execution, failed), execution.orders, now);
  return ended(execution, 'complete', { error: null, errorCode: null }, now);
}

function ended(
  execution: Execution,
  event: ExecutionEvent,
  changes: Partial<Execution>,
  now: number,
): Result<Execution, IllegalTransition> {
  return move(EXECUTION_TRANSITIONS, execution, event, { ...changes, finishedAt: now, updatedAt: now });
}

function describeFailure(
  execution: Pick<Execution, 'orders'>,
  failed: readonly Order[],
): { readonly error: string; readonly errorCode: ExecutionErrorCode } {
  const filled = execution.orders.filter((order) => order.filledQuantity !== '0').length;
  const legs = failed.map((order) => {
    const name = legName(order);
    const error = order.error ?? order.status.toLowerCase();
    return error.startsWith(name) ? error : `${name}: ${error}`;
  });
  const state =
    filled === 0
      ? 'Nothing was filled.'
      : 'The basket may be partly filled: check positions before placing more.';
  return { error: `${legs.join('; ')}. ${state}`, errorCode: failed[0]?.errorCode ?? 'VENUE_REJECTED' };
}

/** `Leg 2 (ETH-PERP SELL)`, as errors name a leg. */
export function legName(leg: {
  readonly legIndex: number;
  readonly symbol: string;
  readonly side: string;
}): string {
  return `Leg ${leg.legIndex + 1} (${leg.symbol} ${leg.side})`;
}
