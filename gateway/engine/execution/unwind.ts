/** `onLegFailure: UNWIND`: legs that filled are closed again, reduce-only, when the basket fails or is cancelled. */
import type { Execution, TradeLeg } from '../../domain/model.ts';
import { otherSide } from '../../domain/position.ts';
import type { EngineDeps } from '../core/deps.ts';
import { reducesPosition } from './basket-job.ts';
import { childExecution } from './new-execution.ts';

/** Widest slippage of the contract: getting out matters more than the price. */
const UNWIND_SLIPPAGE = '0.1';

/** True: the fills of an ended execution are closed again. False if an order needs a person's review. */
export function isUnwound(ended: Execution): boolean {
  return (
    ended.status !== 'COMPLETED' &&
    ended.onLegFailure === 'UNWIND' &&
    !reducesPosition(ended) &&
    // Such an order may have executed: closing the others would leave it alone.
    ended.orders.every(({ errorCode }) => errorCode !== 'NEEDS_REVIEW') &&
    ended.orders.some(({ filledQuantity }) => filledQuantity !== '0')
  );
}

/** True: the execution unwinds its parent. Other children open. */
export function isUnwinding(execution: Pick<Execution, 'intent' | 'parentId'>): boolean {
  return execution.parentId !== null && reducesPosition(execution);
}

/**
 * The IDLE execution that unwinds a failed one; null: nothing is unwound. It is committed in the same unit as the
 * failure, so that a crash cannot leave a half-open basket behind.
 */
export function unwindExecution(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  failed: Execution,
): Execution | null {
  if (!isUnwound(failed)) return null;
  const legs = failed.orders.flatMap((order): TradeLeg[] =>
    order.filledQuantity === '0'
      ? []
      : [{ symbol: order.symbol, side: otherSide(order.side), mode: 'BASE', amount: order.filledQuantity }],
  );
  return childExecution(deps, failed, {
    basketKey: failed.basketKey,
    intent: failed.intent === 'OPEN' ? 'CLOSE' : 'REDUCE',
    positionId: failed.positionId,
    onLegFailure: 'RETRY',
    slippage: UNWIND_SLIPPAGE,
    legs,
  });
}
