/**
 * Sign-in sessions: opened by a sign-in, prolonged by refreshing (30 days, sliding), ended by logout, a password change,
 * or the reuse of a refresh token that has been rotated.
 *
 * Memory follows the disk: a change is committed first and shows in memory afterwards. A session row that is being
 * changed is `busy`, and the once-a-minute write of `lastUsedAt` leaves it alone, or it would bring the old row back.
 */
import type { Session } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Clock, Ids, Logger, StoreError, UnitOfWork } from '../engine/ports.ts';
import type { AuthStore } from './auth-store.ts';
import { createLastUsed } from './last-used.ts';
import { sha256Hex } from './secret-text.ts';
import type { SessionSecrets } from './session-secrets.ts';

export const SESSION_SECONDS = 30 * 24 * 3_600;
/** The one longest unused makes room for a new sign-in. */
const MAX_SESSIONS_PER_USER = 100;
const MAX_USER_AGENT_CHARS = 256;

export interface Device {
  readonly userAgent: string | null;
  readonly ip: string | null;
}

export interface OpenedSession {
  readonly session: Session;
  readonly refreshToken: string;
}

/** A session that becomes real when its unit is committed and `adopt` is called. */
export interface PreparedSession extends OpenedSession {
  readonly unit: Pick<UnitOfWork, 'sessions' | 'deletes'>;
}

export type RefreshError = { readonly kind: 'invalid' } | { readonly kind: 'reused' } | StoreError;

export interface Sessions {
  /** undefined once ended or past its window. */
  alive(sessionId: string): Session | undefined;
  touch(sessionId: string): void;
  prepare(userId: string, device: Device): PreparedSession;
  adopt(prepared: PreparedSession): void;
  refreshByToken(token: string): Promise<Result<OpenedSession, RefreshError>>;
  /** For a session authenticated by its cookie. */
  refreshById(sessionId: string): Promise<Result<OpenedSession, RefreshError>>;
  /** Newest first. */
  list(userId: string): readonly Session[];
  /** In one commit with `together`. */
  end(
    userId: string,
    sessionId: string,
    together?: UnitOfWork,
  ): Promise<Result<void, { readonly kind: 'not_found' } | StoreError>>;
  /** Ends every session of the user but one (null: all), in one commit with `together`. */
  endOthers(
    userId: string,
    keepSessionId: string | null,
    together: UnitOfWork,
  ): Promise<Result<void, StoreError>>;
  close(): Promise<void>;
}

export function createSessions(options: {
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly secrets: SessionSecrets;
  readonly loaded: readonly Session[];
}): Sessions {
  const { store, clock, ids, logger, secrets } = options;
  const sessions = new Map<string, Session>(options.loaded.map((session) => [session.id, session]));
  const usedAt = new Map<string, number>();
  /** How many changes of the row are on their way to the disk. */
  const busy = new Map<string, number>();
  /** Rotations on their way to the disk: a token is redeemed by whoever comes first. */
  const rotating = new Map<string, Promise<unknown>>();

  const lastUsed = createLastUsed(clock, async (wanted) => {
    const rows: Session[] = [];
    const later: string[] = [];
    for (const id of wanted) {
      const row = alive(id);
      if (row === undefined) continue;
      if (busy.has(id)) later.push(id);
      else rows.push(withUse(row));
    }
    if (rows.length === 0) return later;
    const committed = await store.commit({ sessions: rows });
    if (!committed.ok) logger.warn({ reason: committed.error.message }, 'last use of sessions was not saved');
    return later;
  });

  function withUse(session: Session): Session {
    return { ...session, lastUsedAt: usedAt.get(session.id) ?? session.lastUsedAt };
  }

  function alive(sessionId: string): Session | undefined {
    const session = sessions.get(sessionId);
    return session !== undefined && clock.now() < session.expiresAt ? session : undefined;
  }

  function drop(sessionId: string): void {
    sessions.delete(sessionId);
    usedAt.delete(sessionId);
  }

  /** Sessions that a new one of the user replaces: those past their window, and the longest unused above the limit. */
  function outdated(userId: string): readonly Session[] {
    const all = [...sessions.values()].filter((session) => session.userId === userId).map(withUse);
    const living = all
      .filter((session) => clock.now() < session.expiresAt)
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt);
    return [
      ...all.filter((session) => clock.now() >= session.expiresAt),
      ...living.slice(MAX_SESSIONS_PER_USER - 1),
    ];
  }

  async function whileBusy<T>(changed: readonly string[], task: () => Promise<T>): Promise<T> {
    for (const id of changed) busy.set(id, (busy.get(id) ?? 0) + 1);
    try {
      return await task();
    } finally {
      for (const id of changed) {
        const left = (busy.get(id) ?? 1) - 1;
        if (left === 0) busy.delete(id);
        else busy.set(id, left);
      }
    }
  }

  async function endAll(
    ended: readonly Session[],
    together: UnitOfWork = {},
  ): Promise<Result<void, StoreError>> {
    const deletes = ended.map((session) => ({ from: 'sessions' as const, id: session.id }));
    const committed = await whileBusy(
      ended.map((session) => session.id),
      () => store.commit({ ...together, deletes }),
    );
    if (!committed.ok) return committed;
    for (const session of ended) drop(session.id);
    return ok(undefined);
  }

  /** Replaces the refresh token. Nothing may come between the caller's checks and the entry in `rotating`. */
  function rotate(session: Session): Promise<Result<OpenedSession, RefreshError>> {
    const refreshToken = secrets.makeRefreshToken(session.id);
    const now = clock.now();
    const next: Session = {
      ...session,
      refreshHash: sha256Hex(refreshToken),
      lastUsedAt: now,
      expiresAt: now + SESSION_SECONDS * 1_000,
    };
    const work = whileBusy([session.id], async (): Promise<Result<OpenedSession, RefreshError>> => {
      const committed = await store.commit({ sessions: [next] });
      if (!committed.ok) return committed;
      // Ended while the rotation was on its way (logout, password change): the end stands, whichever row is on disk.
      if (!sessions.has(session.id)) {
        await store.commit({ deletes: [{ from: 'sessions', id: session.id }] });
        return fail({ kind: 'invalid' });
      }
      sessions.set(session.id, next);
      usedAt.set(session.id, now);
      return ok({ session: next, refreshToken });
    }).finally(() => rotating.delete(session.id));
    rotating.set(session.id, work);
    return work;
  }

  return {
    alive,
    touch(sessionId) {
      usedAt.set(sessionId, clock.now());
      lastUsed.mark(sessionId);
    },
    prepare(userId, device) {
      const id = ids.next();
      const refreshToken = secrets.makeRefreshToken(id);
      const now = clock.now();
      const session: Session = {
        id,
        userId,
        refreshHash: sha256Hex(refreshToken),
        userAgent: device.userAgent?.slice(0, MAX_USER_AGENT_CHARS) ?? null,
        ip: device.ip,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + SESSION_SECONDS * 1_000,
      };
      const deletes = outdated(userId).map((old) => ({ from: 'sessions' as const, id: old.id }));
      return { session, refreshToken, unit: { sessions: [session], deletes } };
    },
    adopt(prepared) {
      for (const removed of prepared.unit.deletes ?? []) drop(removed.id);
      sessions.set(prepared.session.id, prepared.session);
    },
    async refreshByToken(token) {
      const sessionId = secrets.sessionOfRefreshToken(token);
      const session = sessionId === null ? undefined : alive(sessionId);
      if (session === undefined) return fail({ kind: 'invalid' });
      if (sha256Hex(token) !== session.refreshHash) {
        logger.warn(
          { sessionId: session.id },
          'a rotated refresh token was used again; the session is ended',
        );
        const ended = await endAll([session]);
        return ended.ok ? fail({ kind: 'reused' }) : ended;
      }
      // Lost a race against another request with the same token. That is a hurried client, not a thief: the session stays.
      if (rotating.has(session.id)) return fail({ kind: 'invalid' });
      return rotate(session);
    },
    async refreshById(sessionId) {
      while (rotating.has(sessionId)) await rotating.get(sessionId);
      const session = alive(sessionId);
      return session === undefined ? fail({ kind: 'invalid' }) : rotate(session);
    },
    list: (userId) =>
      [...sessions.values()]
        .filter((session) => session.userId === userId && alive(session.id) !== undefined)
        .map(withUse)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    async end(userId, sessionId, together) {
      const session = alive(sessionId);
      if (session === undefined || session.userId !== userId) return fail({ kind: 'not_found' });
      return endAll([session], together);
    },
    endOthers: (userId, keepSessionId, together) =>
      endAll(
        [...sessions.values()].filter((session) => session.userId === userId && session.id !== keepSessionId),
        together,
      ),
    close: () => lastUsed.close(),
  };
}
