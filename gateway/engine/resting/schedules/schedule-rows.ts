/** A change of a schedule as the rows, the event and the notification that commit together. */

import { scheduleNotification } from '../../../domain/notification.ts';
import type { Schedule } from '../../../domain/schedule.ts';
import { basketSide } from '../../../domain/slicing.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { notice, notificationLegs } from '../../notices/notify.ts';
import type { NewEvent, UnitOfWork } from '../../ports/unit-of-work.ts';

const EVENTS: Readonly<Record<Schedule['status'], string>> = {
  ACTIVE: 'updated',
  PAUSED: 'updated',
  COMPLETED: 'completed',
  PARTIALLY_COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
};

/** Of a new one. */
export function scheduleCreated(schedule: Schedule): UnitOfWork {
  return { newSchedules: [schedule], events: [scheduleEvent(schedule, 'created')] };
}

/** Only the slices that differ from `before` are written. */
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
      events: [scheduleEvent(after, hasEnded ? EVENTS[after.status] : 'updated')],
    },
    hasEnded ? ofEnd(deps, after) : {},
  );
}

function ofEnd(deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>, schedule: Schedule): UnitOfWork {
  const { status } = schedule;
  if (status !== 'COMPLETED' && status !== 'PARTIALLY_COMPLETED' && status !== 'FAILED') return {};
  const legs = schedule.ledger.map(({ symbol, side }) => ({
    symbol,
    side: basketSide(schedule.kind, side),
  }));
  const about = {
    tradeAccountId: schedule.tradeAccountId,
    connector: schedule.connector,
    legs: notificationLegs(deps, schedule.connector, legs),
    positionId: schedule.positionId,
    executionId: null,
  };
  const category = status === 'FAILED' ? 'SCHEDULE_FAILED' : 'SCHEDULE_COMPLETED';
  const text = scheduleNotification(category, about, schedule.id, schedule.error);
  return notice(deps, text, schedule.userId, [schedule.tradeAccountId]);
}

function scheduleEvent(schedule: Schedule, what: string): NewEvent {
  return {
    tradeAccountId: schedule.tradeAccountId,
    event: `schedule.${what}`,
    entityId: schedule.id,
    timestamp: schedule.updatedAt,
  };
}
