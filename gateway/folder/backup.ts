/**
 * Copies of the whole data folder, made and put back while no gateway runs on it. A backup is a folder: the files, and
 * `backup.json` with the size and the SHA-256 of each, written last.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { syncFolder, writeFileAtomically } from '../system/atomic-file.ts';
import { RESTORE_JOURNAL } from '../system/data-folder.ts';

/** A backup that cannot be made or put back: one sentence. */
export class BackupError extends Error {}

const MANIFEST = 'backup.json';
const INCOMING = 'restore-incoming';
const REPLACED = /^before-restore-/;
/** Files and folders of one run of the gateway, or of a restore. A file system may ignore case, and dots at the end. */
const LEFT_OUT =
  /^(gateway\.lock(\..*)?|socket|setup-code|restore\.json|restore-incoming|disk-reserve|before-restore-.*|.*\.tmp|.*\.partial)[. ]*$/i;
const isKept = (name: string) => !LEFT_OUT.test(name);
/** False for names that lead out of the folder, on any system. */
const isPlainName = (name: string) => !/^\.{0,2}$|[\\/:\0]/.test(name);

const manifest = z.object({
  tandem: z.literal('backup'),
  version: z.string(),
  createdAt: z.string(),
  files: z
    .array(
      z.object({
        // Below the folder and nowhere else.
        path: z.string().refine((path) => path.split('/').every(isPlainName)),
        bytes: z.int().nonnegative(),
        sha256: z.string(),
      }),
    )
    .min(1),
});
export type BackupManifest = z.infer<typeof manifest>;

const moved = z.array(z.string().refine((name) => isPlainName(name) && isKept(name)));
const journal = z.object({
  replaced: z.string().refine((name) => isPlainName(name) && REPLACED.test(name)),
  /** Names in the data folder that make room, and those that come. */
  out: moved,
  in: moved,
});

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
  const names = (await readdir(dataDir)).filter(isKept);
  if (names.length === 0) throw new BackupError(`the data folder ${dataDir} is empty`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const files: BackupManifest['files'] = [];
    for (const path of await filesIn(dataDir, names)) {
      const copy = await copied(join(dataDir, path), join(partial, path));
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
 * Puts a backup in the place of what is in the data folder, whose lock the caller holds. What was there is kept in the
 * folder that is returned (null: nothing was). Every file is checked and copied before anything moves; a move that is cut
 * off is finished by `finishRestore`.
 */
export async function restoreBackup(
  dataDir: string,
  source: string,
  now: number,
): Promise<{ readonly manifest: BackupManifest; readonly replaced: string | null }> {
  await finishRestore(dataDir);
  const found = await readManifest(source);
  const incoming = join(dataDir, INCOMING);
  await rm(incoming, { recursive: true, force: true });
  try {
    for (const { path, bytes, sha256 } of found.files) {
      const from = join(source, path);
      const kind = await lstat(from).catch(() => null);
      if (kind?.isFile() !== true) throw new BackupError(`the backup ${source} lacks ${path}`);
      const copy = await copied(from, join(incoming, path));
      if (copy.bytes !== bytes || copy.sha256 !== sha256)
        throw new BackupError(`the backup ${source} is damaged: ${path} is not what was copied`);
    }
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error;
  }
  const out = (await readdir(dataDir)).filter(isKept);
  const replaced = `before-restore-${new Date(now).toISOString().replace(/[-:]/g, '').replace('.', '')}`;
  const steps = { replaced, out, in: await readdir(incoming) };
  await writeFileAtomically(join(dataDir, RESTORE_JOURNAL), JSON.stringify(steps));
  await finishRestore(dataDir);
  return { manifest: found, replaced: out.length === 0 ? null : join(dataDir, replaced) };
}

/** Ends a restore that was cut off while files moved. The caller holds the lock of the data folder. @returns whether there was one */
export async function finishRestore(dataDir: string): Promise<boolean> {
  const file = join(dataDir, RESTORE_JOURNAL);
  if (!existsSync(file)) return false;
  const steps = await readSteps(dataDir, file);
  const aside = join(dataDir, steps.replaced);
  const incoming = join(dataDir, INCOMING);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of steps.out) {
    // What is aside already has moved before the cut; a file of that name in the folder is one that came.
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
async function readSteps(dataDir: string, file: string): Promise<z.infer<typeof journal>> {
  try {
    const steps = journal.parse(JSON.parse(await readFile(file, 'utf8')));
    for (const name of [steps.replaced, INCOMING]) {
      // A link would lead the moves out of the folder.
      const kind = await lstat(join(dataDir, name)).catch(() => null);
      if (kind !== null && !kind.isDirectory()) throw new Error(`${name} is no folder`);
    }
    return steps;
  } catch {
    throw new BackupError(
      `${file} is not of a restore that Tandem began, and nothing was moved: remove it and ${INCOMING}, then restore your backup again`,
    );
  }
}

async function readManifest(source: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(source, MANIFEST), 'utf8');
  } catch {
    throw new BackupError(`${source} is no backup that tandem backup made (it has no ${MANIFEST})`);
  }
  let found: BackupManifest;
  try {
    found = manifest.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${join(source, MANIFEST)} is damaged`);
  }
  const foreign = found.files.find(({ path }) => !isKept(path.split('/')[0] ?? ''));
  if (foreign !== undefined)
    throw new BackupError(
      `${join(source, MANIFEST)} names ${foreign.path}, which no backup holds: it was changed, and nothing was restored`,
    );
  return found;
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

/** Copies one file, readable by its owner alone, to the disk itself. */
async function copied(from: string, to: string): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
  let handle: FileHandle | null = null;
  try {
    handle = await open(to, 'r+');
    await handle.sync();
  } finally {
    await handle?.close();
  }
  await syncFolder(dirname(to));
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(to)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
