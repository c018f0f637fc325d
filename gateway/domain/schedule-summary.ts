/** A schedule without its slices, but with the figures that lists show of them. */
import type { Schedule } from './schedule.ts';

export type ScheduleSummary = Omit<Schedule, 'slices'> & {
  readonly sliceCount: number;
  readonly slicesCompleted: number;
  /** Epoch ms of the first pending slice, null when none is left. */
  readonly nextSliceAt: number | null;
};

export function summaryOf(schedule: Schedule): ScheduleSummary {
  const { slices, ...header } = schedule;
  let slicesCompleted = 0;
  let nextSliceAt: number | null = null;
  for (const { status, scheduledAt } of slices) {
    if (status === 'COMPLETED') slicesCompleted += 1;
    if (status === 'PENDING' && nextSliceAt === null) nextSliceAt = scheduledAt;
  }
  return { ...header, sliceCount: slices.length, slicesCompleted, nextSliceAt };
}
