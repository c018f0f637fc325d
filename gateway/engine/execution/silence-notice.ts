/** Notifies the trader of protection and hedges that wait, because the venue is silent about orders of a basket. */
import type { Execution } from '../../domain/model.ts';
import { legImbalanceNotification, stopNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { noticeOf } from '../notices/notify.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { reducesPosition } from './basket-job.ts';

type Deps = Pick<EngineDeps, 'ids' | 'clock' | 'market' | 'state'>;

/** Longer than orders usually take, and soon enough for a person to act at the venue. */
export const TOLD_AFTER_MS = 4_000;
const BUSY =
  'It has fired and waits: the venue has not said what became of another order of the basket. It closes as soon as that is known. Close at the venue if you must';
const CLOSING =
  'It has fired, and the venue has not said what became of its orders. It goes on as soon as that is known. Compare the account with the venue';
const UNKNOWN =
  'The venue has not said what became of the order that brings the stop-loss. What has filled of it is protected as soon as that is known. Compare the account with the venue';
const UNEVEN =
  'Some legs have filled, and the venue has not said what became of the orders of the others. Compare the account with the venue';

/** @returns to be called once the close has its turn */
export function tellIfStopWaits(
  deps: Deps,
  close: Execution,
  commit: (unit: UnitOfWork) => void,
): Unsubscribe {
  if (close.origin !== 'BRACKET') return () => {};
  return deps.clock.after(TOLD_AFTER_MS, () => {
    if (isOfStopLoss(deps, close)) commit(stopNotice(deps, close, 'STOP_LOSS_FAILED', BUSY));
  });
}

/**
 * Notice of an execution of which orders are unresolved for `TOLD_AFTER_MS`.
 * @param execution with what is booked of it so far
 * @returns null: nothing that was to be protected or hedged depends on them
 */
export function silenceNotice(deps: Deps, execution: Execution): UnitOfWork | null {
  const { state } = deps;
  if (execution.origin === 'BRACKET') {
    return isOfStopLoss(deps, execution) ? stopNotice(deps, execution, 'STOP_LOSS_FAILED', CLOSING) : null;
  }
  if (execution.orders.some(({ filledQuantity }) => filledQuantity !== '0')) {
    return noticeOf(deps, execution, aboutOf(deps, execution), (subject) =>
      legImbalanceNotification(subject, UNEVEN),
    );
  }
  const position = state.positions.ofBasket(execution.tradeAccountId, execution.basketKey);
  const isAsked = (state.setups.get(execution.id)?.stopLoss ?? null) !== null;
  if (!isAsked || reducesPosition(execution) || hasStop(deps, position?.id)) return null;
  return stopNotice(deps, execution, 'STOP_LOSS_NOT_SET', UNKNOWN);
}

function stopNotice(
  deps: Deps,
  execution: Execution,
  category: 'STOP_LOSS_NOT_SET' | 'STOP_LOSS_FAILED',
  reason: string,
): UnitOfWork {
  return noticeOf(deps, execution, aboutOf(deps, execution), (subject) =>
    stopNotification(category, subject, reason),
  );
}

/** Closing orders have the other side, so a position's own legs are named where there is one. */
function aboutOf({ state }: Deps, { tradeAccountId, basketKey, orders, id: executionId }: Execution) {
  const position = state.positions.ofBasket(tradeAccountId, basketKey);
  return { legs: position?.legs ?? orders, positionId: position?.id ?? null, executionId };
}

function hasStop({ state }: Deps, positionId: string | undefined): boolean {
  return (
    positionId !== undefined &&
    state.positions.bracketsOf(positionId).some(({ bracketType }) => bracketType === 'STOP_LOSS')
  );
}

function isOfStopLoss({ state }: Deps, { positionId }: Execution): boolean {
  return (
    positionId !== null &&
    state.positions
      .bracketsOf(positionId)
      .some(({ bracketType, status }) => bracketType === 'STOP_LOSS' && status === 'TRIGGERED')
  );
}
