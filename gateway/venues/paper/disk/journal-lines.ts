/** Contents of the exchange's journal, read without changing it. */
import { readFile } from 'node:fs/promises';
import type { JournalEntry, MarketCheckpoint } from '../accounts/journal-entry.ts';
import { PaperFilesError } from './paper-files-error.ts';

export interface JournalFile {
  /** Written whenever the journal is compacted; null in files of earlier versions. */
  readonly header: JournalHeader | null;
  readonly lines: readonly JournalLine[];
  /** Byte offset at which the last whole line ends. */
  readonly bytes: number;
  /** True: the journal file did not exist. */
  readonly missing: boolean;
}

export interface JournalHeader {
  /** Last entry that the database held when the journal was compacted. */
  readonly after: number;
}

export interface JournalLine {
  readonly text: string;
  readonly value: JournalEntry | MarketCheckpoint;
}

/** Length of every header. */
export const HEADER_BYTES = 64;

export function headerLine({ after }: JournalHeader): Buffer {
  return Buffer.from(`${JSON.stringify({ journal: 1, after }).padEnd(HEADER_BYTES - 1)}\n`);
}

/** Reads whole lines: a torn last line was never answered. @throws PaperFilesError when another line is damaged */
export async function readJournal(path: string): Promise<JournalFile> {
  const read = await readIfThere(path);
  const content = read ?? Buffer.alloc(0);
  const bytes = content.lastIndexOf(0x0a) + 1;
  const header = headerOf(content.subarray(0, Math.min(HEADER_BYTES, bytes)));
  const lines: JournalLine[] = [];
  const texts = content
    .subarray(header === null ? 0 : HEADER_BYTES, bytes)
    .toString('utf8')
    .split('\n');
  for (const [index, text] of texts.entries()) {
    if (text === '') continue;
    try {
      lines.push({ text, value: JSON.parse(text) });
    } catch {
      const after = header === null ? '' : ' after its header';
      throw new PaperFilesError(`${path} is damaged in line ${index + 1}${after}`);
    }
  }
  return { header, lines, bytes, missing: read === null };
}

function headerOf(start: Buffer): JournalHeader | null {
  if (start.length < HEADER_BYTES) return null;
  try {
    const value: { journal?: unknown; after?: unknown } = JSON.parse(start.toString('utf8'));
    return value.journal === 1 && typeof value.after === 'number' ? { after: value.after } : null;
  } catch {
    return null;
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
