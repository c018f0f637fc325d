/**
 * Due times of a schedule's slices, and the treatment of missed ones. All times epoch ms.
 *
 *   slice count  = duration ÷ interval rounded down, at least 1
 *   slice i at     start + i × duration ÷ count; with jitter ± 10 % of that spacing
 *
 * The first slice is not moved, so that it starts at once; neighbours move by at most a tenth each way, so their order
 * holds and each slice stays inside [start, start + duration).
 */
import type { MissedSlicePolicy, Slice } from './schedule.ts';

const JITTER = 0.1;

export function sliceCountOf(durationSeconds: number, intervalSeconds: number): number {
  return Math.max(1, Math.floor(durationSeconds / intervalSeconds));
}

/**
 * @param random uniform in [0, 1), called once per moved slice; null: no jitter
 */
export function sliceTimes(
  start: number,
  durationSeconds: number,
  sliceCount: number,
  random: (() => number) | null,
): readonly number[] {
  const spacing = (durationSeconds * 1_000) / sliceCount;
  return Array.from({ length: sliceCount }, (_, index) => {
    const shift = random === null || index === 0 ? 0 : (random() * 2 - 1) * JITTER * spacing;
    return Math.round(start + index * spacing + shift);
  });
}

export function pendingSlices(times: readonly number[]): readonly Slice[] {
  return times.map((scheduledAt, index) => ({
    index,
    scheduledAt,
    executedAt: null,
    status: 'PENDING',
    executionId: null,
    legs: null,
    filledUsd: '0',
    error: null,
  }));
}

export type SliceDecision =
  /** No slice is due; `until` null: no slice is left to wait for, or a slice is executing. */
  | { readonly kind: 'wait'; readonly until: number | null }
  /** Slices `missed` end SKIPPED and their amounts go into slice `index`. */
  | { readonly kind: 'execute'; readonly index: number; readonly missed: readonly number[] }
  /**
   * Slices `missed` end SKIPPED and their amounts are dropped; then slice `index` is executed, null: none is due.
   */
  | { readonly kind: 'skip'; readonly index: number | null; readonly missed: readonly number[] }
  /** The schedule pauses with its slices as they are. */
  | { readonly kind: 'pause'; readonly missed: readonly number[] };

/**
 * Decision about the slices at `now`. A slice is due from its time on, and missed once the next one is due as well
 * (the last one: once its spacing has passed), so of the due ones at most the latest is on time.
 * @param spacing ms between slices
 */
export function decideSlices(
  slices: readonly Slice[],
  policy: MissedSlicePolicy,
  spacing: number,
  now: number,
): SliceDecision {
  if (slices.some(({ status }) => status === 'EXECUTING')) return { kind: 'wait', until: null };
  const pending = slices.filter(({ status }) => status === 'PENDING');
  const due = pending.filter(({ scheduledAt }) => scheduledAt <= now);
  const latest = due.at(-1);
  if (latest === undefined) return { kind: 'wait', until: pending[0]?.scheduledAt ?? null };
  const next = pending[due.length];
  const end = next === undefined ? latest.scheduledAt + spacing : next.scheduledAt;
  const late = now >= end;
  const missed = (late ? due : due.slice(0, -1)).map(({ index }) => index);
  if (missed.length === 0) return { kind: 'execute', index: latest.index, missed: [] };
  switch (policy) {
    case 'CATCH_UP':
      return {
        kind: 'execute',
        index: latest.index,
        missed: missed.filter((index) => index !== latest.index),
      };
    case 'SKIP':
      return { kind: 'skip', index: late ? null : latest.index, missed };
    case 'PAUSE':
      return { kind: 'pause', missed };
  }
}

/**
 * Slices of a paused schedule that resumes at `now`: an overdue first pending slice is due at once, the others keep
 * their distances.
 */
export function resumedSlices(slices: readonly Slice[], now: number): readonly Slice[] {
  const first = slices.find(({ status }) => status === 'PENDING');
  if (first === undefined || first.scheduledAt >= now) return slices;
  return movedSlices(slices, now - first.scheduledAt);
}

/** The pending slices `byMs` later (negative: earlier), as after a clock that was set. */
export function movedSlices(slices: readonly Slice[], byMs: number): readonly Slice[] {
  return slices.map((slice) =>
    slice.status === 'PENDING' ? { ...slice, scheduledAt: slice.scheduledAt + byMs } : slice,
  );
}

/** Time of the next slice, null when none is left. */
export function nextSliceAt(slices: readonly Slice[]): number | null {
  return slices.find(({ status }) => status === 'PENDING')?.scheduledAt ?? null;
}
