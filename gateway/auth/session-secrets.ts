/**
 * The two long-lived secrets of a session.
 *
 * - Refresh token `<session id>.<256 random bits>.<MAC>`: the store keeps its SHA-256. The MAC proves that the gateway
 *   issued it, so a genuine token that is not the current one is known to be a rotated one (reuse) without a list of
 *   every token ever rotated; a made-up token cannot be used to end someone's session.
 * - Cookie `<session id>.<256 bit MAC>`: needs no column of its own, and the database alone does not reveal it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomSecret } from './secret-text.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface SessionSecrets {
  makeRefreshToken(sessionId: string): string;
  /** Session id of a refresh token that the gateway issued, current or not; null for anything else. */
  sessionOfRefreshToken(token: string): string | null;
  cookieValue(sessionId: string): string;
  /** Session id of a genuine cookie value, of a living or an ended session; null for anything else. */
  sessionOfCookie(value: string): string | null;
}

const MAX_CHARS = 256;

function mac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

export function createSessionSecrets(keys: Pick<SigningKeys, 'cookieKey' | 'refreshKey'>): SessionSecrets {
  return {
    makeRefreshToken(sessionId) {
      const body = `${sessionId}.${randomSecret()}`;
      return `${body}.${mac(keys.refreshKey, body)}`;
    },
    sessionOfRefreshToken(token) {
      if (token.length > MAX_CHARS) return null;
      const [sessionId, random, signature, ...rest] = token.split('.');
      if (sessionId === undefined || random === undefined || signature === undefined || rest.length > 0) {
        return null;
      }
      return same(signature, mac(keys.refreshKey, `${sessionId}.${random}`)) ? sessionId : null;
    },
    cookieValue: (sessionId) => `${sessionId}.${mac(keys.cookieKey, sessionId)}`,
    sessionOfCookie(value) {
      if (value.length > MAX_CHARS) return null;
      const [sessionId, signature, ...rest] = value.split('.');
      if (sessionId === undefined || signature === undefined || rest.length > 0) return null;
      return same(signature, mac(keys.cookieKey, sessionId)) ? sessionId : null;
    },
  };
}
