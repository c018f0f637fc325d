/**
 * Finds the principal of an API key, synchronously and in a few microseconds: SHA-256, a map look-up, the expiry. The
 * answers are made when the key is loaded, so a request allocates next to nothing.
 *
 * The map is keyed by the digest, so timing a look-up can reveal something about digests only, and nobody can choose
 * the digest of an unknown key. A constant-time comparison would therefore add nothing.
 */
import { hash } from 'node:crypto';
import type { Authentication } from '../call/authenticator.ts';
import { AUTH_MESSAGES } from '../contract/errors.ts';
import type { ApiKey, Principal } from '../domain/model.ts';
import type { Clock } from '../engine/ports/system.ts';

export interface ApiKeyIndex {
  authenticate(secret: string): Authentication;
  add(key: ApiKey): void;
  remove(key: ApiKey): void;
}

interface Entry {
  readonly id: string;
  readonly expiresAt: number;
  readonly accepted: Authentication;
}

const UNKNOWN: Authentication = { ok: false, status: 401, message: AUTH_MESSAGES.invalidKey };
const EXPIRED: Authentication = { ok: false, status: 401, message: AUTH_MESSAGES.expiredKey };

export function createApiKeyIndex(clock: Clock, used: (keyId: string, at: number) => void): ApiKeyIndex {
  const entries = new Map<string, Entry>();

  return {
    authenticate(secret) {
      const entry = entries.get(hash('sha256', secret, 'binary'));
      if (entry === undefined) return UNKNOWN;
      const now = clock.now();
      if (now >= entry.expiresAt) return EXPIRED;
      used(entry.id, now);
      return entry.accepted;
    },
    add(key) {
      entries.set(digestOf(key), {
        id: key.id,
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
        accepted: {
          ok: true,
          via: 'header',
          principal: principalOf(key),
        },
      });
    },
    remove(key) {
      entries.delete(digestOf(key));
    },
  };
}

export function principalOf({ id, userId, scope, tradeAccountIds }: ApiKey): Principal {
  return {
    kind: 'api_key',
    userId,
    keyId: id,
    scope,
    tradeAccountIds: tradeAccountIds === null ? null : new Set(tradeAccountIds),
  };
}

/** Digest as latin1 text, one character per byte: the fastest output of Node's `hash`. */
function digestOf(key: Pick<ApiKey, 'keyHash'>): string {
  return Buffer.from(key.keyHash, 'hex').toString('latin1');
}
