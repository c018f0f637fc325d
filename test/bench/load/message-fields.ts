/** The string that follows `before` (up to its closing quote), without parsing the message; null where there is none. */
export function stringAt(text: string, before: string): string | null {
  const at = text.indexOf(before);
  if (at === -1) return null;
  const start = at + before.length;
  const end = text.indexOf('"', start);
  return end === -1 ? null : text.slice(start, end);
}

/** The whole number that follows `before`; null where there is none. */
export function numberAt(text: string, before: string): number | null {
  const at = text.indexOf(before);
  const digits =
    at === -1 ? undefined : /^\d+/.exec(text.slice(at + before.length, at + before.length + 16))?.[0];
  return digits === undefined ? null : Number(digits);
}
