/** A moment as a `datetime-local` field writes it, in the zone that the settings choose. */
import type { Settings } from '../api/settings-values.ts';

type Zone = Settings['zone'];

const MINUTE_MS = 60_000;

/** ISO 8601 → `2026-01-31T12:00` in UTC or in the browser's zone; what is no time is an empty field. */
export function momentText(iso: string, zone: Zone): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const shift = zone === 'utc' ? 0 : at.getTimezoneOffset() * MINUTE_MS;
  return new Date(at.getTime() - shift).toISOString().slice(0, 16);
}

/** `2026-01-31T12:00` of the zone → ISO 8601 with `Z`; an empty or unfinished field is ''. */
export function momentOf(text: string, zone: Zone): string {
  // Without an offset, a date with a time is of the browser's zone.
  const at = new Date(zone === 'utc' ? `${text}Z` : text);
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
