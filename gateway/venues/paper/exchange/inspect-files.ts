/** Inspection of a paper venue's files without starting the venue and without changing the files. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../system/atomic-file.ts';
import { type Standing, standingOf } from '../accounts/generation.ts';
import { archivePath, readSnapshot, type Snapshot } from '../disk/archive.ts';
import { HEADER_BYTES, type JournalFile, readJournal } from '../disk/journal-lines.ts';
import { PaperFilesError } from '../disk/paper-files-error.ts';
import { type EarlierState, earlierEntries, readEarlierSnapshot } from './earlier-files.ts';
import type { PaperState } from './exchange-disk.ts';

export type PaperFiles =
  | { readonly kind: 'missing' }
  /** `message` says which file is damaged and how, in one clause. */
  | { readonly kind: 'damaged'; readonly message: string }
  | {
      readonly kind: 'there';
      /** True when the journal file is missing, not when it is empty. */
      readonly isJournalMissing: boolean;
      /**
       * The worst relation of these trade ids to the venue (`WORST_FIRST`); null: no id is of this connector, or the
       * files are of an earlier version.
       */
      standing(tradeIds: readonly string[]): Promise<Standing | { readonly damaged: string } | null>;
    };

const WORST_FIRST: readonly Standing[] = ['foreign', 'ahead', 'issued'];

/** @param thorough reads all files, however long they are */
export async function inspectPaperFiles(
  dataDir: string,
  connector: string,
  { thorough }: { readonly thorough: boolean },
): Promise<PaperFiles> {
  const file = archivePath(dataDir, connector);
  const journalFile = join(dataDir, `${connector}.journal`);
  try {
    const snapshot = await snapshotOf(dataDir, connector, thorough);
    if (snapshot === null) {
      const rest = await firstThere([journalFile, join(dataDir, `${connector}.archive`)]);
      if (rest === null) return { kind: 'missing' };
      return { kind: 'damaged', message: `${file} is missing beside ${rest}` };
    }
    if (thorough) checkNumbers(await readJournal(journalFile), snapshot.n, { file, journalFile });
    const { generations, sequence } = snapshot.state;
    return {
      kind: 'there',
      isJournalMissing: (await sizeOf(journalFile)) === null,
      async standing(tradeIds) {
        // Files of the oldest versions have neither generations nor a sequence; the first start on them adds both.
        if (generations === undefined || sequence === undefined) return null;
        const judged = (upTo: number) =>
          tradeIds.flatMap((id) => standingOf(id, connector, generations, upTo) ?? []);
        let standings = judged(sequence);
        if (standings.includes('ahead')) {
          const journal = await readJournal(journalFile).catch(messageOf);
          if (typeof journal === 'string') return { damaged: journal };
          // A repaired journal has no header: the venue knows that entries are lost, and begins a new generation.
          const isRepaired = journal.header === null && !journal.missing;
          standings = judged(isRepaired ? Number.POSITIVE_INFINITY : sequence + numbered(journal));
        }
        return WORST_FIRST.find((standing) => standings.includes(standing)) ?? null;
      },
    };
  } catch (error) {
    return { kind: 'damaged', message: messageOf(error) };
  }
}

/** The snapshot of the database, or of the files of an earlier version. @throws PaperFilesError */
async function snapshotOf(
  dataDir: string,
  connector: string,
  thorough: boolean,
): Promise<Snapshot<PaperState | EarlierState> | null> {
  const snapshot = await readSnapshot<PaperState>(dataDir, connector, thorough);
  if (snapshot !== null) return snapshot;
  const earlier = await readEarlierSnapshot(dataDir, connector);
  if (earlier !== null && thorough) for await (const _ of earlierEntries(dataDir, connector, earlier));
  return earlier;
}

/** Removes the journal's header, so that the next start assumes lost entries and begins a new generation. */
export async function endGeneration(dataDir: string, connector: string): Promise<void> {
  const path = join(dataDir, `${connector}.journal`);
  const { header, missing } = await readJournal(path);
  if (missing) await writeFile(path, '', { mode: 0o600 });
  if (header !== null) await writeFileAtomically(path, (await readFile(path)).subarray(HEADER_BYTES));
}

/**
 * Number of orders and trades in the journal. Entries that are also in the snapshot are counted twice; then more ids
 * than necessary pass as issued.
 */
function numbered({ lines }: JournalFile): number {
  return lines
    .flatMap(({ value }) => ('n' in value ? value.effects : []))
    .filter(({ kind }) => kind === 'accepted' || kind === 'fill').length;
}

/** Message of a `PaperFilesError`. @throws any other error */
function messageOf(error: unknown): string {
  if (error instanceof PaperFilesError) return error.message;
  throw error;
}

/** @throws PaperFilesError */
function checkNumbers(
  { header, lines }: JournalFile,
  archived: number,
  { file, journalFile }: { readonly file: string; readonly journalFile: string },
): void {
  if (header !== null && header.after > archived)
    throw new PaperFilesError(`${file} is older than ${journalFile}`);
  let last = archived;
  for (const { value } of lines) {
    if (!('n' in value) || value.n <= last) continue;
    if (value.n !== last + 1) throw new PaperFilesError(`${journalFile} lacks entry ${last + 1}`);
    last = value.n;
  }
}

/** First path with a file that is not empty: a first start killed before its snapshot leaves empty files. */
async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (((await sizeOf(path)) ?? 0) > 0) return path;
  return null;
}

/** Size in bytes; null: there is no such file. */
function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}
