import type { Schedule } from '../domain/schedule.ts';
import type { ScheduleSummary } from '../domain/schedule-summary.ts';
import type { StoredSlice } from '../engine/ports/unit-of-work.ts';

/** @param slices of any of the schedules, by index */
export function withSlices(
  summaries: readonly ScheduleSummary[],
  slices: readonly StoredSlice[],
): readonly Schedule[] {
  const bySchedule = new Map<string, Schedule['slices'][number][]>(summaries.map(({ id }) => [id, []]));
  for (const { scheduleId, ...slice } of slices) bySchedule.get(scheduleId)?.push(slice);
  return summaries.map(({ sliceCount, slicesCompleted, nextSliceAt, ...header }) => ({
    ...header,
    slices: bySchedule.get(header.id) ?? [],
  }));
}
