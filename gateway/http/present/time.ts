let lastMs = Number.NaN;
let lastText = '';

/**
 * ISO 8601 UTC with milliseconds, as on the wire. Keeps the last text: one answer often repeats the same time.
 */
export function iso(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}

export function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : iso(epochMs);
}
