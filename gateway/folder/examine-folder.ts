/**
 * Checks whether the files of a data folder belong together: database, write-ahead log and files of the paper venues. A
 * file that is missing or was restored from another day is named before anything is written, with its repair.
 */
import { existsSync } from 'node:fs';
import { databaseFile } from '../config.ts';
import { inspectPaperFiles, type PaperFiles } from '../venues/paper/exchange/inspect-files.ts';
import { readFolderRecord } from './folder-record.ts';
import { readDatabase, sizeOf } from './read-database.ts';

export type Repair = 'database' | 'paper' | 'start-over';

export interface FolderFault {
  /** One clause: which file, and how it does not fit. */
  readonly what: string;
  /** Repair by `tandem doctor --repair`. */
  readonly repair: Repair;
  /** Venue whose files are at fault, for the repair `paper`; else null. */
  readonly connector: string | null;
}

export const REPAIRS: Readonly<Record<Repair, string>> = {
  database: 'goes on with the database as it is',
  paper:
    'lets the paper venue go on from what is left of its files, or begin anew; positions that it no longer knows show as differences',
  'start-over': 'sets the old files aside and begins with an empty folder',
};

/** Advice for the person who reads the fault: restore a backup, or run the repair. */
export function mendOf({ repair }: Pick<FolderFault, 'repair'>): string {
  return `restore the whole folder from one backup, or run tandem doctor --repair ${repair}, which ${REPAIRS[repair]}`;
}

/**
 * @param connectors paper venues that keep their files in this folder
 * @param options thorough: all files are read to their end, which a start leaves to the venues that open the files
 */
export async function examineFolder(
  dataDir: string,
  connectors: readonly string[],
  options: { readonly thorough: boolean },
): Promise<FolderFault | null> {
  const file = databaseFile(dataDir);
  const record = readFolderRecord(dataDir);
  const isThere = existsSync(file);
  // Checked before the database is opened, because opening it creates a write-ahead log, if only an empty one.
  const hasLog = sizeOf(`${file}-wal`) > 0;
  const database = isThere && sizeOf(file) > 0 ? await readDatabase(file) : null;
  const paper: { readonly connector: string; readonly files: PaperFiles }[] = [];
  for (const connector of connectors)
    paper.push({ connector, files: await inspectPaperFiles(dataDir, connector, options) });

  const held = paper.find(({ files }) => files.kind !== 'missing');
  if (held !== undefined && !(database?.begun ?? (isThere && sizeOf(file) > 0))) {
    const beside = `beside ${held.connector}.*, which was written with it`;
    const what = isThere
      ? `${file} is empty ${beside}: it was replaced, or its write-ahead log tandem.db-wal was removed`
      : `${file} is missing ${beside}`;
    return { what, repair: 'start-over', connector: null };
  }
  if (database === null) return null;
  if (record?.database === 'open' && !hasLog) {
    const what = `${file}-wal is missing: Tandem did not stop in order the last time, and what it wrote last stood there`;
    return { what, repair: 'database', connector: null };
  }
  if (record !== null && record.starts > (database.starts ?? 0)) {
    const what = `${file} is older than the rest of the folder (of start ${database.starts ?? 0}, the folder has seen ${record.starts})`;
    return { what, repair: 'database', connector: null };
  }
  for (const { connector, files } of paper) {
    const what = await paperFault(connector, files, database.newest.get(connector), record?.beginAnew ?? []);
    if (what !== null) return { what, repair: 'paper', connector };
  }
  return null;
}

async function paperFault(
  connector: string,
  files: PaperFiles,
  newest: readonly string[] | undefined,
  beginAnew: readonly string[],
): Promise<string | null> {
  switch (files.kind) {
    case 'damaged':
      return files.message;
    case 'missing':
      if (newest === undefined || beginAnew.includes(connector)) return null;
      return `${connector}.db is missing beside tandem.db, which has accounts on that venue`;
    case 'there': {
      const standing = newest === undefined ? null : await files.standing(newest);
      if (typeof standing === 'object' && standing !== null) return standing.damaged;
      if (standing === 'ahead' && files.isJournalMissing)
        return `${connector}.journal is missing beside ${connector}.db, and tandem.db knows later trades of that venue`;
      if (standing === 'ahead')
        return `${connector}.db and ${connector}.journal are older than tandem.db, which knows later trades of that venue`;
      if (standing === 'foreign' && !beginAnew.includes(connector))
        return `${connector}.db is of another folder than tandem.db, which knows trades that it does not`;
      return null;
    }
  }
}
