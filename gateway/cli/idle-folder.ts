/** Work on the files of a data folder, under its lock: no gateway runs on it meanwhile. */
import { ensureDataFolder } from '../system/data-folder.ts';
import { acquireDataFolderLock } from '../system/data-folder-lock.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './command.ts';
import { dataDirFor } from './reach-gateway.ts';

/** Throws CliError when a gateway, or another such command, holds the folder. */
export async function onIdleFolder<T>(
  context: CommandContext,
  work: (dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirFor(context);
  const folder = ensureDataFolder(dataDir);
  if (!folder.ok) throw new CliError(folder.error);
  const lock = acquireDataFolderLock(dataDir);
  if (!lock.ok)
    throw new CliError(
      lock.error.kind === 'held' ? `${lock.error.message} (tandem stop)` : lock.error.message,
    );
  try {
    return await work(dataDir);
  } finally {
    lock.value.release();
  }
}
