/** Repairs of `tandem doctor --repair`. Nothing is deleted: unfit files are moved into a folder of their own. */
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../config.ts';
import { endGeneration, inspectPaperFiles } from '../venues/paper/exchange/inspect-files.ts';
import { examineFolder, type Repair } from './examine-folder.ts';
import { keepFolderRecord, readFolderRecord } from './folder-record.ts';
import { readDatabase } from './read-database.ts';

/** Maximum number of faults that one repair mends, one after the other. */
const MOST_FAULTS = 8;
const THOROUGH = { thorough: true };

/** Repairs all faults of one kind. @returns one sentence per repaired fault; empty: the folder has no such fault */
export async function repairFolder(
  dataDir: string,
  connectors: readonly string[],
  repair: Repair,
  now: number,
): Promise<readonly string[]> {
  const done: string[] = [];
  for (let count = 0; count < MOST_FAULTS; count += 1) {
    const fault = await examineFolder(dataDir, connectors, THOROUGH);
    if (fault === null || fault.repair !== repair) break;
    done.push(await repairOne(dataDir, connectors, fault.connector, repair, now));
  }
  return done;
}

async function repairOne(
  dataDir: string,
  connectors: readonly string[],
  connector: string | null,
  repair: Repair,
  now: number,
): Promise<string> {
  const record = readFolderRecord(dataDir) ?? { starts: 0, database: 'changing' };
  if (repair === 'database') {
    const starts = (await readDatabase(databaseFile(dataDir)))?.starts ?? 0;
    await keepFolderRecord(dataDir, { ...record, starts, database: 'changing' });
    return 'The database is taken as it is.';
  }
  if (repair === 'start-over') {
    const aside = await setAside(dataDir, ['tandem.db', 'folder.json', ...connectors], now);
    return `The old files are in ${aside}; the next start begins with an empty folder.`;
  }
  if (connector === null) throw new Error('a repair of a venue names it');
  const files = await inspectPaperFiles(dataDir, connector, THOROUGH);
  const newest = (await readDatabase(databaseFile(dataDir)))?.newest.get(connector) ?? [];
  if (files.kind === 'there' && (await files.standing(newest)) === 'ahead') {
    await endGeneration(dataDir, connector);
    return `The venue ${connector} goes on from its files, with new ids for what comes.`;
  }
  await keepFolderRecord(dataDir, { ...record, beginAnew: [...(record.beginAnew ?? []), connector] });
  if (files.kind === 'missing') return `The venue ${connector} begins anew.`;
  if (files.kind === 'there') return `The venue ${connector} goes on from its files.`;
  const aside = await setAside(dataDir, [connector], now);
  return `The venue ${connector} begins anew; its old files are in ${aside}.`;
}

/** Moves the files of the given names, with their suffixes, into a new folder. Returns that folder. */
async function setAside(dataDir: string, names: readonly string[], now: number): Promise<string> {
  const folder = join(dataDir, `set-aside-${new Date(now).toISOString().replace(/[-:]/g, '')}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of await readdir(dataDir)) {
    if (
      names.some(
        (name) =>
          file === name ||
          file.startsWith(`${name}.`) ||
          file.startsWith(`${name}-wal`) ||
          file.startsWith(`${name}-shm`),
      )
    )
      await rename(join(dataDir, file), join(folder, file));
  }
  return folder;
}
