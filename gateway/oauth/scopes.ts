/** Scopes: a space-delimited list (RFC 6749 §3.3). The server knows the scopes but gives them no meaning. */
import type { OAuthFailure } from './failure.ts';

export const SCOPES: readonly string[] = ['mcp:read', 'mcp:write'];

const MAX_SHOWN_CHARS = 200;

/** Each scope once, in the order asked. */
export function readScopes(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}

/** The refusal that names the scopes that are not in `allowed`; null when all are. */
export function checkScopes(text: string, allowed: readonly string[]): OAuthFailure | null {
  const wrong = readScopes(text).filter((scope) => !allowed.includes(scope));
  if (wrong.length === 0) return null;
  // An error description may hold only printable ASCII without quote and backslash (RFC 6749 §5.2).
  const shown = wrong
    .join(' ')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, MAX_SHOWN_CHARS);
  return { status: 400, error: 'invalid_scope', description: `Check the \`${shown}\` scope(s)` };
}
