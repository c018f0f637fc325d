/**
 * Sign-in sessions: opened by a sign-in, prolonged by refreshing (30 days, sliding), ended by logout, a password
 * change, or the reuse of a refresh token that has been rotated. A session that is bound to a key has no refresh token
 * and no cookie: a proof of the key authenticates as the session, until the session was unused for 12 hours or is 30
 * days old. A key has one session at a time.
 *
 * Memory follows the disk: a change is committed first and shows in memory afterwards. A session row that is being
 * changed is `busy`: the once-a-minute write of `lastUsedAt` skips the row, because it would bring the old row back.
 */

import { fail, ok, type Result } from '../domain/result.ts';
import type { Session } from '../domain/session.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { AuthStore } from './auth-store.ts';
import { createLastUsed } from './last-used.ts';
import { sha256Hex } from './secret-text.ts';
import type { SessionSecrets } from './session-secrets.ts';

export const SESSION_SECONDS = 30 * 24 * 3_600;
/** Maximum sessions of a user; a further sign-in replaces the session unused for longest. */
const MAX_SESSIONS_PER_USER = 100;
const MAX_USER_AGENT_CHARS = 256;
/** A bound session that nobody uses for this long has ended. */
const IDLE_MS = 12 * 3_600_000;

export interface Device {
  readonly userAgent: string | null;
  readonly ip: string | null;
  /** Key to which the session is bound, if the sign-in came with a proof of it. */
  readonly key?: KeyBinding | null;
}

export interface KeyBinding {
  /** RFC 7638 thumbprint of a key that the caller has proved to have. */
  readonly thumbprint: string;
  /** Life of the session in seconds. Default 30 days. */
  readonly lifeSeconds?: number;
}

export interface OpenedSession {
  readonly session: Session;
  /** Empty for a session that is bound to a key. */
  readonly refreshToken: string;
}

/** A session that becomes real when its unit is committed and `adopt` is called. */
export interface PreparedSession extends OpenedSession {
  readonly unit: Pick<UnitOfWork, 'sessions' | 'deletes'>;
}

export type RefreshError = { readonly kind: 'invalid' } | { readonly kind: 'reused' } | StoreError;

export interface Sessions {
  /** undefined: the session has ended or is past its window. */
  alive(sessionId: string): Session | undefined;
  touch(sessionId: string): void;
  prepare(userId: string, device: Device): PreparedSession;
  adopt(prepared: PreparedSession): void;
  refreshByToken(token: string): Promise<Result<OpenedSession, RefreshError>>;
  /** The living session of a key that the caller has just proved to have; the call counts as a use. */
  ofKey(thumbprint: string): Session | undefined;
  /** True: the store has a living or expired session of this key, so the key's browser has signed in before. */
  knownKey(thumbprint: string): boolean;
  /** Refreshes a session that was authenticated by its cookie. */
  refreshById(sessionId: string): Promise<Result<OpenedSession, RefreshError>>;
  /** Sessions of a user, newest first. */
  list(userId: string): readonly Session[];
  /** Ends the session in one commit with `together`. */
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
  /** Key thumbprint → session id. */
  const byKey = new Map<string, string>();
  for (const session of options.loaded) indexKey(session);
  /** Session id → number of changes of its row that are being written to disk. */
  const busy = new Map<string, number>();
  /** Session id → refresh-token rotation being written to disk. Only the first request with a token may use it. */
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
    return session !== undefined && clock.now() < endOf(session) ? session : undefined;
  }

  function endOf(session: Session): number {
    if (session.keyThumbprint === null) return session.expiresAt;
    return Math.min(session.expiresAt, (usedAt.get(session.id) ?? session.lastUsedAt) + IDLE_MS);
  }

  function indexKey({ id, keyThumbprint, createdAt }: Session): void {
    if (keyThumbprint === null) return;
    const other = sessions.get(byKey.get(keyThumbprint) ?? '');
    if (other === undefined || other.createdAt <= createdAt) byKey.set(keyThumbprint, id);
  }

  function touch(sessionId: string): void {
    usedAt.set(sessionId, clock.now());
    lastUsed.mark(sessionId);
  }

  function drop(sessionId: string): void {
    const key = sessions.get(sessionId)?.keyThumbprint ?? null;
    if (key !== null && byKey.get(key) === sessionId) byKey.delete(key);
    sessions.delete(sessionId);
    usedAt.delete(sessionId);
  }

  /**
   * Sessions that a new one replaces: the user's expired ones, those above the user's limit (unused for longest
   * first), and sessions of the same key, of any user. Below the limit, an expired session with a key is kept, because
   * it marks a known browser.
   */
  function outdated(userId: string, keyThumbprint: string | null): readonly Session[] {
    const ofKey = (session: Session) => keyThumbprint !== null && session.keyThumbprint === keyThumbprint;
    const isOver = (session: Session) => session.keyThumbprint === null && clock.now() >= session.expiresAt;
    const replaced = [...sessions.values()].filter(
      (session) => ofKey(session) || (session.userId === userId && isOver(session)),
    );
    const kept = [...sessions.values()]
      .filter((session) => session.userId === userId && !ofKey(session) && !isOver(session))
      .map(withUse)
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt);
    return [...replaced, ...kept.slice(MAX_SESSIONS_PER_USER - 1)];
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
      // The session was ended during the rotation (logout, password change): the row that the rotation wrote is
      // deleted.
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
    touch,
    prepare(userId, device) {
      const id = ids.next();
      const key = device.key ?? null;
      // A session that is bound to a key has a refresh token too, but nobody is given it.
      const refreshToken = secrets.makeRefreshToken(id);
      const now = clock.now();
      const session: Session = {
        id,
        userId,
        refreshHash: sha256Hex(refreshToken),
        keyThumbprint: key?.thumbprint ?? null,
        userAgent: device.userAgent?.slice(0, MAX_USER_AGENT_CHARS) ?? null,
        ip: device.ip,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: now + (key?.lifeSeconds ?? SESSION_SECONDS) * 1_000,
      };
      const deletes = outdated(userId, session.keyThumbprint).map((old) => ({
        from: 'sessions' as const,
        id: old.id,
      }));
      return {
        session,
        refreshToken: key === null ? refreshToken : '',
        unit: { sessions: [session], deletes },
      };
    },
    adopt(prepared) {
      for (const removed of prepared.unit.deletes ?? []) drop(removed.id);
      const { session } = prepared;
      const { keyThumbprint } = session;
      const other = keyThumbprint === null ? undefined : sessions.get(byKey.get(keyThumbprint) ?? '');
      sessions.set(session.id, session);
      if (keyThumbprint !== null) byKey.set(keyThumbprint, session.id);
      // Two sign-ins with one key at the same moment: the later one ends the session of the earlier.
      if (other !== undefined) void endAll([other]);
    },
    async refreshByToken(token) {
      const sessionId = secrets.sessionOfRefreshToken(token);
      const session = sessionId === null ? undefined : alive(sessionId);
      if (session === undefined || session.keyThumbprint !== null) return fail({ kind: 'invalid' });
      if (sha256Hex(token) !== session.refreshHash) {
        logger.warn(
          { sessionId: session.id },
          'a rotated refresh token was used again; the session is ended',
        );
        const ended = await endAll([session]);
        return ended.ok ? fail({ kind: 'reused' }) : ended;
      }
      // Another request is using the same token right now. Two requests at once come from an impatient client, not
      // from a thief, so the session stays.
      if (rotating.has(session.id)) return fail({ kind: 'invalid' });
      return rotate(session);
    },
    async refreshById(sessionId) {
      while (rotating.has(sessionId)) await rotating.get(sessionId);
      const session = alive(sessionId);
      if (session === undefined || session.keyThumbprint !== null) return fail({ kind: 'invalid' });
      return rotate(session);
    },
    ofKey(thumbprint) {
      const session = alive(byKey.get(thumbprint) ?? '');
      if (session !== undefined) touch(session.id);
      return session;
    },
    knownKey: (thumbprint) => byKey.has(thumbprint),
    list: (userId) =>
      [...sessions.values()]
        .filter((session) => session.userId === userId && alive(session.id) !== undefined)
        .map((session) => ({ ...withUse(session), expiresAt: endOf(session) }))
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
