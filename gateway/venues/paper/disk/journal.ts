/**
 * The exchange's disk: `<name>.journal` (JSON lines, appended), `<name>.snapshot` (everything up to some entry that is
 * still of use) and `<name>.archive` with its index (older entries, for history and client order ids).
 *
 * Invariants
 * - A line counts once it ends in a newline and is on disk; `durable()` resolves true only then. A torn last line was
 *   never answered and is cut off at start.
 * - Lines appended while a write is under way go out with the next write: many batches, one write, one fdatasync.
 * - A failed write leaves no half line: the file is cut back, the lines stay queued and are tried again.
 * - Compaction copies the journal behind the archive, replaces the snapshot by rename and empties the journal. A crash
 *   between the steps is harmless: the snapshot says how many bytes of the archive are its own and which entries it
 *   holds.
 * - Every journal begins with a header. A journal without one, beside a snapshot that knows of headers, was emptied or
 *   removed by somebody else, and its entries are lost.
 */
import { type FileHandle, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import { removeDraftsOf, writeFileAtomically } from '../../../system/atomic-file.ts';
import type { JournalEntry, MarketCheckpoint } from '../accounts/journal-entry.ts';
import { Archive } from './archive.ts';
import { ArchiveDraft } from './archive-draft.ts';
import { openForWriting, readAt, writeAt } from './file-bytes.ts';
import { chained } from './journal-chain.ts';
import {
  entriesOf,
  HEADER_BYTES,
  headerLine,
  readJournal,
  readSnapshot,
  type SnapshotFile,
  snapshotText,
} from './journal-lines.ts';
import { PaperFilesError } from './paper-files-error.ts';

const RETRY_MS = 1_000;

export interface LoadedJournal<State> {
  readonly snapshot: SnapshotFile<State> | null;
  /** Archive of the entries that the snapshot holds. */
  readonly archive: Archive;
  /** Entries after the snapshot. */
  readonly tail: readonly JournalEntry[];
  /** Latest market checkpoint of the journal, and the number of tail entries before it. */
  readonly checkpoint: { readonly after: number; readonly checkpoint: MarketCheckpoint } | null;
  /** Somebody emptied or removed the journal: entries after the snapshot may be lost. */
  readonly lost: boolean;
}

/** A state, and an action to take once that state is on disk. */
export interface StateOf<State> {
  readonly state: State;
  /** To be called once the entries that the state holds are in the archive. */
  readonly archived: () => void;
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
  private readonly file: FileHandle;
  private readonly archive: Archive;
  /** Index data of the entries that are in the journal and not yet in the archive. */
  private readonly draft: ArchiveDraft;
  private bytes: number;
  private hasHeader: boolean;
  private chain: string;
  private lastN: number;
  private queue: string[] = [];
  private waiters: ((durable: boolean) => void)[] = [];
  private writing: Promise<void> | null = null;
  private broken = false;
  private cancelRetry: Unsubscribe = () => undefined;

  private constructor(
    options: JournalOptions<State>,
    files: { readonly file: FileHandle; readonly archive: Archive; readonly draft: ArchiveDraft },
    at: { readonly bytes: number; readonly hasHeader: boolean; readonly hash: string; readonly n: number },
  ) {
    this.options = options;
    this.file = files.file;
    this.archive = files.archive;
    this.draft = files.draft;
    this.bytes = at.bytes;
    this.hasHeader = at.hasHeader;
    this.chain = at.hash;
    this.lastN = at.n;
  }

  /** @throws PaperFilesError when a file is damaged anywhere but in the journal's last line, or lacks a part */
  static async open<State>(
    options: JournalOptions<State>,
  ): Promise<{ readonly journal: Journal<State>; readonly loaded: LoadedJournal<State> }> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const path = (kind: string) => join(options.directory, `${options.name}.${kind}`);
    await removeDraftsOf(path('snapshot'));
    const snapshot = await readSnapshot<State>(path('snapshot'));
    const { header, lines, bytes, missing } = await readJournal(path('journal'));
    if (snapshot === null && lines.length > 0)
      throw new PaperFilesError(`${path('snapshot')} is missing beside ${path('journal')}`);
    let n = snapshot?.n ?? 0;
    let hash = snapshot?.hash ?? '';
    if (header !== null && header.after > n)
      throw new PaperFilesError(`${path('snapshot')} is older than ${path('journal')}`);
    const draft = new ArchiveDraft();
    const tail: JournalEntry[] = [];
    let checkpoint: LoadedJournal<State>['checkpoint'] = null;
    for (const { text, value } of lines) {
      if (!('n' in value)) {
        checkpoint = { after: tail.length, checkpoint: value };
      } else if (value.n > n) {
        if (value.n !== n + 1) throw new PaperFilesError(`${path('journal')} lacks entry ${n + 1}`);
        n = value.n;
        hash = chained(hash, text);
        tail.push(value);
        draft.add(value, Buffer.byteLength(text) + 1);
      }
    }
    const lost = snapshot !== null && header === null && (missing || snapshot.headed === true);
    const archive = await Archive.open(options.directory, options.name, {
      bytes: snapshot?.archiveBytes ?? 0,
      hash: snapshot?.hash ?? '',
    });
    const file = await openForWriting(path('journal'));
    await file.truncate(bytes);
    const at = { bytes, hasHeader: header !== null, hash, n };
    const journal = new Journal(options, { file, archive, draft }, at);
    return { journal, loaded: { snapshot, archive, tail, checkpoint, lost } };
  }

  /** SHA-256 over all journal entries ever written; each entry's hash includes the previous hash. */
  hash(): string {
    return this.chain;
  }

  append(entry: JournalEntry): void {
    const line = JSON.stringify(entry);
    this.chain = chained(this.chain, line);
    this.lastN = entry.n;
    this.draft.add(entry, Buffer.byteLength(line) + 1);
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

  async compact(): Promise<void> {
    while (this.writing !== null) await this.writing;
    this.writing = this.writeAll(true);
    await this.writing;
  }

  async close(): Promise<void> {
    await this.compact();
    this.cancelRetry();
    await this.archive.close();
    await this.file.close();
  }

  private async writeAll(compactAnyway = false): Promise<void> {
    try {
      while (this.queue.length > 0) await this.writeOnce();
      // The queue is empty and `rewrite` reads the state synchronously, so the state and the journal hold the same
      // entries.
      if (compactAnyway || this.bytes > this.options.compactBytes) await this.rewrite();
      this.resolveAll(true);
    } catch (error) {
      this.suspend(error instanceof Error ? error.message : String(error));
    }
    this.writing = null;
    if (!this.broken && this.waiters.length > 0) this.writing = this.writeAll();
  }

  private async writeOnce(): Promise<void> {
    const lines = this.queue;
    const waiters = this.waiters;
    this.queue = [];
    this.waiters = [];
    const data = Buffer.from(lines.join(''));
    try {
      await writeAt(this.file, data, this.bytes);
      await this.file.datasync();
      this.bytes += data.length;
      for (const resolve of waiters) resolve(true);
    } catch (error) {
      this.queue = [...lines, ...this.queue];
      this.waiters = [...waiters, ...this.waiters];
      await this.file.truncate(this.bytes).catch(() => undefined);
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
    this.cancelRetry = this.options.clock.after(RETRY_MS, () => {
      this.broken = false;
      void this.durable().then((durable) => {
        if (durable) this.options.onWritable(true, null);
      });
    });
  }

  private async rewrite(): Promise<void> {
    const { directory, name } = this.options;
    const { state, archived } = this.options.state();
    const n = this.lastN;
    const hash = this.chain;
    const { bytes } = this;
    const drafted = this.draft.all();
    // After a crash between snapshot and journal the journal still begins with entries that are archived already.
    const entries = entriesOf(await readAt(this.file, bytes, 0));
    const moved = await this.archive.append(entries.subarray(entries.length - drafted.bytes), drafted, hash);
    try {
      const snapshot = { n, hash, archiveBytes: moved.bytes, state };
      await writeFileAtomically(join(directory, `${name}.snapshot`), snapshotText<State>(snapshot));
    } catch (error) {
      await moved.discard().catch(() => undefined);
      throw error;
    }
    moved.accept();
    this.draft.forget(drafted);
    archived();
    // The new header overwrites the last one, so that the journal always has a header. A journal of an earlier version
    // begins with an entry, which the snapshot holds already.
    if (!this.hasHeader) await this.file.truncate(0);
    await writeAt(this.file, headerLine({ after: n }), 0);
    this.hasHeader = true;
    await this.file.truncate(HEADER_BYTES);
    await this.file.datasync();
    this.bytes = HEADER_BYTES;
  }
}
