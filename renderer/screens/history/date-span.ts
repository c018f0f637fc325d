/** The days that the history is looked at for, as typed, and what lies in them. */

/** Days as `2026-01-31`, UTC as the gateway counts them; empty: open on that side. */
export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

export const ALL_DAYS: DateSpan = { from: '', to: '' };

/** The 30th of February is read as the 2nd of March: a day that comes back as another one is none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Why the span cannot be used, or null. */
export function spanProblem({ from, to }: DateSpan): string | null {
  if ([from, to].some((day) => day !== '' && !isDay(day))) return 'Not a day';
  return from !== '' && to !== '' && from > to ? 'The first day is after the last' : null;
}

/** As the gateway's query takes it. */
export function spanQuery({ from, to }: DateSpan): { startDate?: string; endDate?: string } {
  return { ...(from === '' ? {} : { startDate: from }), ...(to === '' ? {} : { endDate: to }) };
}

/** Where a moment lies. ISO times of one form compare as texts; both days belong to the span as a whole. */
export function placeInSpan(timestamp: string, { from, to }: DateSpan): 'before' | 'in' | 'after' {
  const day = timestamp.slice(0, 10);
  if (from !== '' && day < from) return 'before';
  return to !== '' && day > to ? 'after' : 'in';
}

/** Of rows that come newest first: those in the span. Asks for no more once a row is older than it. */
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
