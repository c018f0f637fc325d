/**
 * Authentication of a request. `x-api-key` decides when it is there, whatever else is sent; else the bearer token; else
 * the session cookie. Answers come from memory: only a token not seen before costs a signature check.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Authentication, Authenticator } from '../call/authenticator.ts';
import { AUTH_MESSAGES } from '../contract/errors.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { ApiKeyIndex } from './api-key-index.ts';
import type { GrantRegistry } from './grant-registry.ts';
import type { SessionCookie, SessionCookies } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { AccessTokens, TokenClaims } from './tokens.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

export interface SyncAuthenticator extends Authenticator {
  authenticate(headers: IncomingHttpHeaders): Authentication;
  /** Authentication by a key or a token that did not come in a header (WebSocket `auth`). */
  authenticateApiKey(key: string): Authentication;
  authenticateToken(token: string): Authentication;
}

type Verified = TokenClaims & { readonly accepted: Authentication; touchedAt: number };

const refused = (message: string): Authentication => ({ ok: false, status: 401, message });
const MISSING = refused(AUTH_MESSAGES.missing);
const INVALID_TOKEN = refused(AUTH_MESSAGES.invalidToken);
const CONFLICTING_COOKIES: Authentication = {
  ok: false,
  status: 401,
  message: AUTH_MESSAGES.invalidToken,
  cookiesConflict: true,
};
const INVALID_KEY = refused(AUTH_MESSAGES.invalidKey);
const REVOKED = refused(AUTH_MESSAGES.revoked);
const REVOCATION_UNAVAILABLE = refused(AUTH_MESSAGES.revocationUnavailable);

const SCHEME = 'Bearer ';
/** Resolution of a session's last use, so that most requests of a token write nothing. */
const TOUCH_EVERY_MS = 1_000;

/** Bearer token of RFC 6750 §2.1; undefined: another scheme, or a value with blanks in it. */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME.toLowerCase()) return undefined;
  const token = header.slice(SCHEME.length).trim();
  return token === '' || /\s/.test(token) ? undefined : token;
}

export function createAuthenticator(options: {
  readonly keys: ApiKeyIndex;
  readonly tokens: AccessTokens;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly grants: GrantRegistry;
  readonly clock: Clock;
}): SyncAuthenticator {
  const { keys, tokens, sessions, cookies, grants, clock } = options;
  const verified = createVerifiedTokens<Verified>(clock);

  function verify(token: string): Verified | null {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const claims = tokens.verify(token);
    if (claims === null) return null;
    const entry = { ...claims, accepted: accept(claims), touchedAt: 0 };
    verified.put(token, entry);
    return entry;
  }

  function authenticateToken(token: string): Authentication {
    const entry = verify(token);
    return entry === null ? INVALID_TOKEN : standing(entry);
  }

  /** The session or grant behind a verified token may have ended since, so its state is checked on every request. */
  function standing(entry: Verified): Authentication {
    if (entry.kind === 'session') {
      if (sessions.alive(entry.sessionId)?.userId !== entry.userId) return INVALID_TOKEN;
      const now = clock.now();
      if (now - entry.touchedAt >= TOUCH_EVERY_MS || now < entry.touchedAt) {
        entry.touchedAt = now;
        sessions.touch(entry.sessionId);
      }
      return entry.accepted;
    }
    switch (grants.status(entry.grantId)) {
      case 'active':
        grants.seen(entry.grantId);
        return entry.accepted;
      case 'revoked':
        return REVOKED;
      case 'unavailable':
        return REVOCATION_UNAVAILABLE;
    }
  }

  function authenticateCookie(cookie: SessionCookie): Authentication {
    if (cookie.kind === 'conflict') return CONFLICTING_COOKIES;
    const session = cookie.kind === 'session' ? sessions.alive(cookie.sessionId) : undefined;
    if (session === undefined || session.keyThumbprint !== null) return INVALID_TOKEN;
    sessions.touch(session.id);
    return {
      ok: true,
      via: 'cookie',
      principal: { kind: 'session', userId: session.userId, sessionId: session.id },
    };
  }

  return {
    authenticate(headers) {
      const key = headers['x-api-key'];
      if (key !== undefined) return typeof key === 'string' ? keys.authenticate(key) : INVALID_KEY;
      const { authorization } = headers;
      // Fast path: the scheme in its usual spelling and a token that is verified already.
      const known = authorization?.startsWith(SCHEME)
        ? verified.get(authorization.slice(SCHEME.length))
        : undefined;
      if (known !== undefined) return standing(known);
      const token = bearerToken(authorization);
      if (token !== undefined) return authenticateToken(token);
      const cookie = cookies.read(headers);
      return cookie === undefined ? MISSING : authenticateCookie(cookie);
    },
    knows(headers) {
      const key = headers['x-api-key'];
      if (key !== undefined) return typeof key === 'string' && keys.authenticate(key).ok;
      const token = bearerToken(headers.authorization);
      const entry = token === undefined ? undefined : verified.get(token);
      return entry !== undefined && standing(entry).ok;
    },
    authenticateApiKey: (key) => keys.authenticate(key),
    authenticateToken,
  };
}

function accept(claims: TokenClaims): Authentication {
  if (claims.kind === 'session') {
    return {
      ok: true,
      via: 'header',
      principal: { kind: 'session', userId: claims.userId, sessionId: claims.sessionId },
    };
  }
  return {
    ok: true,
    via: 'header',
    principal: {
      kind: 'oauth_grant',
      userId: claims.userId,
      grantId: claims.grantId,
      clientId: claims.clientId,
      scopes: claims.scopes,
    },
  };
}
