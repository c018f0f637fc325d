/**
 * The cookie `tandem_session`. `Secure` is left out because the gateway serves plain HTTP on loopback names; no `Domain`,
 * so no other host receives it; SameSite=Strict and HttpOnly against pages of other origins.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { SessionSecrets } from './session-secrets.ts';
import { SESSION_SECONDS } from './sessions.ts';

const NAME = 'tandem_session';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

export interface SessionCookies {
  /** Value of `Set-Cookie` that signs the browser in. */
  issue(sessionId: string): string;
  /** Value of `Set-Cookie` that removes it. */
  readonly clear: string;
  /** Session id of a genuine cookie; null when it is not ours; undefined when there is none. */
  read(headers: IncomingHttpHeaders): string | null | undefined;
}

export function createSessionCookies(secrets: SessionSecrets): SessionCookies {
  return {
    issue: (sessionId) =>
      `${NAME}=${secrets.cookieValue(sessionId)}; Max-Age=${SESSION_SECONDS}; ${ATTRIBUTES}`,
    clear: `${NAME}=; Max-Age=0; ${ATTRIBUTES}`,
    read(headers) {
      const value = cookieValue(headers);
      return value === undefined || value === '' ? undefined : secrets.sessionOfCookie(value);
    },
  };
}

function cookieValue(headers: IncomingHttpHeaders): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === NAME) return pair.slice(at + 1).trim();
  }
  return undefined;
}
