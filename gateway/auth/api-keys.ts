/** API keys: made, listed and revoked by their owner; looked up on every request through `api-key-index.ts`. */
import type { ApiKey, Principal } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import { type ApiKeyIndex, createApiKeyIndex, principalOf } from './api-key-index.ts';
import type { AuthStore } from './auth-store.ts';
import { createLastUsed } from './last-used.ts';
import { randomSecret, sha256Hex } from './secret-text.ts';

const KEY_START = 'tdm_';
/** Shown start of a key: enough to recognise the key in a list; the other 220 bits stay unknown. */
const PREFIX_CHARS = 10;

export interface NewApiKey {
  readonly userId: string;
  readonly label: string;
  readonly scope: ApiKey['scope'];
  /** Expiry in epoch ms, later than now; null: the key never expires. */
  readonly expiresAt: number | null;
  readonly tradeAccountIds: readonly string[] | null;
}

export interface ApiKeys {
  /** API keys of a user, newest first. */
  list(userId: string): readonly ApiKey[];
  /**
   * Commits the new key together with the rows that `together` makes of it. `secret` is the key itself: shown to its
   * owner once, in the answer to this call.
   */
  create(
    wanted: NewApiKey,
    together?: (key: ApiKey) => UnitOfWork,
  ): Promise<Result<{ readonly key: ApiKey; readonly secret: string }, StoreError>>;
  /** Revokes the key in one commit with `together`. */
  revoke(
    userId: string,
    id: string,
    together?: UnitOfWork,
  ): Promise<Result<void, { readonly kind: 'not_found' } | StoreError>>;
  /** undefined: the key is revoked. */
  labelOf(id: string): string | undefined;
  /** undefined: the key is revoked or expired. */
  alive(id: string): ApiKey | undefined;
  /** The caller that a request with the key would be; null: the key is revoked or expired. */
  principal(id: string): Principal | null;
  /** Calls `listener` after the revocation of a key is on disk; the answer to the revocation waits for it. */
  onRevoked(listener: (key: ApiKey) => Promise<void>): void;
  readonly index: ApiKeyIndex;
  close(): Promise<void>;
}

export function createApiKeys(options: {
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly loaded: readonly ApiKey[];
}): ApiKeys {
  const { store, clock, ids, logger } = options;
  const keys = new Map<string, ApiKey>(options.loaded.map((key) => [key.id, key]));
  const usedAt = new Map<string, number>();
  /** Keys that are being deleted on disk: writing their last use now would bring the row back. */
  const revoking = new Set<string>();
  let revoked: (key: ApiKey) => Promise<void> = async () => {};

  const lastUsed = createLastUsed(clock, async (wanted) => {
    const rows = wanted.flatMap((id) => {
      const key = keys.get(id);
      return key === undefined || revoking.has(id) ? [] : [withUse(key)];
    });
    if (rows.length === 0) return [];
    const committed = await store.commit({ apiKeys: rows });
    if (!committed.ok) logger.warn({ reason: committed.error.message }, 'last use of API keys was not saved');
    return [];
  });

  const index = createApiKeyIndex(clock, (id, at) => {
    usedAt.set(id, at);
    lastUsed.mark(id);
  });
  for (const key of keys.values()) index.add(key);

  function withUse(key: ApiKey): ApiKey {
    return { ...key, lastUsedAt: usedAt.get(key.id) ?? key.lastUsedAt };
  }

  function alive(id: string): ApiKey | undefined {
    const key = keys.get(id);
    if (key === undefined) return undefined;
    return key.expiresAt === null || clock.now() < key.expiresAt ? key : undefined;
  }

  return {
    index,
    labelOf: (id) => keys.get(id)?.label,
    alive,
    principal(id) {
      const key = alive(id);
      return key === undefined ? null : principalOf(key);
    },
    onRevoked(listener) {
      revoked = listener;
    },
    list: (userId) =>
      [...keys.values()]
        .filter((key) => key.userId === userId)
        .map(withUse)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    async create(wanted, together) {
      const secret = KEY_START + randomSecret();
      const key: ApiKey = {
        id: ids.next(),
        userId: wanted.userId,
        label: wanted.label,
        scope: wanted.scope,
        keyPrefix: secret.slice(0, PREFIX_CHARS),
        keyHash: sha256Hex(secret),
        tradeAccountIds: wanted.tradeAccountIds,
        expiresAt: wanted.expiresAt,
        lastUsedAt: null,
        createdAt: clock.now(),
      };
      const committed = await store.commit({ ...together?.(key), apiKeys: [key] });
      if (!committed.ok) return committed;
      keys.set(key.id, key);
      index.add(key);
      return ok({ key, secret });
    },
    async revoke(userId, id, together) {
      const key = keys.get(id);
      if (key === undefined || key.userId !== userId || revoking.has(id)) return fail({ kind: 'not_found' });
      revoking.add(id);
      const committed = await store.commit({ ...together, deletes: [{ from: 'apiKeys', id }] });
      revoking.delete(id);
      if (!committed.ok) return committed;
      index.remove(key);
      keys.delete(id);
      usedAt.delete(id);
      await revoked(key);
      return ok(undefined);
    },
    close: () => lastUsed.close(),
  };
}
