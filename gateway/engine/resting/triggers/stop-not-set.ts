/** Notifies the trader of a stop-loss that is not set, or cannot compare its level, and of the protection until it can. */
import type { Position } from '../../../domain/model.ts';
import { stopNotification } from '../../../domain/notification.ts';
import { withoutFullStop } from '../../../domain/sentence.ts';
import type { BracketMetric } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';

type NoticeDeps = Pick<EngineDeps, 'ids' | 'clock' | 'market'>;

/** A leg is missing, so a level of the whole basket cannot be compared. */
export function stopNotComparable(deps: NoticeDeps, position: Position, metric: BracketMetric): UnitOfWork {
  const missing = position.legs.filter(({ quantity }) => quantity === '0').map(({ symbol }) => symbol);
  const are = missing.length === 1 ? 'is' : 'are';
  const reason = `${missing.join(', ')} ${are} not held, so the level of ${metric} cannot be compared. Until it is, the stop-loss closes what is held at the same loss in USD`;
  return told(deps, position, reason);
}

/**
 * Nothing of the order that brought the stop-loss filled.
 * @param error why nothing filled; null: unknown
 */
export function stopNotBrought(
  deps: NoticeDeps & Pick<EngineDeps, 'state'>,
  position: Position,
  error: string | null,
): UnitOfWork {
  const hasStop = deps.state.positions
    .bracketsOf(position.id)
    .some(({ bracketType }) => bracketType === 'STOP_LOSS');
  const has = hasStop ? 'keeps the stop-loss that it had' : 'has no stop-loss';
  return told(
    deps,
    position,
    `Nothing filled of the order that was to set the stop-loss${because(error)}. The position ${has}`,
  );
}

/**
 * The fills of the order that brought the stop-loss are closed again, and the position has another stop-loss.
 * @param error why the order failed; null: unknown
 */
export function stopNotReplaced(deps: NoticeDeps, position: Position, error: string | null): UnitOfWork {
  const reason = `The order that was to set the stop-loss failed, and its fills are being closed again${because(error)}. The position keeps the stop-loss that it had`;
  return told(deps, position, reason);
}

function because(error: string | null): string {
  return error === null ? '' : ` (${withoutFullStop(error)})`;
}

function told(deps: NoticeDeps, position: Position, reason: string): UnitOfWork {
  const about = { legs: position.legs, positionId: position.id };
  return noticeOf(deps, position, about, (subject) => stopNotification('STOP_LOSS_NOT_SET', subject, reason));
}
