/** Lists of which the gateway answers a page at an offset: which pages a window of rows needs, and where a row stands. */
import { isPair } from '../pair/is-pair.ts';

/** Numbers of the pages that hold rows `first` to `last` (both inclusive), of a list of `count` rows. */
export function pagesOf(
  window: { readonly first: number; readonly last: number },
  count: number,
  pageSize: number,
): readonly number[] {
  const first = Math.max(0, window.first);
  const last = Math.min(window.last, count - 1);
  const pages: number[] = [];
  for (let page = Math.floor(first / pageSize); page * pageSize <= last; page += 1) pages.push(page);
  return pages;
}

interface Listed {
  readonly hasMaterializedStats: boolean;
  readonly legs: readonly { readonly side: 'BUY' | 'SELL' }[];
}

/**
 * The list begins with the baskets that were opened or saved here; generated pairs follow to its end.
 * @param head rows from the first on
 * @returns how many were opened or saved; null while the head holds nothing else and is not the whole list
 */
export function materializedCount(head: readonly Listed[], count: number): number | null {
  const first = head.findIndex((row) => !row.hasMaterializedStats);
  if (first >= 0) return first;
  return head.length >= count ? head.length : null;
}

/** Places in the list that are pairs: those among the materialized, then everything after them. */
export interface PairPlaces {
  readonly count: number;
  /** Place in the gateway's list of the pair in this row. */
  placeOf(row: number): number;
}

export function pairPlaces(materialized: readonly Listed[], count: number): PairPlaces {
  const among = materialized.flatMap((row, place) => (isPair(row.legs) ? [place] : []));
  return {
    count: among.length + Math.max(0, count - materialized.length),
    placeOf: (row) => among[row] ?? materialized.length + row - among.length,
  };
}
