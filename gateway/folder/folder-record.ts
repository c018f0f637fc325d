/**
 * `folder.json`: state of the database, kept outside the database so that a database that was removed, restored from a
 * copy, or lost its write-ahead log is noticed. The database counts the same starts in its settings.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../system/atomic-file.ts';

export interface FolderHome {
  /** Hash of the machine's id; null: not known there. */
  readonly machine: string | null;
  readonly path: string;
  /** Counts the places and machines at which the folder was started. */
  readonly generation: number;
  /** Identity of the folder and its copies. Earlier versions left it out. */
  readonly id?: string;
}

export interface FolderRecord {
  /** Starts of the gateway on this folder. */
  readonly starts: number;
  /**
   * `open`: the database has committed since its opening, so its log exists until an orderly close. `changing`: the
   * database is being opened or closed, or a repair accepted it as it is; the log may exist or not.
   */
  readonly database: 'open' | 'changing' | 'closed';
  /** Venues whose files are gone for good: they start over at the next start. */
  readonly beginAnew?: readonly string[];
  /** Left out by earlier versions. */
  readonly home?: FolderHome;
}

const NAME = 'folder.json';

/**
 * null: there is no record (folders of earlier versions), or it is unreadable; the checks that need it are then
 * skipped.
 */
export function readFolderRecord(dataDir: string): FolderRecord | null {
  try {
    const read: FolderRecord = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'));
    return typeof read.starts === 'number' ? read : null;
  } catch {
    return null;
  }
}

/** Writes the record to disk before it resolves: no change that contradicts the last record may come earlier. */
export async function keepFolderRecord(dataDir: string, record: FolderRecord): Promise<void> {
  await writeFileAtomically(join(dataDir, NAME), `${JSON.stringify(record)}\n`);
}

/**
 * Writes the record without waiting for the disk. After a power loss the previous record is there, whose check is
 * less strict.
 */
export function noteFolderRecord(dataDir: string, record: FolderRecord): void {
  const draft = join(dataDir, `${NAME}.new`);
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, join(dataDir, NAME));
}
