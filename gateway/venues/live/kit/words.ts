/** Venue's texts, made safe for logs and orders. */
import { createRedactor } from './redact.ts';

const REDACTOR = createRedactor();
const LONGEST = 300;

/** The venue's words without secrets: it may repeat what was sent. */
export function wordsOf(text: string): string {
  return REDACTOR.text(text.slice(0, LONGEST));
}

/** A status other than 200, in a sentence. Regions that a venue does not serve are refused by what stands before it. */
export function sentenceOfStatus(status: number): string {
  if (status === 403 || status === 451) return 'not available from your region or IP address';
  return `it answered with HTTP ${status}`;
}
