/**
 * `folder.json`: what the rest of the data folder must know of the database, so that one that was removed, put back from a
 * copy, or robbed of its write-ahead log is noticed. The database counts the same starts in its settings.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../system/atomic-file.ts';

export interface FolderRecord {
  /** Starts of the gateway on this folder. */
  readonly starts: number;
  /**
   * `open`: the database has committed since it was opened, so its log is there until it is closed in order. `changing`:
   * it is being opened or closed, or it was taken as it is; the log may be there or not.
   */
  readonly database: 'open' | 'changing' | 'closed';
  /** Venues whose files are gone for good: they begin anew at the next start. */
  readonly beginAnew?: readonly string[];
}

const NAME = 'folder.json';

/** null: none yet, as in folders of earlier versions; or not readable, which loses nothing. */
export function readFolderRecord(dataDir: string): FolderRecord | null {
  try {
    const read: FolderRecord = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8'));
    return typeof read.starts === 'number' ? read : null;
  } catch {
    return null;
  }
}

/** On disk when this resolves: nothing that contradicts the last record may come before. */
export async function keepFolderRecord(dataDir: string, record: FolderRecord): Promise<void> {
  await writeFileAtomically(join(dataDir, NAME), `${JSON.stringify(record)}\n`);
}

/** Without waiting for the disk: a loss of power that takes it leaves the record before, which asks less. */
export function noteFolderRecord(dataDir: string, record: FolderRecord): void {
  const draft = join(dataDir, `${NAME}.new`);
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, join(dataDir, NAME));
}
