/**
 * Texts of a failure: the gateway's own sentence, and separately, marked, a text that may quote the venue. The code of
 * an order or execution tells which of the two a text is; texts without a code may quote.
 */
import type { Outcome } from './outcome.ts';
import { untrusted } from './untrusted.ts';

const MAX_CHARS = 400;

/** Codes whose text is the gateway's own. */
const OWN: ReadonlySet<string> = new Set([
  'SLIPPAGE_EXCEEDED',
  'UNKNOWN_OUTCOME',
  'UNDER_REVIEW',
  'ACCOUNT_NOT_ARMED',
  'CALLER_NOT_ALLOWED',
  'CAP_EXCEEDED',
  'AGENT_LIMIT',
  'AGENT_DISCONNECTED',
  'CANCELLED',
  'GATEWAY_RESTARTED',
  'NOOP_ERROR',
  'PAUSED',
]);

const SENTENCES: Readonly<Record<string, string>> = {
  VENUE_REJECTED: 'The venue rejected it; untrusted_text has its words',
  NOT_SENT: 'The venue could not be reached in time, or took no more requests; untrusted_text has its words',
  NEEDS_REVIEW: 'What became of it has to be looked at; untrusted_text has the words',
};
const OTHER = 'It did not go as asked; untrusted_text has the words';

export type Words = Pick<Outcome, 'reason' | 'untrusted_text'>;

/** @param code of the text; null: it has none */
export function venueWords(error: string | null, code: string | null = null): Words {
  if (error === null) return { reason: null, untrusted_text: null };
  if (code !== null && OWN.has(code)) return { reason: error, untrusted_text: null };
  return { reason: SENTENCES[code ?? ''] ?? OTHER, untrusted_text: untrusted(error, MAX_CHARS) };
}
