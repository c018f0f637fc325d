/**
 * The exchange's disk: `<name>.journal` (JSON lines, appended), `<name>.snapshot` (everything up to some entry) and
 * `<name>.archive` (older entries, only read at start, for history and client order ids).
 *
 * Invariants
 * - A line counts once it ends in a newline and is on disk; `durable()` resolves true only then. A torn last line was
 *   never answered and is cut off at start.
 * - What is appended while a write is under way goes out with the next one: many batches, one write, one fdatasync.
 * - A failed write leaves no half line: the file is cut back, the lines stay queued and are tried again.
 * - Compaction copies the journal behind the archive, replaces the snapshot by rename and empties the journal. A crash
 *   between the steps is harmless: the snapshot says how much of the archive is its own and which entries it holds.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Unsubscribe } from '../../engine/ports.ts';
import type { JournalEntry, MarketCheckpoint } from './journal-entry.ts';

const MODE = 0o600;
const RETRY_MS = 1_000;
const FORMAT = 1;

export interface SnapshotFile<State> {
  readonly format: number;
  /** Last entry it holds. */
  readonly n: number;
  readonly hash: string;
  readonly archiveBytes: number;
  readonly state: State;
}

export interface LoadedJournal<State> {
  readonly snapshot: SnapshotFile<State> | null;
  /** Entries that the snapshot holds, oldest first. */
  readonly archived: readonly JournalEntry[];
  /** Entries after the snapshot. */
  readonly tail: readonly JournalEntry[];
  /** The latest one of the tail, and how many of its entries came before it. */
  readonly checkpoint: { readonly after: number; readonly checkpoint: MarketCheckpoint } | null;
}

export interface JournalOptions<State> {
  readonly directory: string;
  readonly name: string;
  readonly clock: Clock;
  /** Journal size above which it is compacted. */
  readonly compactBytes: number;
  /** State that holds every entry appended so far. */
  readonly state: () => State;
  readonly onWritable: (writable: boolean, reason: string | null) => void;
}

export class Journal<State> {
  private readonly options: JournalOptions<State>;
  private readonly file: FileHandle;
  private bytes: number;
  private archiveBytes: number;
  private chain: string;
  private lastN: number;
  private queue: string[] = [];
  private waiters: ((durable: boolean) => void)[] = [];
  private writing: Promise<void> | null = null;
  private broken = false;
  private cancelRetry: Unsubscribe = () => undefined;

  private constructor(
    options: JournalOptions<State>,
    file: FileHandle,
    at: { readonly bytes: number; readonly archiveBytes: number; readonly hash: string; readonly n: number },
  ) {
    this.options = options;
    this.file = file;
    this.bytes = at.bytes;
    this.archiveBytes = at.archiveBytes;
    this.chain = at.hash;
    this.lastN = at.n;
  }

  /** @throws when a file is damaged anywhere but in its last line */
  static async open<State>(
    options: JournalOptions<State>,
  ): Promise<{ readonly journal: Journal<State>; readonly loaded: LoadedJournal<State> }> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const path = (kind: string) => join(options.directory, `${options.name}.${kind}`);
    const snapshot = await readSnapshot<State>(path('snapshot'));
    const archived: JournalEntry[] = [];
    const archive = await readText(path('archive'));
    const archiveBytes = snapshot?.archiveBytes ?? 0;
    for (const line of linesOf(archive.subarray(0, archiveBytes), path('archive')).lines) {
      if ('n' in line.value) archived.push(line.value);
    }
    const { lines, bytes } = linesOf(await readText(path('journal')), path('journal'));
    const tail: JournalEntry[] = [];
    let checkpoint: LoadedJournal<State>['checkpoint'] = null;
    let n = snapshot?.n ?? 0;
    let hash = snapshot?.hash ?? '';
    for (const { text, value } of lines) {
      if (!('n' in value)) {
        checkpoint = { after: tail.length, checkpoint: value };
      } else if (value.n > n) {
        if (value.n !== n + 1) throw new Error(`${path('journal')} lacks entry ${n + 1}`);
        n = value.n;
        hash = chained(hash, text);
        tail.push(value);
      }
    }
    const file = await open(path('journal'), 'a', MODE);
    await file.truncate(bytes);
    const journal = new Journal(options, file, { bytes, archiveBytes, hash, n });
    return { journal, loaded: { snapshot, archived, tail, checkpoint } };
  }

  /** SHA-256 over all entries ever, each chained to the one before. */
  hash(): string {
    return this.chain;
  }

  append(entry: JournalEntry): void {
    const line = JSON.stringify(entry);
    this.chain = chained(this.chain, line);
    this.lastN = entry.n;
    this.queue.push(`${line}\n`);
  }

  /** Not part of the hash: it says nothing about accounts. */
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
    await this.file.close();
  }

  private async writeAll(compactAnyway = false): Promise<void> {
    try {
      while (this.queue.length > 0) await this.writeOnce();
      // Nothing is queued here and nothing was awaited since: the state and the file hold the same entries.
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
      await this.file.appendFile(data);
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
    const state = this.options.state();
    const n = this.lastN;
    const hash = this.chain;
    const path = (kind: string) => join(directory, `${name}.${kind}`);
    const data = entriesOf((await readText(path('journal'))).subarray(0, this.bytes));
    const archive = await open(path('archive'), 'a', MODE);
    try {
      await archive.truncate(this.archiveBytes);
      await archive.appendFile(data);
      await archive.datasync();
    } finally {
      await archive.close();
    }
    const archiveBytes = this.archiveBytes + data.length;
    const snapshot: SnapshotFile<State> = { format: FORMAT, n, hash, archiveBytes, state };
    await replaceFile(directory, path('snapshot'), JSON.stringify(snapshot));
    this.archiveBytes = archiveBytes;
    await this.file.truncate(0);
    this.bytes = 0;
  }
}

/** Lines of entries start with their number, those of checkpoints do not: told apart without parsing megabytes. */
const ENTRY_START = Buffer.from('{"n":');

function entriesOf(content: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(0x0a, from);
    if (end < 0) throw new Error('the journal ends within a line');
    const to = end + 1;
    const line = content.subarray(from, to);
    if (line.subarray(0, ENTRY_START.length).equals(ENTRY_START)) kept.push(line);
    from = to;
  }
  return Buffer.concat(kept);
}

function chained(hash: string, line: string): string {
  return createHash('sha256').update(hash).update(line).digest('hex');
}

async function replaceFile(directory: string, path: string, content: string): Promise<void> {
  const fresh = await open(`${path}.new`, 'w', MODE);
  try {
    await fresh.writeFile(content);
    await fresh.sync();
  } finally {
    await fresh.close();
  }
  await rename(`${path}.new`, path);
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readText(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

async function readSnapshot<State>(path: string): Promise<SnapshotFile<State> | null> {
  const content = await readText(path);
  if (content.length === 0) return null;
  const snapshot: SnapshotFile<State> = JSON.parse(content.toString('utf8'));
  if (snapshot.format !== FORMAT) throw new Error(`${path} was written by another version`);
  return snapshot;
}

interface Line {
  readonly text: string;
  readonly value: JournalEntry | MarketCheckpoint;
}

/** Whole lines only; `bytes` is where the last of them ends. */
function linesOf(content: Buffer, path: string): { readonly lines: readonly Line[]; readonly bytes: number } {
  const bytes = content.lastIndexOf(0x0a) + 1;
  const lines: Line[] = [];
  for (const [index, text] of content.subarray(0, bytes).toString('utf8').split('\n').entries()) {
    if (text === '') continue;
    try {
      lines.push({ text, value: JSON.parse(text) });
    } catch {
      throw new Error(`${path} is damaged in line ${index + 1}`);
    }
  }
  return { lines, bytes };
}
