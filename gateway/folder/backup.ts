/**
 * Copies of the whole data folder, made and put back while no gateway runs on it. A backup is a folder: the files, and
 * `backup.json` with the size and the SHA-256 of each, written last.
 */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { z } from 'zod';
import { syncFolder, writeFileAtomically } from '../system/atomic-file.ts';
import { RESTORE_INCOMING, RESTORE_JOURNAL } from '../system/data-folder.ts';
import { BackupError, copyTo, type Digest, readThrough, withFile, withFileBelow } from './backup-files.ts';
import {
  type BackupManifest,
  DATABASE,
  isBackedUp,
  isKept,
  isUnsavedLog,
  MANIFEST,
  readManifest,
  restoreSteps,
} from './backup-manifest.ts';
import { sizeOf } from './read-database.ts';

export { BackupError };

/**
 * Copies the data folder to `target`, a folder that must not exist. The caller holds the lock of the data folder. A copy
 * that was not finished never has the name `target`.
 */
export async function makeBackup(
  dataDir: string,
  target: string,
  about: { readonly version: string; readonly now: number },
): Promise<BackupManifest> {
  if (existsSync(target)) throw new BackupError(`${target} is there already; name a new folder`);
  if (!relative(dataDir, target).startsWith('..'))
    throw new BackupError('a backup does not belong into the data folder itself');
  if (existsSync(join(dataDir, RESTORE_JOURNAL)))
    throw new BackupError('a restore was interrupted: start the gateway once, or restore again');
  const database = join(dataDir, DATABASE);
  if (!existsSync(database)) throw new BackupError(`the data folder ${dataDir} has no ${DATABASE}`);
  const found = await readdir(dataDir);
  if (found.some((name) => isUnsavedLog(name) && sizeOf(join(dataDir, name)) > 0))
    throw new BackupError(
      'the gateway did not stop in order the last time: start it and stop it once (tandem stop), then make the backup',
    );
  const names = found.filter(isBackedUp);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const files: BackupManifest['files'] = [];
    for (const path of await filesIn(dataDir, names)) {
      const to = join(partial, path);
      const copy = await withFile(join(dataDir, path), (from) => copyTo(to, from, Number.POSITIVE_INFINITY));
      files.push({ path: path.split(sep).join('/'), ...copy });
    }
    const made: BackupManifest = {
      tandem: 'backup',
      version: about.version,
      createdAt: new Date(about.now).toISOString(),
      files,
    };
    await writeFileAtomically(join(partial, MANIFEST), `${JSON.stringify(made, null, 2)}\n`);
    await rename(partial, target);
    await syncFolder(dirname(target));
    return made;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Replaces the contents of the data folder, whose lock the caller holds, by a backup. The former contents are kept in
 * the returned folder (null: there were none). Every file is checked before one is copied, and copied before one moves;
 * `finishRestore` finishes a move that was cut off.
 */
export async function restoreBackup(
  dataDir: string,
  source: string,
  now: number,
): Promise<{ readonly manifest: BackupManifest; readonly replaced: string | null }> {
  await finishRestore(dataDir);
  const found = await readManifest(source);
  await checkSizes(dataDir, source, found);
  for (const file of found.files) {
    const digest = await withFileBelow(source, file.path, (from) => readThrough(from, file.bytes, null));
    checkFile(source, file, digest);
  }
  const incoming = join(dataDir, RESTORE_INCOMING);
  try {
    for (const file of found.files) {
      const to = join(incoming, file.path);
      // Compared again: the file may have changed since.
      const copy = await withFileBelow(source, file.path, (from) => copyTo(to, from, file.bytes));
      checkFile(source, file, copy);
    }
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    if (error instanceof BackupError) throw error;
    throw new BackupError(`the backup ${source} cannot be copied to ${dataDir}: ${String(error)}`);
  }
  const out = (await readdir(dataDir)).filter(isKept);
  const replaced = `before-restore-${new Date(now).toISOString().replace(/[-:]/g, '').replace('.', '')}`;
  const steps = { replaced, out, in: await readdir(incoming) };
  await writeFileAtomically(join(dataDir, RESTORE_JOURNAL), JSON.stringify(steps));
  await finishRestore(dataDir);
  return { manifest: found, replaced: out.length === 0 ? null : join(dataDir, replaced) };
}

/** Compares sizes before anything is read, so that a file of any size costs nothing. @throws BackupError */
async function checkSizes(dataDir: string, source: string, { files }: BackupManifest): Promise<void> {
  for (const file of files) {
    const { size } = await withFileBelow(source, file.path, (handle) => handle.stat());
    checkFile(source, file, { ...file, bytes: size });
  }
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(dataDir);
  if (needed > bavail * bsize)
    throw new BackupError(
      `the backup ${source} needs ${needed} bytes, and ${bavail * bsize} are free at ${dataDir}`,
    );
}

function checkFile(source: string, file: BackupManifest['files'][number], { bytes, sha256 }: Digest): void {
  if (bytes !== file.bytes || sha256 !== file.sha256)
    throw new BackupError(`the backup ${source} is damaged: ${file.path} is not what was copied`);
}

/**
 * Ends a restore that was cut off while files moved, and removes the copies of one that was cut off before. The caller
 * holds the lock of the data folder. @returns true where files moved
 */
export async function finishRestore(dataDir: string): Promise<boolean> {
  const file = join(dataDir, RESTORE_JOURNAL);
  const incoming = join(dataDir, RESTORE_INCOMING);
  if (!existsSync(file)) {
    await rm(incoming, { recursive: true, force: true });
    return false;
  }
  const steps = await readSteps(dataDir, file);
  const aside = join(dataDir, steps.replaced);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of steps.out) {
    // A file already aside was moved before the cut-off; one of the same name in the folder is then a restored one.
    if (!existsSync(join(aside, name))) await rename(join(dataDir, name), join(aside, name));
  }
  for (const name of steps.in) {
    if (existsSync(join(incoming, name))) await rename(join(incoming, name), join(dataDir, name));
  }
  await syncFolder(aside);
  await syncFolder(dataDir);
  await rm(incoming, { recursive: true, force: true });
  if (steps.out.length === 0) await rm(aside, { recursive: true, force: true });
  await rm(file, { force: true });
  await syncFolder(dataDir);
  return true;
}

/** The moves that are left, checked before the first of them. @throws BackupError where they could leave the folder */
async function readSteps(dataDir: string, file: string): Promise<z.infer<typeof restoreSteps>> {
  try {
    const steps = restoreSteps.parse(JSON.parse(await readFile(file, 'utf8')));
    for (const name of [steps.replaced, RESTORE_INCOMING]) {
      // A link would lead the moves out of the folder.
      const kind = await lstat(join(dataDir, name)).catch(() => null);
      if (kind !== null && !kind.isDirectory()) throw new Error(`${name} is no folder`);
    }
    return steps;
  } catch {
    throw new BackupError(
      `${file} is not of a restore that Tandem began, and nothing was moved: remove it and ${RESTORE_INCOMING}, then restore your backup again`,
    );
  }
}

/** Paths of the files below `names`, relative to `folder`. */
async function filesIn(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const kind = await lstat(join(folder, name));
    if (kind.isFile()) found.push(name);
    else if (kind.isDirectory()) {
      const inner = (await readdir(join(folder, name))).map((one) => join(name, one));
      found.push(...(await filesIn(folder, inner)));
    } else if (!kind.isSocket()) {
      throw new BackupError(`${join(folder, name)} is neither a file nor a folder; move it away first`);
    }
  }
  return found;
}
