/** The folder of all stored data: database, paper venue, vault file, lock. */
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../domain/result.ts';
import { lockFile } from './data-folder-lock.ts';

/** File of a restore that is under way (folder/backup.ts). */
export const RESTORE_JOURNAL = 'restore.json';
/** Folder of its copied files. Without the file, a restore that was killed before anything moved left it. */
export const RESTORE_INCOMING = 'restore-incoming';

export interface DataFolder {
  /** True when this call made the folder. */
  readonly created: boolean;
  /** Sentence for the user when others than the owner may read the folder; else null. */
  readonly warning: string | null;
}

/**
 * Makes the folder with mode 0700 when it is missing. An existing folder is never changed: it may be one whose reading
 * the user shares on purpose, and tightening a mistaken `--data-dir /tmp` would break the machine.
 */
export function ensureDataFolder(path: string): Result<DataFolder, string> {
  const folder = verifyDataFolder(path);
  if (!folder.ok) return folder;
  const stats = folder.value;
  try {
    if (stats === null) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return ok({ created: true, warning: null });
    }
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(`the data folder ${path} is not writable: ${reason(error)}`);
  }
  const read = readableByOthers(path, stats);
  return ok({ created: false, warning: read === null ? null : `${read}; close it with: ${closing(path)}` });
}

/**
 * Stats of a data folder that only this user can change; null: the folder is missing. Root gets no exception: another
 * owner can replace the lock, which says which process is the gateway and where secrets go.
 */
export function verifyDataFolder(path: string): Result<Stats | null, string> {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return fail(`the data folder ${path} cannot be read: ${reason(error)}`);
  }
  if (stats === undefined) return ok(null);
  if (!stats.isDirectory())
    return fail(`the data folder ${path} is a file; name another one with --data-dir`);
  const own = process.getuid?.();
  if (own !== undefined && stats.uid !== own) {
    const mend =
      own === 0
        ? `run the command as that user: sudo -u '#${stats.uid}'`
        : `take it over: sudo chown -R ${own} '${path}'`;
    return fail(
      `the data folder ${path} belongs to another user (${stats.uid}, you are ${own}); choose another one with --data-dir, or ${mend}`,
    );
  }
  const written = writableByOthers(path, stats);
  if (written !== null) return fail(`${written}; close it with: ${closing(path)}`);
  const foreign = foreignEntry(path, own);
  return foreign === null ? ok(stats) : fail(foreign);
}

/**
 * Sentence about an entry of the folder that was not made by the gateway of this user; null: there is none. Another user may
 * have put a file there, and still hold it open, while the folder was open to him; reading a pipe never ends.
 */
function foreignEntry(path: string, own: number | undefined): string | null {
  let names: readonly string[];
  try {
    names = readdirSync(path);
  } catch {
    // The next reader of the folder reports that it may not be listed.
    return null;
  }
  for (const name of names) {
    const file = join(path, name);
    // The reader of the lock has its own sentence for this.
    if (file === lockFile(path)) continue;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (own !== undefined && stats.uid !== own)
      return `${file} belongs to another user (${stats.uid}, you are ${own}), who can still change it; move it away, or copy it and put the copy in its place`;
    if (stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice())
      return `${file} is a pipe or a device, and no file; move it away`;
  }
  return null;
}

/** Command that closes the folder to others. */
export function closing(path: string): string {
  return `chmod 700 '${path}'`;
}

/** Sentence for the user when others than the owner may write to the folder; else null. */
export function writableByOthers(path: string, stats: Pick<Stats, 'mode'>): string | null {
  if (process.platform === 'win32' || (stats.mode & 0o022) === 0) return null;
  return `other users can write to the data folder ${path} (mode ${modeOf(stats)}), and so change or replace its files`;
}

/** Sentence for the user when others than the owner may read or enter the folder; else null. */
export function readableByOthers(path: string, stats: Pick<Stats, 'mode'>): string | null {
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return null;
  return `the data folder ${path} is open to other users (mode ${modeOf(stats)})`;
}

function modeOf({ mode }: Pick<Stats, 'mode'>): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
