/**
 * The index of the archive: files that each cover a range of the archive (archive-run.ts), end to end. Four files of
 * one level are merged into one of the next in the background, so a million orders are some fifteen files.
 *
 * The index holds nothing that the archive does not: a file that is missing, damaged or of another history is made
 * again from the archive.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveRun, type HistoryMarks, type RunRange, writeRun } from './archive-run.ts';

const MERGED_AT_ONCE = 4;
const NOWHERE: readonly number[] = [];
/** Approximate number of rows that a merge holds in memory. */
const ROWS_PER_SLICE = 16_384;

export class ArchiveIndex {
  private readonly directory: string;
  private readonly name: string;
  private runs: ArchiveRun[];
  private merging: Promise<void> | null = null;
  private closed = false;

  private constructor(directory: string, name: string, runs: ArchiveRun[]) {
    this.directory = directory;
    this.name = name;
    this.runs = runs;
  }

  /**
   * Opens the files that cover the archive from its start without a gap, and removes all others (unfinished or
   * already merged ones).
   * @param at the journal's hash at `bytes`, the end of the archive
   */
  static async open(
    directory: string,
    name: string,
    archive: { readonly bytes: number; readonly hash: string },
  ): Promise<ArchiveIndex> {
    const prefix = `${name}.index-`;
    const found: ArchiveRun[] = [];
    for (const file of await readdir(directory)) {
      if (!file.startsWith(prefix)) continue;
      const run = file.endsWith('.new') ? null : await ArchiveRun.open(join(directory, file));
      if (run === null) await rm(join(directory, file), { force: true });
      else found.push(run);
    }
    // Of files that begin together the longest comes first: the others were merged into it.
    found.sort((a, b) => a.range.from - b.range.from || b.range.to - a.range.to);
    const chain: ArchiveRun[] = [];
    let end = { to: 0, hash: '' };
    for (const run of found) {
      const { from, to, hashBefore, hashAfter } = run.range;
      const fits = from === end.to && hashBefore === end.hash && to <= archive.bytes;
      if (fits && (to < archive.bytes || hashAfter === archive.hash)) {
        chain.push(run);
        end = { to, hash: hashAfter };
      } else {
        await run.close();
        await rm(run.path, { force: true });
      }
    }
    return new ArchiveIndex(directory, name, chain);
  }

  /** End of the indexed part of the archive, with the running hash and the last number at that point. */
  get end(): { readonly bytes: number; readonly hash: string; readonly sequence: number } {
    const last = this.runs.at(-1)?.range;
    return { bytes: last?.to ?? 0, hash: last?.hashAfter ?? '', sequence: last?.sequence ?? 0 };
  }

  /** Items of history per account. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { range } of this.runs)
      for (const [account, { count }] of Object.entries(range.histories)) counts.set(account, count);
    return counts;
  }

  /** Archive positions of the entries that may be about the order with this key, oldest first. */
  find(key: number): readonly number[] {
    let found = NOWHERE;
    for (const run of this.runs) {
      const some = run.find(key);
      if (some.length > 0) found = [...found, ...some];
    }
    return found;
  }

  /** The last mark at or before an item of an account's history; null: the account has no such mark. */
  markOf(account: string, item: number): { readonly item: number; readonly at: number } | null {
    let best: { item: number; at: number } | null = null;
    for (const { range } of this.runs) {
      const marks = range.histories[account]?.marks ?? [];
      if (marks.length === 0 || (marks[0] ?? 0) > item) continue;
      let [low, high] = [0, marks.length / 2 - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((marks[middle * 2] ?? 0) <= item) low = middle;
        else high = middle - 1;
      }
      best = { item: marks[low * 2] ?? 0, at: marks[low * 2 + 1] ?? 0 };
    }
    return best;
  }

  /** Writes the index file of the next range. The file counts once accepted, and is removed if discarded. */
  async prepare(range: RunRange, rows: Float64Array): Promise<{ accept(): void; discard(): Promise<void> }> {
    const run = await writeRun(this.pathOf(range), range, rows.length / 2, [rows]);
    return {
      accept: () => {
        this.runs.push(run);
        this.merging ??= this.mergeWhatIsDue().finally(() => {
          this.merging = null;
        });
      },
      discard: async () => {
        await run.close();
        await rm(run.path, { force: true });
      },
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.merging;
    for (const run of this.runs.splice(0)) await run.close();
  }

  private pathOf({ from, to }: RunRange): string {
    return join(this.directory, `${this.name}.index-${from}-${to}`);
  }

  /**
   * If the disk refuses a merge, it is tried again with the next file. Until then there are more files than
   * necessary.
   */
  private async mergeWhatIsDue(): Promise<void> {
    try {
      while (!this.closed) {
        const due = this.due();
        if (due === null) return;
        await this.merge(due);
      }
    } catch {
      // The `.new` file is overwritten by the next attempt, or removed at the next start.
    }
  }

  private due(): readonly ArchiveRun[] | null {
    for (let end = this.runs.length; end >= MERGED_AT_ONCE; end -= 1) {
      const group = this.runs.slice(end - MERGED_AT_ONCE, end);
      if (group.every(({ range }) => range.level === group[0]?.range.level)) return group;
    }
    return null;
  }

  private async merge(group: readonly ArchiveRun[]): Promise<void> {
    const first = group[0]?.range;
    const last = group.at(-1)?.range;
    if (first === undefined || last === undefined) return;
    const range: RunRange = {
      ...last,
      level: first.level + 1,
      from: first.from,
      hashBefore: first.hashBefore,
      histories: joined(group.map((run) => run.range.histories)),
    };
    const total = group.reduce((sum, run) => sum + run.rows, 0);
    const merged = await writeRun(this.pathOf(range), range, total, this.slices(group, total));
    this.runs = this.runs.flatMap((run) => {
      if (!group.includes(run)) return [run];
      return run === group[0] ? [merged] : [];
    });
    for (const run of group) {
      await run.close();
      await rm(run.path, { force: true });
    }
  }

  private async *slices(group: readonly ArchiveRun[], total: number): AsyncGenerator<Float64Array> {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, total / ROWS_PER_SLICE)));
    const slices = Math.min(wanted, ...group.map((run) => run.buckets));
    for (let slice = 0; slice < slices; slice += 1) {
      if (this.closed) throw new Error('closed within a merge');
      yield sortedTogether(await Promise.all(group.map((run) => run.slice(slice, slices))));
    }
  }
}

/** Sorted lists of rows, merged into one sorted list. */
function sortedTogether(lists: readonly Float64Array[]): Float64Array {
  const merged = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  const next = lists.map(() => 0);
  for (let to = 0; to < merged.length; to += 2) {
    let from = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < lists.length; index += 1) {
      const key = lists[index]?.[next[index] ?? 0];
      if (key !== undefined && key < least) {
        least = key;
        from = index;
      }
    }
    const at = next[from] ?? 0;
    merged[to] = least;
    merged[to + 1] = lists[from]?.[at + 1] ?? 0;
    next[from] = at + 2;
  }
  return merged;
}

function joined(all: readonly Readonly<Record<string, HistoryMarks>>[]): Record<string, HistoryMarks> {
  const histories: Record<string, { count: number; marks: number[] }> = {};
  for (const some of all) {
    for (const [account, { count, marks }] of Object.entries(some)) {
      histories[account] ??= { count, marks: [] };
      histories[account].count = count;
      for (const mark of marks) histories[account].marks.push(mark);
    }
  }
  return histories;
}
