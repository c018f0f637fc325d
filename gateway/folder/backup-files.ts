/** Files of a backup: opened so that nothing but a regular file below it is read, and copied with their digest. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../system/atomic-file.ts';

/** A backup that cannot be made or put back: one sentence. */
export class BackupError extends Error {}

export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Runs `work` on the file `path` (with `/`) below `folder`.
 * @throws BackupError where it is missing or no regular file, or a symbolic link leads to it
 */
export async function withFileBelow<T>(
  folder: string,
  path: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const parts = path.split('/');
  for (const depth of parts.keys()) {
    const part = join(folder, ...parts.slice(0, depth + 1));
    const kind = await lstat(part).catch(() => null);
    if (kind === null) throw new BackupError(`the backup ${folder} lacks ${path}`);
    const isRight = depth === parts.length - 1 ? kind.isFile() : kind.isDirectory();
    if (!isRight)
      throw new BackupError(
        `${part} is no plain ${depth === parts.length - 1 ? 'file' : 'folder'}, and nothing was restored: the backup was changed`,
      );
  }
  return withFile(join(folder, ...parts), work);
}

/** Follows no link at `path` and waits for no pipe; Windows has neither flag. @throws BackupError */
export async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: Error) => {
    throw new BackupError(`${path} cannot be read: ${error.message}`);
  });
  try {
    if (!(await handle.stat()).isFile()) throw new BackupError(`${path} is no regular file`);
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** Reads `from` to its end, or to the first byte beyond `most`, and writes it to `to`. Resolves with size and digest. */
export async function readThrough(from: FileHandle, most: number, to: FileHandle | null): Promise<Digest> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  while (bytes <= most) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    bytes += bytesRead;
    hash.update(chunk);
    if (bytes <= most) await to?.writeFile(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies `from` to a new file, readable by its owner alone, and to the disk itself. */
export async function copyTo(to: string, from: FileHandle, most: number): Promise<Digest> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const handle = await open(to, 'wx', 0o600);
  try {
    const digest = await readThrough(from, most, handle);
    await handle.sync();
    return digest;
  } finally {
    await handle.close();
    await syncFolder(dirname(to));
  }
}
