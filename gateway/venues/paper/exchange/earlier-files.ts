/**
 * Files of versions before `<name>.db`: `<name>.snapshot` (JSON) and `<name>.archive` (the journal entries that it
 * counts on, one a line). They are moved into the database once, at the first start.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountSnapshot, snapshotOf } from '../accounts/account-state.ts';
import type { Generation } from '../accounts/generation.ts';
import type { JournalEntry } from '../accounts/journal-entry.ts';
import { PaperAccounts } from '../accounts/paper-accounts.ts';
import { Archive, type Snapshot } from '../disk/archive.ts';
import { chained } from '../disk/journal-chain.ts';
import { PaperFilesError } from '../disk/paper-files-error.ts';
import type { PaperState } from './exchange-disk.ts';

const SNAPSHOT_FORMAT = 1;
/** Archived entries that are moved in one transaction. */
const ENTRIES_AT_ONCE = 2_000;
/** The generation of snapshots that name none. */
const UNNAMED: Generation = { name: '', history: {} };

/** Parts that the oldest versions did not write can be absent. */
export interface EarlierState extends Omit<PaperState, 'accounts' | 'sequence' | 'generations'> {
  readonly accounts: readonly Omit<AccountSnapshot, 'working'>[];
  readonly sequence?: number;
  readonly generations?: readonly Generation[];
}

export interface EarlierSnapshot extends Snapshot<EarlierState> {
  readonly format: number;
  readonly archiveBytes: number;
}

/** null: there is none. @throws PaperFilesError */
export async function readEarlierSnapshot(dataDir: string, name: string): Promise<EarlierSnapshot | null> {
  const path = join(dataDir, `${name}.snapshot`);
  if ((await sizeOf(path)) === 0) return null;
  let snapshot: EarlierSnapshot;
  try {
    snapshot = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new PaperFilesError(`${path} is damaged`);
  }
  if (snapshot.format !== SNAPSHOT_FORMAT)
    throw new PaperFilesError(`${path} was written by another version of Tandem`);
  const archive = join(dataDir, `${name}.archive`);
  const bytes = await sizeOf(archive);
  if (bytes >= snapshot.archiveBytes) return snapshot;
  throw new PaperFilesError(
    `${archive} holds ${bytes} bytes of the ${snapshot.archiveBytes} that its snapshot counts on: part of it is missing`,
  );
}

/** Archived entries, oldest first. @throws PaperFilesError at their end when they are not what was journaled */
export async function* earlierEntries(
  dataDir: string,
  name: string,
  { archiveBytes, hash }: EarlierSnapshot,
): AsyncGenerator<JournalEntry> {
  const path = join(dataDir, `${name}.archive`);
  let found = '';
  let rest = '';
  const chunks =
    archiveBytes === 0 ? [] : createReadStream(path, { encoding: 'utf8', end: archiveBytes - 1 });
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      found = chained(found, line);
      yield parsed(line, path);
    }
  }
  if (archiveBytes > 0 && found !== hash) throw new PaperFilesError(`${path} is damaged`);
}

/**
 * Moves the files into the database and removes them. A move that was cut off is made again, or ends with the removal
 * of files that were moved. @throws PaperFilesError when they are damaged; they are left as they are
 */
export async function takeOverEarlierFiles(dataDir: string, name: string): Promise<void> {
  const snapshot = `${name}.snapshot`;
  if ((await sizeOf(join(dataDir, snapshot))) === 0) return;
  const archive = await Archive.open(dataDir, name);
  try {
    const earlier = (await archive.snapshot()) === null ? await readEarlierSnapshot(dataDir, name) : null;
    if (earlier !== null) await move(dataDir, name, earlier, archive);
  } finally {
    await archive.close();
  }
  const others = ['archive', 'index-', 'snapshot.'].map((kind) => `${name}.${kind}`);
  const moved = (await readdir(dataDir)).filter((file) => others.some((start) => file.startsWith(start)));
  // The snapshot goes last: while it is there, the next start goes on with the removal.
  for (const file of [...moved, snapshot]) await rm(join(dataDir, file));
}

async function move(
  dataDir: string,
  name: string,
  earlier: EarlierSnapshot,
  archive: Archive,
): Promise<void> {
  const past = new PaperAccounts();
  let entries = 0;
  for await (const { effects } of earlierEntries(dataDir, name, earlier)) {
    for (const effect of effects) past.index(effect);
    entries += 1;
    if (entries % ENTRIES_AT_ONCE === 0) {
      const { records, forget } = past.ended();
      await archive.write(records, null);
      forget();
    }
  }
  const { records } = past.ended();
  const state: PaperState = {
    ...earlier.state,
    accounts: earlier.state.accounts.map((account) => ({ ...account, working: workingOf(past, account.id) })),
    sequence: past.sequence,
    generations: earlier.state.generations ?? [UNNAMED],
  };
  const { n, hash, headed } = earlier;
  await archive.write(records, { n, hash, ...(headed === true ? { headed } : {}), state });
}

/** Working orders of an account as its archived entries left them. */
function workingOf(past: PaperAccounts, id: string): AccountSnapshot['working'] {
  const account = past.byId.get(id);
  return account === undefined ? [] : snapshotOf(account).working;
}

function parsed(line: string, path: string): JournalEntry {
  try {
    const entry: JournalEntry = JSON.parse(line);
    if (Array.isArray(entry.effects)) return entry;
  } catch {
    // A failure is reported by the error below.
  }
  throw new PaperFilesError(`${path} is damaged`);
}

/** Size in bytes; 0: there is no such file. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
