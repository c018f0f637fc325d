/**
 * Lists that the gateway answers in pages by offset: the pages that a window of rows needs, and the index of a pair
 * in the list.
 */
import { isPair } from '../../../gateway/domain/condition-table.ts';

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
 * Number of baskets that were opened or saved here, which begin the list; generated pairs follow to its end.
 * @param head rows from the first on
 * @returns null while the head holds only opened or saved baskets and is not the whole list
 */
export function materializedCount(head: readonly Listed[], count: number): number | null {
  const first = head.findIndex((row) => !row.hasMaterializedStats);
  if (first >= 0) return first;
  return head.length >= count ? head.length : null;
}

/** Indices of the pairs in the list: pairs among the materialized baskets, then every row after these baskets. */
export interface PairPlaces {
  readonly count: number;
  /** Index of a row's pair in the gateway's list. */
  placeOf(row: number): number;
}

export function pairPlaces(materialized: readonly Listed[], count: number): PairPlaces {
  const among = materialized.flatMap((row, place) => (isPair(row.legs) ? [place] : []));
  return {
    count: among.length + Math.max(0, count - materialized.length),
    placeOf: (row) => among[row] ?? materialized.length + row - among.length,
  };
}
