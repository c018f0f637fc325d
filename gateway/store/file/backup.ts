/** Backup copies beside the data file, made before a migration. */
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SqliteHandle } from './sqlite-handle.ts';

const KEPT = 3;

/** Name of a backup: `<file>.v<schema>-<UTC time>.backup`; backups of the same schema version sort by time. */
function backupName(file: string, version: number, now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]/g, '');
  return `${basename(file)}.v${version}-${time}.backup`;
}

/**
 * Copies the open database, its write-ahead log included, and removes all but the last three copies.
 * The copy has its final name only when it is complete and on disk.
 */
export async function backUp(
  handle: SqliteHandle,
  file: string,
  version: number,
  now: number,
): Promise<string> {
  const folder = dirname(file);
  const target = join(folder, backupName(file, version, now));
  const partial = `${target}.partial`;
  await rm(partial, { force: true });
  // The copy is created before SQLite writes to it, so that it never has a wider mode than the data file.
  const created = await open(partial, 'wx', 0o600);
  await created.close();
  try {
    await handle.run('VACUUM INTO ?', [partial]);
    const copy = await open(partial, 'r+');
    await copy.sync();
    await copy.close();
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await removeOldBackups(file);
  return target;
}

async function removeOldBackups(file: string): Promise<void> {
  const folder = dirname(file);
  const prefix = `${basename(file)}.v`;
  const timeOf = (name: string) => name.slice(name.lastIndexOf('-') + 1);
  const backups = (await readdir(folder))
    .filter((name) => name.startsWith(prefix) && name.endsWith('.backup'))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  for (const name of backups.slice(0, -KEPT)) await rm(join(folder, name), { force: true });
}
