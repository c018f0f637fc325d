/** Venue's texts, made safe for logs and orders. */
import { createRedactor } from './redact.ts';

const REDACTOR = createRedactor();
const LONGEST = 300;

/** The venue's text without secrets: it may repeat the request. */
export function wordsOf(text: string): string {
  return REDACTOR.text(text.slice(0, LONGEST));
}

/** Sentence for a status other than 200. Unserved regions are refused by a server in front of the venue. */
export function sentenceOfStatus(status: number): string {
  if (status === 403 || status === 451) return 'not available from your region or IP address';
  return `it answered with HTTP ${status}`;
}
