/** Number of times that a basket was opened on this gateway, and number of its traders. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { Answer } from '../../../gateway/client/client.ts';
import { useAccount, useClient } from '../../api/session.ts';

export type BasketCount = Answer<'POST /markets/baskets/positions'>['counts'][number];

const ROUTE = 'POST /markets/baskets/positions';
const REFRESH_MS = 15_000;
/** Maximum number of keys in one request, set by the contract. */
const MOST_KEYS = 500;

type Counts = Answer<'POST /markets/baskets/positions'>;

/** Counts of all groups; the same map as long as no answer has changed. */
function countsByKey(answers: readonly UseQueryResult<Counts>[]): ReadonlyMap<string, BasketCount> {
  return new Map(
    answers.flatMap(({ data }) => data?.counts.map((count) => [count.basketKey, count] as const) ?? []),
  );
}

/** Keys split into groups of one request each. */
function requestsOf(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / MOST_KEYS) }, (_, index) =>
    keys.slice(index * MOST_KEYS, (index + 1) * MOST_KEYS),
  );
}

/** @param groups basket keys by page of rows, so that scrolling requests only the counts of new pages */
export function useBasketCounts(groups: readonly (readonly string[])[]): ReadonlyMap<string, BasketCount> {
  const client = useClient();
  const { connector } = useAccount();
  return useQueries({
    combine: countsByKey,
    queries: groups.flatMap(requestsOf).map((basketKeys) => ({
      queryKey: ['-', ROUTE, connector, basketKeys],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.call(ROUTE, { body: { basketKeys, connector: [connector] }, signal }),
      refetchInterval: REFRESH_MS,
      staleTime: REFRESH_MS,
    })),
  });
}
