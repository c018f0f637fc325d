/**
 * What is still to come of a TWAP, from its slices. All of one read: a list of schedules is of another moment, and knows
 * neither which slices were skipped nor which one is on its way.
 */
import Big from 'big.js';
import type { Answer } from '../../../gateway/client/client.ts';
import type { Slice } from './order-states.ts';

type ScheduleWithSlices = Pick<
  Answer<'GET /schedules/{id}'>,
  'status' | 'missedSlicePolicy' | 'remainingUsd' | 'totalUsd' | 'slices'
>;

export interface PlannedSlice extends Slice {
  /** USD; null: it is not waiting any more, or what it will trade is not known. */
  readonly planned: string | null;
}

/** Of a slice that takes over what others left, in multiples of a usual one: the gateway's own bound. */
const MOST = 3;

/** When the last slice is due as things are; null while none is due. */
export function lastSliceAt({ status, slices }: ScheduleWithSlices): string | null {
  if (status !== 'ACTIVE') return null;
  return slices.findLast((slice) => slice.status === 'PENDING')?.scheduledAt ?? null;
}

/** The slices, each that waits with what it will trade. */
export function plannedSlices(schedule: ScheduleWithSlices): readonly PlannedSlice[] {
  const planned = plannedUsd(schedule);
  return schedule.slices.map((slice) => ({
    ...slice,
    planned: slice.status === 'PENDING' ? planned : null,
  }));
}

/**
 * What remains divided by the slices that wait, USD. null: part of what remains is on its way with another slice, or was
 * given up with one that was missed.
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
