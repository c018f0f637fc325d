/** The text without a full stop at its end, so that it can stand inside a sentence or before another one. */
export function withoutFullStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
