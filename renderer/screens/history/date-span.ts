/** The history's span of days as typed, and the selection of rows in the span. */

/** Days as `2026-01-31`, UTC like the gateway's days; empty: no bound on that side. */
export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

export const ALL_DAYS: DateSpan = { from: '', to: '' };

/** Checks a day by a round trip: `Date` reads the 30th of February as the 2nd of March. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Reason that the span cannot be used, or null. */
export function spanProblem({ from, to }: DateSpan): string | null {
  if ([from, to].some((day) => day !== '' && !isDay(day))) return 'Not a day';
  return from !== '' && to !== '' && from > to ? 'The first day is after the last' : null;
}

/** The span as parameters of the gateway's query. */
export function spanQuery({ from, to }: DateSpan): { startDate?: string; endDate?: string } {
  return { ...(from === '' ? {} : { startDate: from }), ...(to === '' ? {} : { endDate: to }) };
}

/** Position of a time relative to the span, which includes both days. ISO times of one form compare as texts. */
export function placeInSpan(timestamp: string, { from, to }: DateSpan): 'before' | 'in' | 'after' {
  const day = timestamp.slice(0, 10);
  if (from !== '' && day < from) return 'before';
  return to !== '' && day > to ? 'after' : 'in';
}

/** The rows inside the span, from rows that come newest first. Stops at the first row older than the span. */
export async function* newestWithin<One extends { readonly timestamp: string }>(
  rows: AsyncIterable<One>,
  span: DateSpan,
): AsyncGenerator<One, void, undefined> {
  for await (const row of rows) {
    const place = placeInSpan(row.timestamp, span);
    if (place === 'before') return;
    if (place === 'in') yield row;
  }
}

/** The last `days` days, today included. `now` in epoch ms. */
export function lastDays(days: number, now: number): DateSpan {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(now - (days - 1) * 86_400_000), to: dayOf(now) };
}
