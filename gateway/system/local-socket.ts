/** Where the gateway's Unix socket is: in a folder of its own that nobody else can enter. */
import { hash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Longer paths are cut off by the system, silently: another file than the one that was meant. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
const FOLDER = 'socket';
const NAME = 'gateway.sock';

/**
 * In the data folder, or, where its path is too long, in the user's runtime folder. null: this system has none, or neither
 * place will do. Makes the folder (0700) and removes the socket that an earlier gateway on the same data folder left.
 */
export function prepareLocalSocket(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (process.platform === 'win32') return null;
  for (const folder of foldersFor(dataDir, env)) {
    const path = join(folder, NAME);
    if (Buffer.byteLength(path) > MAX_PATH_BYTES || !makePrivate(folder)) continue;
    rmSync(path, { force: true });
    return path;
  }
  return null;
}

/** After it listens. Until then the folder alone keeps others out. */
export function closeToOthers(path: string): void {
  chmodSync(path, 0o600);
}

function foldersFor(dataDir: string, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  const inData = join(dataDir, FOLDER);
  if (runtime === undefined || !isAbsolute(runtime)) return [inData];
  return [inData, join(runtime, `tandem-${hash('sha256', dataDir, 'hex').slice(0, 16)}`)];
}

/** False: it is somebody else's, or no folder at all. */
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
