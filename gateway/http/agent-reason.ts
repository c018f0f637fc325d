/**
 * Why an agent or a program wants an order, in its own words: the header `agent-reason`, percent-encoded UTF-8. Shown to the
 * person who is asked, as text of a stranger; it decides nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../call/errors.ts';
import { withoutHidden } from '../contract/plain-text.ts';

const MOST_CHARS = 280;

/** null: it gave none. Throws VALIDATION_ERROR for text that is too long or not encoded as it should be. */
export function reasonOf(headers: IncomingHttpHeaders): string | null {
  const header = headers['agent-reason'];
  if (header === undefined) return null;
  const text = typeof header === 'string' ? decoded(header) : null;
  if (text === null || [...text].length > MOST_CHARS) {
    throw invalid('agent-reason', `Expected percent-encoded text of at most ${MOST_CHARS} characters`);
  }
  const seen = withoutHidden(text);
  return seen === '' ? null : seen;
}

function decoded(header: string): string | null {
  try {
    return decodeURIComponent(header);
  } catch {
    return null;
  }
}
