/**
 * One gateway per data folder. `gateway.lock` names the holder by pid and by its start, so that a lock left by a killed
 * gateway is recognised even when the pid is in use again. It also tells the command line where the gateway answers.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../domain/result.ts';
import { isAlive, processIdentity } from './process-identity.ts';

export interface LockHolder {
  readonly pid: number;
  /** See processIdentity; null where unknown. */
  readonly identity: string | null;
  /** Unique per acquisition. */
  readonly token: string;
  /** Where the gateway answers, null until it serves. */
  readonly url: string | null;
  /** Its Unix socket, null where it has none. */
  readonly socketPath: string | null;
}

export interface DataFolderLock {
  /** Unique per acquisition, and known only to who may read the folder. */
  readonly token: string;
  /** Writes where it answers into the lock file for the command line. */
  publish(url: string, socketPath?: string | null): void;
  /** Gives the folder free; harmless when called twice. */
  release(): void;
}

export type LockError =
  | { readonly kind: 'held'; readonly holder: LockHolder; readonly message: string }
  | { readonly kind: 'unusable'; readonly message: string };

const LOCK_NAME = 'gateway.lock';
const TAKEOVER_TRIES = 100;
const TAKEOVER_PAUSE_MS = 20;

const heldHere = new Set<string>();

export function acquireDataFolderLock(dataDir: string): Result<DataFolderLock, LockError> {
  const path = join(dataDir, LOCK_NAME);
  const mine: LockHolder = {
    pid: process.pid,
    identity: processIdentity(process.pid),
    token: randomUUID(),
    url: null,
    socketPath: null,
  };
  try {
    if (claim(path, mine)) return ok(hold(path, mine));
    const holder = readHolder(path);
    if (holder !== null && isRunning(holder)) return fail(heldBy(dataDir, holder));
    return takeOver(path, dataDir, mine);
  } catch (error) {
    return fail({ kind: 'unusable', message: `the lock ${path} cannot be written: ${String(error)}` });
  }
}

/** Who holds the folder now; null when nobody does. Never changes anything. */
export function dataFolderHolder(dataDir: string): LockHolder | null {
  const holder = readHolder(join(dataDir, LOCK_NAME));
  return holder !== null && isRunning(holder) ? holder : null;
}

/** Creates the lock with its content in one step: a link never shows a half-written file and fails when it exists. */
function claim(path: string, mine: LockHolder): boolean {
  const draft = `${path}.${mine.token}`;
  writeFileSync(draft, `${JSON.stringify(mine)}\n`, { mode: 0o600, flag: 'wx' });
  try {
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

/** The gate names who is inside, so that one left by a process that died inside it keeps nobody out. */
function enterGate(gate: string, mine: LockHolder): boolean {
  if (claim(gate, mine)) return true;
  const inside = readHolder(gate);
  if (inside === null || !isRunning(inside)) removeDeadGate(gate, inside);
  return false;
}

/** Moved away before it is judged again: a faster starter may have removed it and put its own there. */
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

/** A lock of this very process counts only while it is held: a crash test may abandon one and start again. */
function isRunning(holder: LockHolder): boolean {
  if (holder.pid === process.pid) return heldHere.has(holder.token);
  if (!isAlive(holder.pid)) return false;
  const now = processIdentity(holder.pid);
  return holder.identity === null || now === null || now === holder.identity;
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
    return {
      pid,
      token,
      identity: typeof identity === 'string' ? identity : null,
      url: typeof url === 'string' ? url : null,
      socketPath: typeof socketPath === 'string' ? socketPath : null,
    };
  } catch {
    // Only a disk that lost power can leave half a lock: claims are atomic. Nobody holds such a one.
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
