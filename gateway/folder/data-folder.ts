/** The data folder of a running gateway: examined before any file is opened, recorded while the database is open. */
import type { Store } from '../engine/ports/store.ts';
import { examineFolder, mendOf } from './examine-folder.ts';
import { findMove, homeHere, tellEarlierPlace } from './folder-home.ts';
import { type FolderRecord, keepFolderRecord, noteFolderRecord, readFolderRecord } from './folder-record.ts';
import { STARTS_SETTING } from './read-database.ts';

/** Error for files that do not belong together. The message is one line for the person who starts the gateway. */
export class FolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderError';
  }
}

/** Error for unreadable files of a paper venue. @param what one clause: the file, and its fault */
export function unreadablePaper(what: string): FolderError {
  return new FolderError(`${what}; ${mendOf({ repair: 'paper' })}`);
}

/**
 * Opens the store on the folder. `close` closes it; call `started` once every venue has its files.
 * @param connectors paper venues that keep their files in this folder
 * @param takeOver the folder may go on here, though it was used elsewhere before
 * @throws FolderError before anything was changed
 */
export async function openFolder(
  dataDir: string,
  connectors: readonly string[],
  takeOver: boolean,
  openStore: () => Promise<Store>,
): Promise<{ readonly store: Store; started(): void; close(): Promise<void> }> {
  const fault = await examineFolder(dataDir, connectors, { thorough: false });
  if (fault !== null) throw new FolderError(`${fault.what}; ${mendOf(fault)}`);
  const move = await findMove(dataDir, takeOver);
  if (move !== null) throw new FolderError(move.what);
  const before = readFolderRecord(dataDir);
  const anew = before?.beginAnew ?? [];
  const beginAnew = anew.length === 0 ? {} : { beginAnew: anew };
  const home = homeHere(dataDir, before?.home ?? null);
  let record: FolderRecord = { starts: before?.starts ?? 0, database: 'changing', ...beginAnew, home };
  // The record is written before the store is opened, because even a failed opening can merge the write-ahead log.
  if (before?.database === 'open') await keepFolderRecord(dataDir, record);
  const store = await openStore();
  const kept = Number((await store.setting(STARTS_SETTING)) ?? 0);
  const starts = Math.max(kept, record.starts) + 1;
  const counted = await store.commit({ settings: [{ key: STARTS_SETTING, value: String(starts) }] });
  record = { ...record, starts, database: 'open' };
  // A failed write is not reported here: the next write to the disk will report it.
  if (counted.ok) noteFolderRecord(dataDir, record);
  if (before?.home !== undefined) tellEarlierPlace(before.home, home);
  return {
    store,
    started() {
      if (record.beginAnew === undefined) return;
      record = { starts, database: 'open', home };
      noteFolderRecord(dataDir, record);
    },
    async close() {
      await keepFolderRecord(dataDir, { ...record, database: 'changing' }).catch(() => undefined);
      await store.close();
      await keepFolderRecord(dataDir, { ...record, database: 'closed' }).catch(() => undefined);
    },
  };
}
