/** Rows, event and notification of a schedule's change, which commit together. */

import { agentLimitNotification, scheduleNotification } from '../../../domain/notification.ts';
import type { Schedule } from '../../../domain/schedule.ts';
import { basketSide } from '../../../domain/slicing.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { eventOf, restingEvent } from '../../core/events.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';

/** Rows and event of a new schedule. */
export function scheduleCreated(schedule: Schedule): UnitOfWork {
  return { newSchedules: [schedule], events: [eventOf(schedule, 'schedule.created')] };
}

/** Rows and event of a schedule's change. Only slices that differ from `before` are written. */
export function scheduleChanged(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  before: Schedule,
  after: Schedule,
): UnitOfWork {
  const slices = after.slices.filter((slice, place) => slice !== before.slices[place]);
  const hasEnded = after.status !== before.status;
  return oneUnit(
    {
      schedules: [after],
      slices: slices.map((slice) => ({ ...slice, scheduleId: after.id })),
      events: [hasEnded ? restingEvent('schedule', after) : eventOf(after, 'schedule.updated')],
    },
    hasEnded ? ofEnd(deps, after) : {},
    after.pauseReason === 'LEG_IMBALANCE' && before.pauseReason !== 'LEG_IMBALANCE'
      ? told(deps, after, 'PLAN_PAUSED_LEG_IMBALANCE')
      : {},
  );
}

/** Notification that an agent's mandate did not allow a slice. */
export function heldBack(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  schedule: Schedule,
  reason: string,
): UnitOfWork {
  const about = { legs: schedule.legs, positionId: schedule.positionId };
  return noticeOf(deps, schedule, about, (subject) =>
    agentLimitNotification(subject, { scheduleId: schedule.id }, reason),
  );
}

const END_NOTICES: Partial<Record<Schedule['status'], Parameters<typeof scheduleNotification>[0]>> = {
  COMPLETED: 'SCHEDULE_COMPLETED',
  PARTIALLY_COMPLETED: 'SCHEDULE_COMPLETED',
  STOPPED_BY_BRACKET: 'SCHEDULE_STOPPED',
  FAILED: 'SCHEDULE_FAILED',
};

function ofEnd(deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>, schedule: Schedule): UnitOfWork {
  const { status, error } = schedule;
  // A cancellation without a reason is the owner's own.
  const isStopped = status === 'CANCELLED' && error !== null;
  const category = isStopped ? 'SCHEDULE_STOPPED' : END_NOTICES[status];
  return category === undefined ? {} : told(deps, schedule, category);
}

function told(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  schedule: Schedule,
  category: Parameters<typeof scheduleNotification>[0],
): UnitOfWork {
  const legs = schedule.ledger.map(({ symbol, side }) => ({
    symbol,
    side: basketSide(schedule.kind, side),
  }));
  return noticeOf(deps, schedule, { legs, positionId: schedule.positionId }, (subject) =>
    scheduleNotification(category, subject, schedule.id, schedule.error),
  );
}
