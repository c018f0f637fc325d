/** Index data of entries in the journal: collected as entries are appended, written when they are archived. */

import type { Effect, JournalEntry } from '../accounts/journal-entry.ts';
import { orderKey } from '../accounts/order-key.ts';
import type { HistoryMarks } from './archive-run.ts';

/** Archive bytes between two history marks of an account: about what is read to find an item of its history. */
const MARK_EVERY_BYTES = 128 * 1024;

/** Index data of one entry: the keys of its orders, and the number of history items per account. */
interface Noted {
  readonly bytes: number;
  readonly keys: readonly number[];
  readonly items: readonly (readonly [account: string, count: number])[];
  readonly numbered: number;
}

/** Index data noted up to one moment; entries added later are not in it. */
export interface DraftedEntries {
  readonly noted: readonly Noted[];
  readonly bytes: number;
}

export interface DraftedRange {
  readonly sequence: number;
  /** Pairs of (order key, archive position), sorted by key. */
  readonly rows: Float64Array;
  readonly histories: Readonly<Record<string, HistoryMarks>>;
}

export class ArchiveDraft {
  private noted: Noted[] = [];

  /** @param bytes length of the entry's line, with the newline */
  add(entry: JournalEntry, bytes: number): void {
    const keys: number[] = [];
    const items: [account: string, count: number][] = [];
    let numbered = 0;
    // Effects of one order, and of one account, mostly follow each other.
    let order = '';
    let owner = '';
    for (const effect of entry.effects) {
      const { kind, account } = effect;
      const clientOrderId = orderOf(effect);
      if (clientOrderId !== null && (clientOrderId !== order || account !== owner)) {
        order = clientOrderId;
        owner = account;
        const key = orderKey(account, clientOrderId);
        if (!keys.includes(key)) keys.push(key);
      }
      if (kind === 'fill' || kind === 'funding') {
        const counted = items.find(([name]) => name === account);
        if (counted === undefined) items.push([account, 1]);
        else counted[1] += 1;
      }
      if (kind === 'fill' || kind === 'accepted') numbered += 1;
    }
    this.noted.push({ bytes, keys, items, numbered });
  }

  all(): DraftedEntries {
    return { noted: [...this.noted], bytes: this.noted.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Drops the oldest entries, once the index has them. */
  forget({ noted }: DraftedEntries): void {
    this.noted = this.noted.slice(noted.length);
  }
}

/**
 * Index data of the archive range that begins at `from`. @param before last number and history counts up to `from`
 */
export function draftedRange(
  { noted }: DraftedEntries,
  from: number,
  before: { readonly sequence: number; readonly histories: ReadonlyMap<string, number> },
): DraftedRange {
  const pairs: (readonly [key: number, at: number])[] = [];
  const histories: Record<string, { count: number; marks: number[] }> = {};
  let { sequence } = before;
  let at = from;
  for (const { bytes, keys, items, numbered } of noted) {
    for (const key of keys) pairs.push([key, at]);
    for (const [account, count] of items) {
      histories[account] ??= { count: before.histories.get(account) ?? 0, marks: [] };
      const history = histories[account];
      const marked = history.marks.at(-1);
      if (marked === undefined || at - marked >= MARK_EVERY_BYTES) history.marks.push(history.count, at);
      history.count += count;
    }
    sequence += numbered;
    at += bytes;
  }
  pairs.sort((a, b) => a[0] - b[0]);
  return { sequence, rows: Float64Array.from(pairs.flat()), histories };
}

/** The client order id that an effect is about. */
export function orderOf(effect: Effect): string | null {
  switch (effect.kind) {
    case 'accepted':
    case 'rejected':
      return effect.order.clientOrderId;
    case 'closed':
      return effect.clientOrderId;
    case 'fill':
      return effect.fill.clientOrderId;
    case 'opened':
    case 'reset':
    case 'leverage':
    case 'margin':
    case 'funding':
    case 'insured':
      return null;
  }
}
