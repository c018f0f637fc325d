/** Table properties of a list that is read page by page. */
import type { TableProps } from './table.tsx';

export interface PagedList {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(): Promise<unknown>;
}

export type PagedTable = Pick<TableProps<never>, 'error' | 'onRetry' | 'onReachEnd' | 'loadingMore'>;

export function pagedTable(list: PagedList): PagedTable {
  return {
    error: list.error,
    onRetry: () => void list.refetch(),
    onReachEnd: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    loadingMore: list.isFetchingNextPage,
  };
}
