/** Which hours, days and weeks a question about an account's history covers. Epoch ms, UTC. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Offset from the epoch, a Thursday, to the first Monday: weeks begin on Mondays. */
const MONDAY_MS = 4 * DAY_MS;

export type BucketWidth = 'hour' | 'day' | 'week';

export interface HistoryRange {
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
  readonly width: BucketWidth;
}

const floor = (time: number, step: number): number => Math.floor(time / step) * step;
const ceil = (time: number, step: number): number => Math.ceil(time / step) * step;

export function weekOf(time: number): number {
  return floor(time - MONDAY_MS, WEEK_MS) + MONDAY_MS;
}

/**
 * The asked range, cut to the account's history, and the width of its buckets: an hour up to 2 days, a day up to 120, a
 * week beyond. It is widened to whole hours where buckets are hours, else to whole days. null: no part of
 * the range is history.
 * @param asked `from` inclusive, `to` exclusive; null: open
 * @param history when the account's history begins, and now
 */
export function historyRange(
  asked: { readonly from: number | null; readonly to: number | null },
  history: { readonly begin: number; readonly now: number },
): HistoryRange | null {
  const from = Math.max(asked.from ?? history.begin, history.begin);
  const to = Math.min(asked.to ?? history.now, history.now);
  if (from > to) return null;
  const hours = {
    from: floor(from, HOUR_MS),
    to: Math.max(ceil(to, HOUR_MS), floor(from, HOUR_MS) + HOUR_MS),
  };
  if (hours.to - hours.from <= 2 * DAY_MS) return { ...hours, width: 'hour' };
  const days = { from: floor(from, DAY_MS), to: ceil(to, DAY_MS) };
  return { ...days, width: days.to - days.from <= 120 * DAY_MS ? 'day' : 'week' };
}

/** The whole UTC days of a range, up to and with today, for figures that are measured by the day. */
export function wholeDays(
  asked: { readonly from: number | null; readonly to: number | null },
  now: number,
): { readonly from: number; readonly to: number } {
  return {
    from: asked.from === null ? Number.MIN_SAFE_INTEGER : floor(asked.from, DAY_MS),
    to: ceil(Math.min(asked.to ?? now, now), DAY_MS),
  };
}

/** The buckets of a range in order, without a gap; the first and the last week are cut to the range. */
export function bucketsOf({
  from,
  to,
  width,
}: HistoryRange): readonly { readonly start: number; readonly end: number }[] {
  const buckets: { start: number; end: number }[] = [];
  for (let start = from; start < to; ) {
    const end = width === 'week' ? weekOf(start) + WEEK_MS : start + (width === 'hour' ? HOUR_MS : DAY_MS);
    buckets.push({ start, end: Math.min(end, to) });
    start = end;
  }
  return buckets;
}
