/** Table properties of lists. */
import type { TableProps } from './table.tsx';

export interface PagedList<Row> {
  readonly data: readonly Row[] | undefined;
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(): Promise<unknown>;
}

export type PagedTable<Row> = Pick<
  TableProps<Row>,
  'rows' | 'error' | 'onRetry' | 'onReachEnd' | 'loadingMore'
>;

/** Table properties of a list that is read at once. */
export function readTable<Row>(
  { error, refetch }: { readonly error: unknown; refetch(): unknown },
  rows: readonly Row[] | undefined,
) {
  return { rows, error, onRetry: () => void refetch() };
}

/** Table properties of a list that is read page by page. */
export function pagedTable<Row>(list: PagedList<Row>): PagedTable<Row> {
  const { error, hasNextPage, isFetchingNextPage } = list;
  // A read during another would start again; one after a failure would fail again at once, for ever.
  const canGoOn = hasNextPage && !isFetchingNextPage && error === null;
  return {
    rows: list.data,
    error,
    onRetry: () => void list.refetch(),
    onReachEnd: canGoOn ? () => void list.fetchNextPage() : undefined,
    loadingMore: isFetchingNextPage,
  };
}
