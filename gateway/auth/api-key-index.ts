/**
 * From the text of a key to its principal, synchronously and in a few microseconds: SHA-256, a map look-up, one comparison
 * in constant time, the expiry. The answers are made when the key is loaded, so a request allocates next to nothing.
 */
import { timingSafeEqual } from 'node:crypto';
import { AUTH_MESSAGES } from '../contract/errors.ts';
import type { ApiKey } from '../domain/model.ts';
import type { Clock } from '../engine/ports.ts';
import type { Authentication } from '../http/handler.ts';
import { sha256 } from './secret-text.ts';

export interface ApiKeyIndex {
  authenticate(secret: string): Authentication;
  add(key: ApiKey): void;
  remove(key: ApiKey): void;
}

interface Entry {
  readonly id: string;
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly accepted: Authentication;
}

const UNKNOWN: Authentication = { ok: false, status: 401, message: AUTH_MESSAGES.invalidKey };
const EXPIRED: Authentication = { ok: false, status: 401, message: AUTH_MESSAGES.expiredKey };

export function createApiKeyIndex(clock: Clock, used: (keyId: string, at: number) => void): ApiKeyIndex {
  const entries = new Map<string, Entry>();
  const mapKey = (digest: Buffer) => digest.toString('latin1');

  return {
    authenticate(secret) {
      const digest = sha256(secret);
      const entry = entries.get(mapKey(digest));
      if (entry === undefined || !timingSafeEqual(entry.digest, digest)) return UNKNOWN;
      const now = clock.now();
      if (now >= entry.expiresAt) return EXPIRED;
      used(entry.id, now);
      return entry.accepted;
    },
    add(key) {
      const digest = Buffer.from(key.keyHash, 'hex');
      entries.set(mapKey(digest), {
        id: key.id,
        digest,
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
        accepted: {
          ok: true,
          via: 'header',
          principal: {
            kind: 'api_key',
            userId: key.userId,
            keyId: key.id,
            scope: key.scope,
            tradeAccountIds: key.tradeAccountIds === null ? null : new Set(key.tradeAccountIds),
          },
        },
      });
    },
    remove(key) {
      entries.delete(mapKey(Buffer.from(key.keyHash, 'hex')));
    },
  };
}
