let lastMs = Number.NaN;
let lastText = '';

/** ISO 8601 UTC with milliseconds. Keeps the last text, because one answer often repeats a time. */
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
