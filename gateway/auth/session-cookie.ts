/**
 * Cookie `tandem_session` of programs that sign in without a key. `Secure` is left out because the gateway serves plain
 * HTTP on loopback names. Without `Domain` no other host receives it. SameSite=Strict and HttpOnly protect it from
 * pages of other origins. Cookies ignore ports: a server on another port of the same host name receives the cookie and
 * can set its own under the same name, with a narrower path that comes first. All cookies of that name are read, and
 * several that differ are all ignored.
 *
 * On the consent page a sign-in with a key has a cookie of its own, `tandem_interaction`, because the service promises
 * one. It lives as long as the interaction, on its path only, and authenticates nobody: the key does.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { SessionSecrets } from './session-secrets.ts';
import { SESSION_SECONDS } from './sessions.ts';

const NAME = 'tandem_session';
const INTERACTION_NAME = 'tandem_interaction';
/** As long as an interaction lives (oauth/authorize.ts). */
export const INTERACTION_SECONDS = 600;
const HARDENED = 'HttpOnly; SameSite=Strict';
const ATTRIBUTES = `Path=/; ${HARDENED}`;
/** Maximum number of paths for which an answer clears cookies; a longer address would have more. */
const MAX_PATHS = 16;

export type SessionCookie =
  | { readonly kind: 'session'; readonly sessionId: string }
  /** A cookie that the gateway has not made. */
  | { readonly kind: 'forged' }
  /** Several session cookies that differ. */
  | { readonly kind: 'conflict' };

export interface SessionCookies {
  /** Value of `Set-Cookie` that signs a program in. */
  issue(sessionId: string): string;
  /** Value of `Set-Cookie` for the consent page of one interaction. */
  issueForInteraction(uid: string, sessionId: string): string;
  /** Value of `Set-Cookie` that removes the session cookie. */
  readonly clear: string;
  /** undefined: the request has no session cookie. */
  read(headers: IncomingHttpHeaders): SessionCookie | undefined;
}

export function createSessionCookies(secrets: SessionSecrets): SessionCookies {
  return {
    issue: (sessionId) =>
      `${NAME}=${secrets.cookieValue(sessionId)}; Max-Age=${SESSION_SECONDS}; ${ATTRIBUTES}`,
    issueForInteraction: (uid, sessionId) =>
      `${INTERACTION_NAME}=${sessionId}; Max-Age=${INTERACTION_SECONDS}; Path=/interaction/${uid}; ${HARDENED}`,
    clear: `${NAME}=; Max-Age=0; ${ATTRIBUTES}`,
    read(headers) {
      const [value, ...others] = cookieValues(headers);
      if (value === undefined) return undefined;
      if (others.some((other) => other !== value)) return { kind: 'conflict' };
      const sessionId = secrets.sessionOfCookie(value);
      return sessionId === null ? { kind: 'forged' } : { kind: 'session', sessionId };
    },
  };
}

function cookieValues(headers: IncomingHttpHeaders): readonly string[] {
  const values: string[] = [];
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at <= 0 || pair.slice(0, at).trim() !== NAME) continue;
    const value = pair.slice(at + 1).trim();
    if (value !== '') values.push(value);
  }
  return values;
}

/**
 * Values of `Set-Cookie` that remove every session cookie that a browser would have sent with this request: a browser
 * removes a cookie only by its own path and domain.
 * @param path of the request, without its query
 */
export function clearEverySessionCookie(headers: IncomingHttpHeaders, path: string): readonly string[] {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const domains = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? ['', `; Domain=${host}`] : [''];
  const paths = new Set(['/']);
  let prefix = '';
  for (const part of path.split('/').slice(1)) {
    prefix += `/${part}`;
    paths.add(prefix).add(`${prefix}/`);
  }
  return [...paths]
    .filter((one) => /^[\w./~%-]+$/.test(one))
    .slice(0, MAX_PATHS)
    .flatMap((one) => domains.map((domain) => `${NAME}=; Max-Age=0; Path=${one}${domain}; ${HARDENED}`));
}
