/**
 * The exchange's disk: `<name>.journal` (JSON lines, appended) and `<name>.db` (the snapshot of everything up to some
 * entry, and older orders and history).
 *
 * Invariants
 * - A line counts once it ends in a newline and is on disk; `durable()` resolves true only then. A torn last line was
 *   never answered and is cut off at start.
 * - Lines appended while a write is under way go out with the next write: many batches, one write, one fdatasync.
 * - A failed write leaves no half line: the file is cut back, the lines stay queued and are tried again.
 * - Compaction writes the database in one transaction while entries are appended, then drops the entries that the
 *   snapshot holds from the journal. A crash between the two is harmless: the snapshot says which entries it holds.
 * - Every journal begins with a header. A journal without one, beside a snapshot that knows of headers, was emptied or
 *   removed by somebody else, and its entries are lost.
 */
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import { writeFileAtomically } from '../../../system/atomic-file.ts';
import type { JournalEntry, MarketCheckpoint } from '../accounts/journal-entry.ts';
import type { OldRecord } from '../accounts/old-records.ts';
import { Archive, archivePath, type Snapshot } from './archive.ts';
import { chained } from './journal-chain.ts';
import { headerLine, type JournalFile, readJournal } from './journal-lines.ts';
import { PaperFilesError } from './paper-files-error.ts';

const RETRY_MS = 1_000;

export interface LoadedJournal<State> {
  readonly snapshot: Snapshot<State> | null;
  /** Orders and history of the entries that the snapshot holds. */
  readonly archive: Archive;
  /** Entries after the snapshot. */
  readonly tail: readonly JournalEntry[];
  /** Latest market checkpoint of the journal, and the number of tail entries before it. */
  readonly checkpoint: { readonly after: number; readonly checkpoint: MarketCheckpoint } | null;
  /** Somebody emptied or removed the journal: entries after the snapshot may be lost. */
  readonly lost: boolean;
}

/** A state, and the records that leave memory once both are on disk. */
export interface StateOf<State> {
  readonly state: State;
  readonly records: readonly OldRecord[];
  /** Removes the records from memory. */
  readonly forget: () => void;
}

export interface JournalOptions<State> {
  readonly directory: string;
  readonly name: string;
  readonly clock: Clock;
  /** Journal size above which it is compacted. */
  readonly compactBytes: number;
  /** State that holds every entry appended so far. */
  readonly state: () => StateOf<State>;
  readonly onWritable: (writable: boolean, reason: string | null) => void;
}

export class Journal<State> {
  private readonly options: JournalOptions<State>;
  private readonly path: string;
  private readonly archive: Archive;
  /** null: not open, since it was replaced. */
  private file: FileHandle | null = null;
  private bytes: number;
  private chain: string;
  private lastN: number;
  private queue: string[] = [];
  private waiters: ((durable: boolean) => void)[] = [];
  private writing: Promise<void> | null = null;
  private archiving: Promise<void> | null = null;
  /** Part of the file that the database holds: its length, and the number of its last entry. */
  private archived: { readonly bytes: number; readonly n: number } | null = null;
  /** Content of the file without the archived part; kept until the file has it for certain. */
  private replacement: Buffer | null = null;
  private broken = false;
  private cancelRetry: Unsubscribe = () => undefined;

  private constructor(
    options: JournalOptions<State>,
    archive: Archive,
    at: { readonly bytes: number; readonly hash: string; readonly n: number },
  ) {
    this.options = options;
    this.path = journalPath(options);
    this.archive = archive;
    this.bytes = at.bytes;
    this.chain = at.hash;
    this.lastN = at.n;
  }

  /** @throws PaperFilesError when a file is damaged anywhere but in the journal's last line, or lacks a part */
  static async open<State>(
    options: JournalOptions<State>,
  ): Promise<{ readonly journal: Journal<State>; readonly loaded: LoadedJournal<State> }> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const archive = await Archive.open(options.directory, options.name);
    try {
      const snapshot = await archive.snapshot<State>();
      const read = await readJournal(journalPath(options));
      const loaded = { snapshot, archive, ...entriesAfter(snapshot, read, options) };
      const at = { bytes: read.bytes, hash: loaded.hash, n: loaded.n };
      const journal = new Journal(options, archive, at);
      await (await journal.opened()).truncate(read.bytes);
      return { journal, loaded };
    } catch (error) {
      await archive.close();
      throw error;
    }
  }

  /** SHA-256 over all journal entries ever written; each entry's hash includes the previous hash. */
  hash(): string {
    return this.chain;
  }

  append(entry: JournalEntry): void {
    const line = JSON.stringify(entry);
    this.chain = chained(this.chain, line);
    this.lastN = entry.n;
    this.queue.push(`${line}\n`);
  }

  /** Appends a market checkpoint: outside the hash, since it says nothing about accounts. */
  checkpoint(checkpoint: MarketCheckpoint): void {
    this.queue.push(`${JSON.stringify(checkpoint)}\n`);
  }

  /** Resolves true when all that was appended before the call is on disk, false when it could not be written. */
  durable(): Promise<boolean> {
    if (this.broken) return Promise.resolve(false);
    if (this.queue.length === 0 && this.writing === null) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.writing ??= this.writeAll();
    });
  }

  /** Resolves once the database holds every entry appended before the call, or could not be written. */
  async compact(): Promise<void> {
    await this.idle();
    this.writing = this.writeAll(true);
    await this.idle();
  }

  async close(): Promise<void> {
    await this.compact();
    this.cancelRetry();
    await this.archive.close();
    await this.file?.close();
  }

  private async idle(): Promise<void> {
    for (let work = this.writing ?? this.archiving; work !== null; work = this.writing ?? this.archiving)
      await work;
  }

  private async writeAll(compactAnyway = false): Promise<void> {
    // The caller keeps the promise first: work that ends at once would be kept as unfinished for ever.
    await null;
    try {
      if (this.archived !== null) await this.drop(this.archived);
      while (this.queue.length > 0) await this.writeOnce();
      // The queue is empty and the state is read synchronously, so the state and the file hold the same entries.
      const isDue = compactAnyway || this.bytes > this.options.compactBytes;
      if (isDue && this.archiving === null && this.archived === null)
        this.archiving = this.archiveState(this.options.state());
      this.resolveAll(true);
    } catch (error) {
      this.suspend(error instanceof Error ? error.message : String(error));
    }
    this.writing = null;
    if (!this.broken && (this.waiters.length > 0 || this.archived !== null)) this.writing = this.writeAll();
  }

  private async writeOnce(): Promise<void> {
    const file = await this.opened();
    const lines = this.queue;
    const waiters = this.waiters;
    this.queue = [];
    this.waiters = [];
    const data = Buffer.from(lines.join(''));
    try {
      await writeAt(file, data, this.bytes);
      await file.datasync();
      this.bytes += data.length;
      for (const resolve of waiters) resolve(true);
    } catch (error) {
      this.queue = [...lines, ...this.queue];
      this.waiters = [...waiters, ...this.waiters];
      await file.truncate(this.bytes).catch(() => undefined);
      throw error;
    }
  }

  private resolveAll(durable: boolean): void {
    if (durable && this.queue.length > 0) return;
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) resolve(durable);
  }

  private suspend(reason: string): void {
    this.broken = true;
    this.resolveAll(false);
    this.options.onWritable(false, reason);
    this.cancelRetry();
    this.cancelRetry = this.options.clock.after(RETRY_MS, () => {
      this.broken = false;
      this.writing ??= this.writeAll();
      void this.idle().then(() => {
        if (!this.broken) this.options.onWritable(true, null);
      });
    });
  }

  /** Writes the state and the old records to the database. Entries are appended meanwhile. */
  private async archiveState({ state, records, forget }: StateOf<State>): Promise<void> {
    const archived = { bytes: this.bytes, n: this.lastN };
    try {
      await this.archive.write(records, { n: archived.n, hash: this.chain, headed: true, state });
      forget();
      this.archived = archived;
    } catch (error) {
      this.suspend(error instanceof Error ? error.message : String(error));
    }
    this.archiving = null;
    if (this.archived !== null) this.writing ??= this.writeAll();
  }

  /** Replaces the file by one without the archived part. Nothing may be written meanwhile. */
  private async drop({ bytes, n }: { readonly bytes: number; readonly n: number }): Promise<void> {
    this.replacement ??= await this.withoutArchived(bytes, n);
    // Windows does not replace an open file.
    const { file } = this;
    this.file = null;
    await file?.close();
    await writeFileAtomically(this.path, this.replacement);
    this.bytes = this.replacement.length;
    this.archived = null;
    this.replacement = null;
  }

  private async withoutArchived(bytes: number, n: number): Promise<Buffer> {
    const rest = Buffer.alloc(this.bytes - bytes);
    await readAt(await this.opened(), rest, bytes);
    return Buffer.concat([headerLine({ after: n }), rest]);
  }

  private async opened(): Promise<FileHandle> {
    this.file ??= await openForWriting(this.path);
    return this.file;
  }
}

function journalPath({ directory, name }: Pick<JournalOptions<unknown>, 'directory' | 'name'>): string {
  return join(directory, `${name}.journal`);
}

/**
 * Entries of the journal after the snapshot, and the number and running hash of the last one.
 * @throws PaperFilesError when snapshot and journal do not belong together
 */
function entriesAfter(
  snapshot: Snapshot<unknown> | null,
  { header, lines, missing }: JournalFile,
  files: Pick<JournalOptions<unknown>, 'directory' | 'name'>,
) {
  const path = journalPath(files);
  const archive = archivePath(files.directory, files.name);
  if (snapshot === null && lines.length > 0)
    throw new PaperFilesError(`${archive} is missing beside ${path}`);
  let n = snapshot?.n ?? 0;
  let hash = snapshot?.hash ?? '';
  if (header !== null && header.after > n) throw new PaperFilesError(`${archive} is older than ${path}`);
  const tail: JournalEntry[] = [];
  let checkpoint: LoadedJournal<unknown>['checkpoint'] = null;
  for (const { text, value } of lines) {
    if (!('n' in value)) {
      checkpoint = { after: tail.length, checkpoint: value };
    } else if (value.n > n) {
      if (value.n !== n + 1) throw new PaperFilesError(`${path} lacks entry ${n + 1}`);
      n = value.n;
      hash = chained(hash, text);
      tail.push(value);
    }
  }
  const lost = snapshot !== null && header === null && (missing || snapshot.headed === true);
  return { n, hash, tail, checkpoint, lost };
}

/** Opens a file, made if missing, for writes at positions: a file opened for appending ignores positions. */
async function openForWriting(path: string): Promise<FileHandle> {
  const made = await open(path, 'a', 0o600);
  await made.close();
  return open(path, 'r+');
}

/** Writes all of `data`. @throws when the disk accepts no more; the bytes written so far stay */
async function writeAt(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done);
    done += bytesWritten;
  }
}

/** Fills `data`. @throws when the file is shorter */
async function readAt(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesRead } = await file.read(data, done, data.length - done, position + done);
    if (bytesRead === 0) throw new Error('the journal is shorter than what was written to it');
    done += bytesRead;
  }
}
