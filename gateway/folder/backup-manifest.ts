/** `backup.json`: size and SHA-256 of every file of a backup, and the names that a backup can hold. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { databaseFile } from '../config.ts';
import { BackupError, withFileBelow } from './backup-files.ts';

export const MANIFEST = 'backup.json';
export const DATABASE = databaseFile('');
/** Far more than the files of a data folder need. */
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;
/** Files and folders of one run of the gateway, or of a restore. A file system may ignore case, and dots at the end. */
const LEFT_OUT =
  /^(gateway\.lock(\..*)?|socket|setup-code|restore\.json|restore-incoming|disk-reserve|before-restore-.*|.*\.tmp|.*\.partial)[. ]*$/i;
/** Logs that SQLite would play into a database. One that was closed in order has none. */
const DATABASE_LOG = /^[\w-]+\.db-(wal|shm|journal)[. ]*$/i;

/** True for names in a data folder that a restore moves aside. */
export const isKept = (name: string) => !LEFT_OUT.test(name);
/** True for names that a backup holds. */
export const isBackedUp = (name: string) => isKept(name) && !DATABASE_LOG.test(name);
/** True for logs with entries that a database lacks, where they are not empty. */
export const isUnsavedLog = (name: string) => DATABASE_LOG.test(name) && !/-shm[. ]*$/i.test(name);
/** False for names that lead out of the folder, on any system. */
export const isPlainName = (name: string) => !/^\.{0,2}$|[\\/:\0]/.test(name);

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

/** @throws BackupError also for names that no backup holds, and for a backup without the database */
export async function readManifest(source: string): Promise<BackupManifest> {
  const file = join(source, MANIFEST);
  if ((await lstat(file).catch(() => null)) === null)
    throw new BackupError(`${source} is no backup that tandem backup made (it has no ${MANIFEST})`);
  const text = await withFileBelow(source, MANIFEST, async (handle) =>
    (await handle.stat()).size > MOST_MANIFEST_BYTES ? '' : handle.readFile('utf8'),
  );
  let found: BackupManifest;
  try {
    found = manifest.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${file} is damaged`);
  }
  const paths = found.files.map(({ path }) => path);
  const foreign = paths.find((path) => !isBackedUp(path.split('/')[0] ?? '')) ?? secondSpelling(paths);
  if (foreign !== undefined)
    throw new BackupError(
      `${file} names ${foreign}, which no backup holds: it was changed, and nothing was restored`,
    );
  if (!paths.includes(DATABASE))
    throw new BackupError(`the backup ${source} lacks ${DATABASE}, and nothing was restored`);
  return found;
}

/** First path that comes twice, or whose spelling a file system may take for an earlier one. */
function secondSpelling(paths: readonly string[]): string | undefined {
  const seen = new Set<string>();
  const spellings = new Map<string, string>();
  return paths.find((path) => {
    const isNew = !seen.has(path);
    seen.add(path);
    const parts = path.split('/');
    // Folders too: two spellings of one would be merged.
    const isSame = parts.every((_part, depth) => {
      const above = parts.slice(0, depth + 1);
      const folded = above
        .map((part) =>
          part
            .normalize('NFC')
            .toLowerCase()
            .replace(/[. ]+$/, ''),
        )
        .join('/');
      const spelled = spellings.get(folded) ?? above.join('/');
      spellings.set(folded, spelled);
      return spelled === above.join('/');
    });
    return !isNew || !isSame;
  });
}

const moved = (isMoved: (name: string) => boolean) =>
  z.array(z.string().refine((name) => isPlainName(name) && isMoved(name)));

/** `restore.json`: the moves of a restore. */
export const restoreSteps = z.object({
  replaced: z.string().refine((name) => isPlainName(name) && /^before-restore-/.test(name)),
  /** Names in the data folder that are moved out. */
  out: moved(isKept),
  /** Names in the folder of incoming files. */
  in: moved(isBackedUp),
});
