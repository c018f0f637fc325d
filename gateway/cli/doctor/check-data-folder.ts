import { accessSync, constants, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closing, readableByOthers, writableByOthers } from '../../system/data-folder.ts';
import { dataFolderHolder } from '../../system/data-folder-lock.ts';
import { type Finding, findingsOf, messageOf } from './finding.ts';

const folder = findingsOf('data folder');
const space = findingsOf('disk space');

export function checkDataFolder(dataDir: string): Finding {
  let stats: Stats | undefined;
  try {
    stats = statSync(dataDir, { throwIfNoEntry: false });
  } catch (error) {
    return folder.bad(
      `${dataDir} cannot be looked at: ${messageOf(error)}`,
      'choose another folder with --data-dir',
    );
  }
  if (stats === undefined) return checkMissing(dataDir);
  if (!stats.isDirectory())
    return folder.bad(`${dataDir} is a file`, 'choose another folder with --data-dir');
  const own = process.getuid?.();
  if (own !== undefined && stats.uid !== own)
    return folder.bad(
      `${dataDir} belongs to another user (${stats.uid}, you are ${own})`,
      `choose another folder with --data-dir, or take it over: sudo chown -R ${own} '${dataDir}' && chmod 700 '${dataDir}'`,
    );
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return folder.bad(
      `${dataDir} is not yours to read and write`,
      `sudo chown -R "$USER" '${dataDir}' && chmod 700 '${dataDir}'`,
    );
  }
  const written = writableByOthers(dataDir, stats);
  if (written !== null) return folder.bad(written, closing(dataDir));
  const read = readableByOthers(dataDir, stats);
  if (read !== null) return folder.warn(read, closing(dataDir));
  if (process.platform !== 'win32') {
    const loose = looseFiles(dataDir);
    if (loose.length > 0) {
      return folder.warn(
        `files open to other users: ${loose.join(', ')}`,
        `chmod 600 ${loose.map((name) => `'${join(dataDir, name)}'`).join(' ')}`,
      );
    }
  }
  const holder = dataFolderHolder(dataDir);
  const used =
    holder === null
      ? ''
      : `, in use by the gateway with pid ${holder.pid}${holder.url === null ? '' : ` at ${holder.url}`}`;
  return folder.fine(`${dataDir}${used}`);
}

function checkMissing(dataDir: string): Finding {
  const parent = nearestExisting(dataDir);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch {
    return folder.bad(
      `${dataDir} is not there and ${parent} is not writable`,
      'choose another folder with --data-dir',
    );
  }
  return folder.fine(`${dataDir} will be made at the first start`);
}

function looseFiles(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => {
    const stats = lstatSync(join(dataDir, name), { throwIfNoEntry: false });
    return stats?.isFile() === true && (stats.mode & 0o077) !== 0;
  });
}

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const FAIL_BELOW = 100 * MIB;
const WARN_BELOW = 1024 * MIB;

export async function checkDiskSpace(dataDir: string): Promise<Finding> {
  const existing = nearestExisting(dataDir);
  try {
    const { bavail, bsize } = await statfs(existing);
    return judgeFreeSpace(bavail * bsize, existing);
  } catch (error) {
    return space.warn(`cannot be read: ${messageOf(error)}`, null);
  }
}

/** `free` in bytes. */
export function judgeFreeSpace(free: number, place: string): Finding {
  const amount = free < 10 * GIB ? `${Math.floor(free / MIB)} MiB` : `${Math.floor(free / GIB)} GiB`;
  const detail = `${amount} free at ${place}`;
  const mend = 'free some space, or choose a folder on another disk with --data-dir';
  if (free < FAIL_BELOW) return space.bad(detail, mend);
  return free < WARN_BELOW ? space.warn(detail, mend) : space.fine(detail);
}

function nearestExisting(path: string): string {
  let current = path;
  while (!existsSync(current) && dirname(current) !== current) current = dirname(current);
  return current;
}
