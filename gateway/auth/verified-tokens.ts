/**
 * Remembers tokens whose signature has been checked, keyed by the token's SHA-256 so that the tokens themselves are not
 * kept. Only the signature check is saved: expiry is checked here on every hit, revocation by the caller.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../engine/ports/system.ts';

export interface VerifiedTokens<T extends { readonly expiresAt: number }> {
  get(token: string): T | undefined;
  put(token: string, value: T): void;
  size(): number;
}

export function createVerifiedTokens<T extends { readonly expiresAt: number }>(
  clock: Clock,
  maxEntries = 10_000,
): VerifiedTokens<T> {
  const entries = new Map<string, T>();
  const keyOf = (token: string) => hash('sha256', token, 'binary');
  return {
    get(token) {
      const key = keyOf(token);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.now() < entry.expiresAt) return entry;
      entries.delete(key);
      return undefined;
    },
    put(token, value) {
      entries.set(keyOf(token), value);
      if (entries.size <= maxEntries) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    size: () => entries.size,
  };
}
