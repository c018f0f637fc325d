/** The gateway of a data folder, from a lock that only this user can have written. */
import { lstatSync } from 'node:fs';
import { verifyDataFolder } from '../system/data-folder.ts';
import { dataFolderHolder, type LockHolder, lockFile } from '../system/data-folder-lock.ts';
import { CliError } from './cli-error.ts';

/**
 * The running gateway that holds the folder; null: none does, or the folder is missing.
 * @throws CliError where another user owns the folder or its lock, or can write there, or the lock cannot be read
 */
export function folderHolder(dataDir: string): LockHolder | null {
  const folder = verifyDataFolder(dataDir);
  if (!folder.ok) throw new CliError(folder.error);
  if (folder.value === null) return null;
  const lock = lockFile(dataDir);
  try {
    const stats = lstatSync(lock, { throwIfNoEntry: false });
    // Another user may have left it there while the folder was open to others.
    if (stats !== undefined && (!stats.isFile() || stats.uid !== (process.getuid?.() ?? stats.uid)))
      throw new CliError(`${lock} is not a file of yours, so no gateway of yours wrote it; remove it`);
    return dataFolderHolder(dataDir);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${lock} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
