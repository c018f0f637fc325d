/**
 * Rest of a TWAP, from its slices. All data come from one read: the list of schedules is of another time, and it does
 * not tell which slices were skipped or are executing.
 */
import Big from 'big.js';
import type { Answer } from '../../../gateway/client/client.ts';
import type { Slice } from './order-states.ts';

type ScheduleWithSlices = Pick<
  Answer<'GET /schedules/{id}'>,
  'status' | 'missedSlicePolicy' | 'remainingUsd' | 'totalUsd' | 'slices'
>;

export interface PlannedSlice extends Slice {
  /** Planned size, USD; null: the slice is no longer pending, or its size is not known. */
  readonly planned: string | null;
}

/** Largest slice that takes over missed amounts, in multiples of an even slice. The gateway has the same bound. */
const MOST = 3;

/** Time of the last pending slice, as scheduled now; null: none is due. */
export function lastSliceAt({ status, slices }: ScheduleWithSlices): string | null {
  if (status !== 'ACTIVE') return null;
  return slices.findLast((slice) => slice.status === 'PENDING')?.scheduledAt ?? null;
}

/** Slices of a schedule, with the planned size of each pending one. */
export function plannedSlices(schedule: ScheduleWithSlices): readonly PlannedSlice[] {
  const planned = plannedUsd(schedule);
  return schedule.slices.map((slice) => ({
    ...slice,
    planned: slice.status === 'PENDING' ? planned : null,
  }));
}

/**
 * Size of each pending slice: the remaining USD divided by their number. null: part of the rest is executing in another
 * slice, or was given up with a skipped one.
 */
function plannedUsd({
  missedSlicePolicy,
  remainingUsd,
  totalUsd,
  slices,
}: ScheduleWithSlices): string | null {
  const has = (status: Slice['status']) => slices.some((slice) => slice.status === status);
  if (has('EXECUTING') || (missedSlicePolicy === 'SKIP' && has('SKIPPED'))) return null;
  const left = slices.filter(({ status }) => status === 'PENDING').length;
  if (left === 0) return null;
  const each = new Big(remainingUsd).div(left);
  const most = new Big(totalUsd).times(MOST).div(slices.length);
  return (each.gt(most) ? most : each).round(2).toFixed();
}
