/**
 * One gateway per data folder. `gateway.lock` names the holder by pid and by its start, so that a lock left by a killed
 * gateway is recognised even when the pid is in use again. The lock also tells the command line the gateway's address.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../domain/result.ts';
import { RESERVE_FILE } from './disk-reserve.ts';
import { isAlive, processIdentity } from './process-identity.ts';

export interface LockHolder {
  readonly pid: number;
  /** Identity of the process (see processIdentity); null where the system does not tell it. */
  readonly identity: string | null;
  /** Token of this acquisition of the lock, never used twice. */
  readonly token: string;
  /** Address at which the gateway answers; null until it serves. */
  readonly url: string | null;
  /** Path of the gateway's Unix socket; null where the gateway has none. */
  readonly socketPath: string | null;
}

export interface DataFolderLock {
  /** Token of this acquisition, never used twice and known only to readers of the folder. */
  readonly token: string;
  /** Writes the gateway's address into the lock file, for the command line. */
  publish(url: string, socketPath?: string | null): void;
  /** Releases the lock on the folder; harmless when called twice. */
  release(): void;
}

export type LockError =
  | { readonly kind: 'held'; readonly holder: LockHolder; readonly message: string }
  | { readonly kind: 'unusable'; readonly message: string };

/** The only form of address that a gateway publishes. A lock with another one is not its own, and leads nowhere. */
const OWN_URL = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;
const TAKEOVER_TRIES = 100;
const TAKEOVER_PAUSE_MS = 20;

const heldHere = new Set<string>();

export function lockFile(dataDir: string): string {
  return join(dataDir, 'gateway.lock');
}

export function acquireDataFolderLock(dataDir: string): Result<DataFolderLock, LockError> {
  const path = lockFile(dataDir);
  const mine: LockHolder = {
    pid: process.pid,
    identity: processIdentity(process.pid),
    token: randomUUID(),
    url: null,
    socketPath: null,
  };
  const acquire = (): Result<DataFolderLock, LockError> => {
    if (claim(path, mine)) return ok(hold(path, mine));
    const holder = readHolder(path);
    if (holder !== null && isRunning(holder)) return fail(heldBy(dataDir, holder));
    return takeOver(path, dataDir, mine);
  };
  try {
    try {
      return acquire();
    } catch (error) {
      // A gateway killed on a full disk starts again on the bytes set aside, unless they are those of one that runs.
      if (!hasCode(error, 'ENOSPC') || dataFolderHolder(dataDir) !== null) throw error;
      rmSync(join(dataDir, RESERVE_FILE), { force: true });
      return acquire();
    }
  } catch (error) {
    return fail({ kind: 'unusable', message: `the lock ${path} cannot be written: ${String(error)}` });
  }
}

/** The running gateway that holds the folder; null when none does. Changes nothing. */
export function dataFolderHolder(dataDir: string): LockHolder | null {
  const holder = readHolder(lockFile(dataDir));
  return holder !== null && isRunning(holder) ? holder : null;
}

/**
 * Creates the lock file with its content in one step, by a hard link: it is never half-written, and fails if the lock
 * exists.
 */
function claim(path: string, mine: LockHolder): boolean {
  const draft = `${path}.${mine.token}`;
  try {
    writeFileSync(draft, `${JSON.stringify(mine)}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces a stale lock. Without the gate two starters could both see the stale lock, and the slower one would remove
 * the fresh lock of the faster one.
 */
function takeOver(path: string, dataDir: string, mine: LockHolder): Result<DataFolderLock, LockError> {
  const gate = `${path}.takeover`;
  for (let attempt = 0; attempt < TAKEOVER_TRIES; attempt += 1) {
    if (enterGate(gate, mine)) {
      try {
        const holder = readHolder(path);
        if (holder !== null && isRunning(holder)) return fail(heldBy(dataDir, holder));
        rmSync(path, { force: true });
        if (claim(path, mine)) return ok(hold(path, mine));
      } finally {
        rmSync(gate, { force: true });
      }
    }
    const holder = readHolder(path);
    if (holder !== null && isRunning(holder)) return fail(heldBy(dataDir, holder));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TAKEOVER_PAUSE_MS);
  }
  return fail({ kind: 'unusable', message: `another start is taking over ${path}; try again` });
}

/** The gate file names the process inside, so that a gate left by a dead process keeps nobody out. */
function enterGate(gate: string, mine: LockHolder): boolean {
  if (claim(gate, mine)) return true;
  const inside = readHolder(gate);
  if (inside === null || !isRunning(inside)) removeDeadGate(gate, inside);
  return false;
}

/** Moves a dead gate away before checking it again: a faster starter may have put its own gate in its place. */
function removeDeadGate(gate: string, dead: LockHolder | null): void {
  const aside = `${gate}.${randomUUID()}`;
  try {
    renameSync(gate, aside);
    if (readHolder(aside)?.token !== dead?.token) linkSync(aside, gate);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function hold(path: string, mine: LockHolder): DataFolderLock {
  heldHere.add(mine.token);
  let released = false;
  return {
    token: mine.token,
    publish(url, socketPath = null) {
      if (released) return;
      const draft = `${path}.${mine.token}`;
      writeFileSync(draft, `${JSON.stringify({ ...mine, url, socketPath })}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
    release() {
      if (released) return;
      released = true;
      heldHere.delete(mine.token);
      if (readHolder(path)?.token === mine.token) rmSync(path, { force: true });
    },
  };
}

/**
 * A lock of this very process counts only while held: a crash test may abandon its lock and start again. A lock without
 * an identity was not written here where the system tells identities.
 */
function isRunning(holder: LockHolder): boolean {
  if (holder.pid === process.pid) return heldHere.has(holder.token);
  if (!isAlive(holder.pid)) return false;
  const now = processIdentity(holder.pid);
  return now === null || now === holder.identity;
}

function readHolder(path: string): LockHolder | null {
  let raw: string;
  try {
    raw = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, identity, token, url, socketPath } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0 || typeof token !== 'string')
      return null;
    if (typeof url === 'string' && !OWN_URL.test(url)) return null;
    return {
      pid,
      token,
      identity: typeof identity === 'string' ? identity : null,
      url: typeof url === 'string' ? url : null,
      socketPath: typeof socketPath === 'string' ? socketPath : null,
    };
  } catch {
    // The lock file is incomplete. Lock files are created atomically, so only a power loss can cause this, and nobody
    // holds such a lock.
    return null;
  }
}

function heldBy(dataDir: string, holder: LockHolder): LockError {
  const where = holder.url === null ? '' : ` at ${holder.url}`;
  return {
    kind: 'held',
    holder,
    message: `another Tandem (pid ${holder.pid}) already runs${where} on the data folder ${dataDir}; stop it or name another folder with --data-dir`,
  };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
