/** Notifies the trader that a stop-loss cannot compare its level, and of the protection until it can. */
import type { Position } from '../../../domain/model.ts';
import { stopNotification } from '../../../domain/notification.ts';
import type { BracketMetric } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';

export function stopNotSet(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  position: Position,
  metric: BracketMetric,
): UnitOfWork {
  const missing = position.legs.filter(({ quantity }) => quantity === '0').map(({ symbol }) => symbol);
  const are = missing.length === 1 ? 'is' : 'are';
  const reason = `${missing.join(', ')} ${are} not held, so the level of ${metric} cannot be compared. Until it is, the stop-loss closes what is held at the same loss in USD`;
  const about = { legs: position.legs, positionId: position.id };
  return noticeOf(deps, position, about, (subject) => stopNotification('STOP_LOSS_NOT_SET', subject, reason));
}
