/**
 * Entries that have left the exchange's memory: the lines of `<name>.archive`, found through its index. Reads are
 * synchronous, a page of a file or two, because deciding an order must not wait (a repeated client order id is looked
 * up here); nearly all orders are new, which the index knows without a read.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HistoryItem, PaperOrder } from '../accounts/account-state.ts';
import type { JournalEntry } from '../accounts/journal-entry.ts';
import { orderKey } from '../accounts/order-key.ts';
import { PaperAccounts } from '../accounts/paper-accounts.ts';
import {
  ArchiveDraft,
  type DraftedEntries,
  type DraftedRange,
  draftedRange,
  orderOf,
} from './archive-draft.ts';
import { ArchiveIndex } from './archive-index.ts';
import { openForWriting, readAt, readNow, writeAt } from './file-bytes.ts';
import { chained } from './journal-chain.ts';
import { PaperFilesError } from './paper-files-error.ts';

const NEWLINE = 0x0a;
const LINE_READ_BYTES = 16 * 1024;
/** Maximum bytes read for one page of history, once its first item is found. */
const HISTORY_READ_BYTES = 256 * 1024;
/** Bytes read and indexed at a time when the index is made again. */
const REBUILD_BYTES = 8 * 1024 * 1024;

export interface ArchiveEnd {
  readonly bytes: number;
  /** The journal's running hash after its last entry. */
  readonly hash: string;
}

export class Archive {
  private readonly path: string;
  private readonly file: FileHandle;
  private readonly index: ArchiveIndex;
  private end: ArchiveEnd;
  private readonly counted: Map<string, number>;
  private numbered: number;

  private constructor(path: string, file: FileHandle, index: ArchiveIndex, end: ArchiveEnd) {
    this.path = path;
    this.file = file;
    this.index = index;
    this.end = end;
    this.counted = index.counts();
    this.numbered = index.end.sequence;
  }

  /**
   * Opens the archive and completes its index. @throws PaperFilesError when the archive is not as the snapshot
   * describes it
   */
  static async open(directory: string, name: string, end: ArchiveEnd): Promise<Archive> {
    const path = join(directory, `${name}.archive`);
    const file = await openForWriting(path);
    try {
      checkLength(path, (await file.stat()).size, end.bytes);
      const index = await ArchiveIndex.open(directory, name, end);
      try {
        await indexTheRest({ path, file, index, end });
      } catch (error) {
        await index.close();
        throw error;
      }
      return new Archive(path, file, index, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.end.bytes;
  }

  /** Orders and trades numbered so far. */
  get sequence(): number {
    return this.numbered;
  }

  /** Items of history per account. */
  get historyCounts(): ReadonlyMap<string, number> {
    return this.counted;
  }

  /**
   * The order as its archived entries left it; undefined: no entry is about the order. @throws when an entry cannot be
   * read
   */
  order(account: string, clientOrderId: string): PaperOrder | undefined {
    const positions = this.index.find(orderKey(account, clientOrderId));
    if (positions.length === 0) return undefined;
    const accounts = new PaperAccounts();
    for (const at of positions) {
      for (const effect of this.entryAt(at).effects)
        if (effect.account === account && orderOf(effect) === clientOrderId) accounts.index(effect);
    }
    return accounts.byId.get(account)?.orders.get(clientOrderId);
  }

  /** History items of an account from the `from`-th on: at most `limit`, at least one while there are any. */
  history(account: string, from: number, limit: number): readonly HistoryItem[] {
    const mark = this.index.markOf(account, from);
    const found: HistoryItem[] = [];
    if (mark === null) return found;
    let { item } = mark;
    for (let at = mark.at; at < this.end.bytes; ) {
      const line = this.lineAt(at);
      for (const effect of this.parsed(line, at).effects) {
        if (effect.account !== account || (effect.kind !== 'fill' && effect.kind !== 'funding')) continue;
        if (item >= from && found.length < limit) found.push(effect);
        item += 1;
      }
      at += line.length + 1;
      if (found.length === limit || (found.length > 0 && at - mark.at > HISTORY_READ_BYTES)) break;
    }
    return found;
  }

  /** All entries, oldest first. */
  async *entries(): AsyncGenerator<JournalEntry> {
    for await (const line of linesOf(this.file, 0, this.end.bytes)) yield this.parsed(line.data, line.at);
  }

  /** All archived orders of an account, in the order of their arrival and in their last archived state. For tests. */
  async *orders(account: string): AsyncGenerator<PaperOrder> {
    const accounts = new PaperAccounts();
    for await (const { effects } of this.entries())
      for (const effect of effects) if (effect.account === account) accounts.index(effect);
    yield* accounts.byId.get(account)?.orders.values() ?? [];
  }

  /**
   * Appends the lines of entries and their index data. The entries count from `accept` on; lines that were appended and
   * not accepted are overwritten by the next append.
   */
  async append(
    lines: Buffer,
    entries: DraftedEntries,
    hash: string,
  ): Promise<{ readonly bytes: number; accept(): void; discard(): Promise<void> }> {
    if (lines.length !== entries.bytes) throw new Error('the index does not describe what is archived');
    const before = this.end;
    const end = { bytes: before.bytes + lines.length, hash };
    if (lines.length === 0)
      return { bytes: end.bytes, accept: () => undefined, discard: async () => undefined };
    await this.file.truncate(before.bytes);
    await writeAt(this.file, lines, before.bytes);
    await this.file.datasync();
    const numbers = { sequence: this.numbered, histories: this.counted };
    const drafted = draftedRange(entries, before.bytes, numbers);
    const run = await this.index.prepare(rangeOf(drafted, before, end), drafted.rows);
    return {
      bytes: end.bytes,
      accept: () => {
        run.accept();
        this.end = end;
        this.numbered = drafted.sequence;
        for (const [account, { count }] of Object.entries(drafted.histories))
          this.counted.set(account, count);
      },
      discard: () => run.discard(),
    };
  }

  async close(): Promise<void> {
    await this.index.close();
    await this.file.close();
  }

  private entryAt(at: number): JournalEntry {
    return this.parsed(this.lineAt(at), at);
  }

  private lineAt(at: number): Buffer {
    for (let length = LINE_READ_BYTES; ; length *= 4) {
      const data = readNow(this.file, Math.min(length, this.end.bytes - at), at);
      const end = data.indexOf(NEWLINE);
      if (end >= 0) return data.subarray(0, end);
      if (data.length < length) throw damaged(this.path, at);
    }
  }

  private parsed(line: Buffer, at: number): JournalEntry {
    return parsedLine(line, this.path, at);
  }
}

/**
 * Checks the archive without creating files. @param thorough proves by the running hash that it is what was journaled
 * @throws PaperFilesError
 */
export async function checkArchive(
  path: string,
  { archiveBytes, hash }: { readonly archiveBytes: number; readonly hash: string },
  thorough: boolean,
): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  checkLength(path, size, archiveBytes);
  if (!thorough || archiveBytes === 0) return;
  const file = await open(path, 'r');
  try {
    let found = '';
    for await (const { data } of linesOf(file, 0, archiveBytes)) found = chained(found, data);
    if (found !== hash) throw new PaperFilesError(`${path} is damaged`);
  } finally {
    await file.close();
  }
}

function checkLength(path: string, bytes: number, needed: number): void {
  if (bytes >= needed) return;
  throw new PaperFilesError(
    `${path} holds ${bytes} bytes of the ${needed} that its snapshot counts on: part of it is missing`,
  );
}

function rangeOf(drafted: DraftedRange, before: ArchiveEnd, after: ArchiveEnd) {
  const { sequence, histories } = drafted;
  const hashes = { hashBefore: before.hash, hashAfter: after.hash };
  return { level: 0, from: before.bytes, to: after.bytes, ...hashes, sequence, histories };
}

/** Indexes the rest of the archive in pieces; the running hash proves that it is what was journaled. */
async function indexTheRest(options: {
  readonly path: string;
  readonly file: FileHandle;
  readonly index: ArchiveIndex;
  readonly end: ArchiveEnd;
}): Promise<void> {
  const { path, file, index, end } = options;
  let before: ArchiveEnd = index.end;
  if (before.bytes === end.bytes) return;
  let after = before;
  const draft = new ArchiveDraft();
  const write = async () => {
    const entries = draft.all();
    const numbers = { sequence: index.end.sequence, histories: index.counts() };
    const drafted = draftedRange(entries, before.bytes, numbers);
    const run = await index.prepare(rangeOf(drafted, before, after), drafted.rows);
    run.accept();
    draft.forget(entries);
    before = after;
  };
  for await (const { data, at } of linesOf(file, before.bytes, end.bytes)) {
    draft.add(parsedLine(data, path, at), data.length + 1);
    after = { bytes: at + data.length + 1, hash: chained(after.hash, data) };
    if (after.bytes - before.bytes >= REBUILD_BYTES && after.bytes < end.bytes) await write();
  }
  if (after.bytes !== end.bytes || after.hash !== end.hash) throw damaged(path, before.bytes);
  await write();
}

async function* linesOf(
  file: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<{ readonly data: Buffer; readonly at: number }> {
  for (let at = from; at < to; ) {
    let length = 1024 * 1024;
    let data = await readAt(file, Math.min(length, to - at), at);
    while (data.indexOf(NEWLINE) < 0 && data.length === length) {
      length *= 2;
      data = await readAt(file, Math.min(length, to - at), at);
    }
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      yield { data: data.subarray(start, end), at: at + start };
      start = end + 1;
    }
    if (start === 0) return;
    at += start;
  }
}

function parsedLine(line: Buffer, path: string, at: number): JournalEntry {
  try {
    const entry: JournalEntry = JSON.parse(line.toString('utf8'));
    if (Array.isArray(entry.effects)) return entry;
  } catch {
    // A failure is reported by the error below, which names the position.
  }
  throw damaged(path, at);
}

function damaged(path: string, at: number): PaperFilesError {
  return new PaperFilesError(`${path} is damaged after byte ${at}`);
}
