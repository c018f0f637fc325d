/**
 * Machine and place of a data folder, kept in `folder.json`. A copy has the record of its original, so the first start
 * elsewhere is noticed: pending orders in the folder would be traded twice.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { databaseFile } from '../config.ts';
import { dataFolderHolder } from '../system/data-folder-lock.ts';
import { machineId } from '../system/machine-id.ts';
import { type FolderHome, noteFolderRecord, readFolderRecord } from './folder-record.ts';
import { readDatabase, readWaiting, type Waiting } from './read-database.ts';

export const TAKE_OVER = 'tandem start --take-over';

export interface FolderMove {
  /** One sentence: the folder's former place, and its contents. */
  readonly what: string;
  /** Steps to solve it. */
  readonly mend: string;
}

/** Home of the folder from now on. `generation` counts the moves. */
export function homeHere(dataDir: string, before: FolderHome | null): FolderHome {
  const here = { machine: machineId(), path: realpathSync(dataDir), id: before?.id ?? randomUUID() };
  if (before !== null && !isElsewhere(before, here)) return { ...before, ...here };
  return { ...here, generation: (before?.generation ?? 0) + 1 };
}

/** Names of machines are compared only where both are known. */
function isElsewhere(home: FolderHome, here: Pick<FolderHome, 'machine' | 'path'>): boolean {
  const isOtherMachine = home.machine !== null && here.machine !== null && home.machine !== here.machine;
  return isOtherMachine || home.path !== here.path;
}

/**
 * null: the folder may be started here.
 * @param takeOver the user has said that nothing runs on the other folder any more
 */
export async function findMove(dataDir: string, takeOver: boolean): Promise<FolderMove | null> {
  const record = readFolderRecord(dataDir);
  if (record === null) return takeOver ? null : findUnrecorded(dataDir);
  const { home } = record;
  if (home === undefined || !existsSync(dataDir)) return null;
  const here = { machine: machineId(), path: realpathSync(dataDir) };
  if (!isElsewhere(home, here)) return null;
  const isOtherMachine = home.machine !== here.machine;
  const holder = isOtherMachine ? null : holderAt(home.path);
  if (holder !== null)
    return {
      what: `the data folder ${dataDir} is a copy, and a gateway still runs at ${home.path} (pid ${holder.pid}); stop it first`,
      mend: `tandem stop --data-dir '${home.path}'`,
    };
  if (takeOver) return null;
  const waiting = await readWaiting(databaseFile(dataDir));
  if (waiting.liveAccounts + waiting.plans === 0) return null;
  const place = `${home.path}${isOtherMachine ? ' on another machine' : ''}`;
  return {
    what: `the data folder ${dataDir} was used at ${place} before and holds ${inWords(waiting)}: from two folders it would trade twice. Once the gateway there is stopped for good, start this one with: ${TAKE_OVER}`,
    mend: TAKE_OVER,
  };
}

/** Finds a database that has counted its starts, in a folder without a record of them: a copy without it, say. */
async function findUnrecorded(dataDir: string): Promise<FolderMove | null> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return null;
  const facts = await readDatabase(file);
  const waiting = await readWaiting(file);
  if (facts === null || facts.starts === null || waiting.liveAccounts + waiting.plans === 0) return null;
  return {
    what: `the data folder ${dataDir} has no folder.json that says where it was used before, and holds ${inWords(waiting)}: if it is a copy, it would trade twice. Once no gateway runs on another one, start this one with: ${TAKE_OVER}`,
    mend: TAKE_OVER,
  };
}

function holderAt(path: string): { readonly pid: number } | null {
  try {
    return dataFolderHolder(path);
  } catch {
    // The other folder is not to be read any more.
    return null;
  }
}

/** Notes the move in the folder at the earlier place, if it is still there: its next start asks. */
export function tellEarlierPlace(before: FolderHome, now: FolderHome): void {
  if (before.path === now.path || before.machine !== now.machine) return;
  try {
    const record = readFolderRecord(before.path);
    const theirs = record?.home;
    const isSame = theirs?.path === before.path && theirs.id === before.id;
    const isOriginal = isSame && theirs.generation <= before.generation;
    if (record !== null && isOriginal) noteFolderRecord(before.path, { ...record, home: now });
  } catch {
    // A folder that cannot be written cannot be started either.
  }
}

function inWords({ liveAccounts, plans }: Waiting): string {
  const accounts = liveAccounts === 1 ? '1 live account' : `${liveAccounts} live accounts`;
  const orders = plans === 1 ? '1 order or plan that waits' : `${plans} orders or plans that wait`;
  return [...(liveAccounts > 0 ? [accounts] : []), ...(plans > 0 ? [orders] : [])].join(' and ');
}
