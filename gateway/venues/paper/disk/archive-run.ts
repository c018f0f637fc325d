/**
 * One file of the archive's index: where the entries of an order stand in a range of the archive. A file never changes
 * once it is there, and is made of nothing but that range.
 *
 * Layout: rows of (order key, position), sorted, two floats each · Bloom filter of the keys · first row of every bucket
 * of keys · description of the range, JSON · lengths of these four and a SHA-256 of all but the rows.
 * Filter and buckets are held in memory, with ten bits and half a bit per row; finding a row takes one read.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { KEY_RANGE } from '../accounts/order-key.ts';
import { readAt, readNow, writeAt } from './file-bytes.ts';

const FORMAT = 1;
const ROW_BYTES = 16;
const BLOOM_BITS_PER_ROW = 10;
/** Number of Bloom filter probes with the fewest false hits at ten bits a row: about one in a hundred. */
const BLOOM_PROBES = 6;
const ROWS_PER_BUCKET = 64;
const LENGTHS_BYTES = 32;
const HASH_BYTES = 32;
const MODE = 0o600;
const NOWHERE: readonly number[] = [];

/**
 * History of an account: items up to the end of the range, and pairs of (item, position of the entry that begins with
 * that item).
 */
export interface HistoryMarks {
  readonly count: number;
  readonly marks: readonly number[];
}

export interface RunRange {
  /** Number of times that the range was merged with its neighbours. */
  readonly level: number;
  /** Byte range of the archive: [from, to). */
  readonly from: number;
  readonly to: number;
  /** The journal's running hash before and after the range: runs of two histories do not fit each other. */
  readonly hashBefore: string;
  readonly hashAfter: string;
  /** Orders and trades numbered up to the end of the range. */
  readonly sequence: number;
  readonly histories: Readonly<Record<string, HistoryMarks>>;
}

export class ArchiveRun {
  readonly path: string;
  readonly range: RunRange;
  readonly rows: number;
  private readonly file: FileHandle;
  private readonly bloom: Uint8Array;
  private readonly firstRows: Uint32Array;

  private constructor(path: string, file: FileHandle, parts: RunParts) {
    this.path = path;
    this.file = file;
    this.rows = parts.rows;
    this.bloom = parts.bloom;
    this.firstRows = parts.firstRows;
    this.range = parts.range;
  }

  /** null: not a complete file of this format; the file can be made again from the archive. */
  static async open(path: string): Promise<ArchiveRun | null> {
    const file = await open(path, 'r');
    try {
      const parts = await readParts(file);
      if (parts !== null) return new ArchiveRun(path, file, parts);
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return null;
  }

  /**
   * Positions of the entries that may be about the order, oldest first. Mostly none, which the filter knows without a
   * read.
   */
  find(key: number): readonly number[] {
    if (this.rows === 0 || !bloomHas(this.bloom, key)) return NOWHERE;
    const bucket = bucketOf(key, this.firstRows.length - 1);
    const first = this.firstRows[bucket] ?? 0;
    const found: number[] = [];
    const rows = floatsOf(
      readNow(this.file, ((this.firstRows[bucket + 1] ?? 0) - first) * ROW_BYTES, first * ROW_BYTES),
    );
    for (let i = 0; i < rows.length; i += 2) if (rows[i] === key) found.push(rows[i + 1] ?? 0);
    return found;
  }

  /** Rows of the slice-th of `slices` equal ranges of keys; `slices` is a power of two and not more than `buckets`. */
  async slice(slice: number, slices: number): Promise<Float64Array> {
    const perSlice = this.buckets / slices;
    const first = this.firstRows[slice * perSlice] ?? 0;
    const end = this.firstRows[(slice + 1) * perSlice] ?? 0;
    return floatsOf(await readAt(this.file, (end - first) * ROW_BYTES, first * ROW_BYTES));
  }

  get buckets(): number {
    return this.firstRows.length - 1;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/**
 * Writes a file of `total` rows, which come sorted and in pieces. The file gets its name only when it is complete and
 * on disk.
 */
export async function writeRun(
  path: string,
  range: RunRange,
  total: number,
  pieces: AsyncIterable<Float64Array> | Iterable<Float64Array>,
): Promise<ArchiveRun> {
  const draft = `${path}.new`;
  const bloom = new Uint8Array(Math.ceil((total * BLOOM_BITS_PER_ROW) / 8));
  const firstRows = new Uint32Array(bucketsFor(total) + 1);
  const file = await open(draft, 'w', MODE);
  try {
    let rows = 0;
    let bucket = 0;
    for await (const piece of pieces) {
      for (let i = 0; i < piece.length; i += 2) {
        const key = piece[i] ?? 0;
        bloomAdd(bloom, key);
        const last = bucketOf(key, firstRows.length - 1);
        for (; bucket <= last; bucket += 1) firstRows[bucket] = rows;
        rows += 1;
      }
      await writeAt(
        file,
        Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
        (rows - piece.length / 2) * ROW_BYTES,
      );
    }
    for (; bucket < firstRows.length; bucket += 1) firstRows[bucket] = rows;
    const said = Buffer.from(JSON.stringify({ format: FORMAT, ...range }));
    const buckets = Buffer.from(firstRows.buffer);
    const lengths = Buffer.from(new Float64Array([rows, bloom.length, firstRows.length, said.length]).buffer);
    const held = Buffer.concat([bloom, buckets, said, lengths]);
    await writeAt(file, Buffer.concat([held, sha256(held)]), rows * ROW_BYTES);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const run = await ArchiveRun.open(path);
  if (run === null) throw new Error(`${path} does not read as it was written`);
  return run;
}

type RunParts = NonNullable<Awaited<ReturnType<typeof readParts>>>;

async function readParts(file: FileHandle) {
  const { size } = await file.stat();
  if (size < LENGTHS_BYTES + HASH_BYTES) return null;
  const lengths = floatsOf(await readAt(file, LENGTHS_BYTES, size - LENGTHS_BYTES - HASH_BYTES));
  const [rows = -1, bloomBytes = -1, buckets = -1, saidBytes = -1] = lengths;
  const held = bloomBytes + buckets * 4 + saidBytes + LENGTHS_BYTES;
  if (!(rows >= 0 && bloomBytes >= 0 && buckets >= 2 && saidBytes > 0)) return null;
  if (rows * ROW_BYTES + held + HASH_BYTES !== size) return null;
  const data = await readAt(file, held + HASH_BYTES, rows * ROW_BYTES);
  if (!sha256(data.subarray(0, held)).equals(data.subarray(held))) return null;
  const firstRows = new Uint32Array(buckets);
  Buffer.from(firstRows.buffer).set(data.subarray(bloomBytes, bloomBytes + buckets * 4));
  const saidAt = bloomBytes + buckets * 4;
  const { format, ...range }: RunRange & { readonly format: number } = JSON.parse(
    data.toString('utf8', saidAt, saidAt + saidBytes),
  );
  if (format !== FORMAT) return null;
  return { rows, bloom: Uint8Array.from(data.subarray(0, bloomBytes)), firstRows, range };
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function floatsOf(data: Buffer): Float64Array {
  const floats = new Float64Array(data.length >> 3);
  Buffer.from(floats.buffer).set(data.subarray(0, floats.byteLength));
  return floats;
}

/** Number of buckets: a power of two, so that ranges of keys of two files begin at the same keys. */
function bucketsFor(rows: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, rows / ROWS_PER_BUCKET))));
}

function bucketOf(key: number, buckets: number): number {
  return Math.floor((key / KEY_RANGE) * buckets);
}

function bloomAdd(bloom: Uint8Array, key: number): void {
  const bits = bloom.length * 8;
  const step = stepOf(key);
  for (let probe = 0, bit = key % bits; probe < BLOOM_PROBES; probe += 1, bit = (bit + step) % bits)
    bloom[bit >>> 3] = (bloom[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

function bloomHas(bloom: Uint8Array, key: number): boolean {
  const bits = bloom.length * 8;
  const step = stepOf(key);
  for (let probe = 0, bit = key % bits; probe < BLOOM_PROBES; probe += 1, bit = (bit + step) % bits)
    if (((bloom[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  return true;
}

/** Step between the probes of a key: odd, and made of other bits than the first probe. */
function stepOf(key: number): number {
  return Math.floor(key / 2 ** 22) | 1;
}
