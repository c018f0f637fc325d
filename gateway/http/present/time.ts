let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 UTC with milliseconds, as the wire wants times. Remembers the last one: an answer repeats few times often. */
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
