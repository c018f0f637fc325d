/** Conversion of times to and from the text of a `datetime-local` field, in the zone that the settings choose. */
import type { Settings } from '../api/settings-values.ts';

type Zone = Settings['zone'];

const MINUTE_MS = 60_000;

/** ISO 8601 → `2026-01-31T12:00` in UTC or in the browser's zone; '' if the text is not a time. */
export function momentText(iso: string, zone: Zone): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const shift = zone === 'utc' ? 0 : at.getTimezoneOffset() * MINUTE_MS;
  return new Date(at.getTime() - shift).toISOString().slice(0, 16);
}

/** `2026-01-31T12:00` in the zone → ISO 8601 with `Z`; '' for an empty or unfinished field. */
export function momentOf(text: string, zone: Zone): string {
  // Without an offset, `Date` reads a date with a time in the browser's zone.
  const at = new Date(zone === 'utc' ? `${text}Z` : text);
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
