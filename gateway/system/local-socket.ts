/** Place of the gateway's Unix socket: a folder of its own that no other user can enter. */
import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Maximum length of a socket's path in bytes. The system silently cuts longer paths, which then name another file.
 */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const FOLDER = 'socket';
const NAME = 'gateway.sock';

/**
 * Path of the socket in the data folder or, where that path is too long, in the user's runtime folder. null: Windows,
 * or neither folder is usable. Makes the folder (0700) and removes the socket that an earlier gateway on the data
 * folder left.
 */
export function prepareLocalSocket(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (process.platform === 'win32') return null;
  for (const path of localSocketPaths(dataDir, env)) {
    const folder = dirname(path);
    if (Buffer.byteLength(path) > MAX_PATH_BYTES || !makePrivate(folder)) continue;
    rmSync(path, { force: true });
    return path;
  }
  return null;
}

/** All paths at which a gateway on the data folder can have its socket. */
export function localSocketPaths(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return foldersFor(dataDir, env).map((folder) => join(folder, NAME));
}

/** Restricts the socket file to its owner once the gateway listens; until then the folder's mode keeps others out. */
export function closeToOthers(path: string): void {
  chmodSync(path, 0o600);
}

function foldersFor(dataDir: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  const inData = join(dataDir, FOLDER);
  if (runtime === undefined || !isAbsolute(runtime)) return [inData];
  return [inData, join(runtime, `tandem-${hash('sha256', dataDir, 'hex').slice(0, 16)}`)];
}

/** False: the path is another user's folder, or no folder. */
function makePrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
    if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
