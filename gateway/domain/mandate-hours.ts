/** Hours of a mandate: whether a moment lies within them, in the mandate's own time zone. */
import type { MandateHours } from './mandate.ts';

const FORMATS = new Map<string, Intl.DateTimeFormat>();
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Day of the week (1 is Monday) and minute of the day in a zone. */
function localTime(zone: string, at: number): { readonly day: number; readonly minute: number } {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    FORMATS.set(zone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: DAYS.indexOf(parts.get('weekday') ?? '') + 1,
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
}

function minuteOf(time: string): number {
  const [hour, minute] = time.split(':');
  return Number(hour) * 60 + Number(minute);
}

/** Hours that end before they begin go on over midnight and belong to the day on which they began. */
export function isWithinHours({ zone, days, from, to }: MandateHours, at: number): boolean {
  const { day, minute } = localTime(zone, at);
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  if (begin < end) return days.includes(day) && minute >= begin && minute < end;
  const dayBefore = day === 1 ? 7 : day - 1;
  return (days.includes(day) && minute >= begin) || (days.includes(dayBefore) && minute < end);
}
