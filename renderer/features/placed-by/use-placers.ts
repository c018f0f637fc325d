/** Placers of the executions in a list. */
import { useEffect, useMemo } from 'react';
import { usePages } from '../../api/queries.ts';
import type { Authority } from './placed-by.tsx';

const PAGE = 200;

/**
 * Placer by execution id, for all executions that these rows may belong to.
 * @param rows newest first
 */
export function usePlacers(
  rows: readonly { readonly executionId: string | null }[] | undefined,
): ReadonlyMap<string, Authority> {
  const query = { limit: PAGE, includeSchedule: 'true', includeTriggers: 'true' } as const;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages('GET /executions', {
    query,
  });
  // Executions come newest first, and an execution is only moments older than its fills.
  const oldest = rows?.findLast(({ executionId }) => executionId !== null);
  const isKnown = oldest === undefined || data?.some(({ id }) => id === oldest.executionId) === true;
  useEffect(() => {
    if (!isKnown && hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [isKnown, hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  return useMemo(() => new Map(data?.map(({ id, authority }) => [id, authority])), [data]);
}
