/** Notifies the trader of a fired stop-loss that waits, because another order of its basket has no end yet. */
import type { Execution } from '../../domain/model.ts';
import { stopNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { noticeOf } from '../notices/notify.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** Longer than orders usually take, and soon enough for a person to act at the venue. */
const TOLD_AFTER_MS = 4_000;
const WAITS =
  'It has fired and waits: the venue has not said what became of another order of the basket. It closes as soon as that is known. Close at the venue if you must';

/** @returns to be called once the close has its turn */
export function tellIfStopWaits(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market' | 'state'>,
  close: Execution,
  commit: (unit: UnitOfWork) => void,
): Unsubscribe {
  if (close.origin !== 'BRACKET') return () => {};
  return deps.clock.after(TOLD_AFTER_MS, () => {
    const position = deps.state.positions.get(close.positionId ?? '');
    if (position === undefined) return;
    const isStop = deps.state.positions
      .bracketsOf(position.id)
      .some(({ bracketType, status }) => bracketType === 'STOP_LOSS' && status === 'TRIGGERED');
    if (!isStop) return;
    const about = { legs: position.legs, positionId: position.id, executionId: close.id };
    commit(
      noticeOf(deps, position, about, (subject) => stopNotification('STOP_LOSS_FAILED', subject, WAITS)),
    );
  });
}
