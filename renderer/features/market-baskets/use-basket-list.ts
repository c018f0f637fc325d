/**
 * `GET /markets/baskets` as a list of which only the visible pages are read, again every few seconds. The list has as
 * many rows as the venue has ordered pairs, so it is never read as a whole.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { materializedCount, pagesOf } from './basket-places.ts';

export type MarketBasket = Answer<'GET /markets/baskets'>['markets'][number];
export type Tradeability = MarketBasket['tradeability']['status'];
export type Scope = Tradeability | 'all';

export interface BasketFilter {
  readonly scope: Scope;
  /** Part of a ticker or id, or the legs of a basket: `SOL/ETH`; empty: all. */
  readonly search: string;
  /** A pair and its inverse are one row. */
  readonly isUnordered?: boolean;
}

const ROUTE = 'GET /markets/baskets';
const PAGE = 100;
const REFRESH_MS = 3_000;
const HEAD_PAGE = 200;

function useRequest({ scope, search, isUnordered = false }: BasketFilter) {
  const { connector } = useAccount();
  return useMemo(
    () => ({
      connector,
      scope,
      ...(search === '' ? {} : { search }),
      ...(isUnordered ? { pairs: 'UNORDERED' as const } : {}),
    }),
    [connector, scope, search, isUnordered],
  );
}

export interface MaterializedBaskets {
  /** Baskets that were opened or saved here, by volume. */
  readonly rows: readonly MarketBasket[];
  /** Number of rows in the whole list. */
  readonly count: number;
}

/**
 * The materialized baskets at the head of the list, read page after page up to the first generated pair.
 * @param refreshMs interval for the baskets' figures; longer where only names are shown, which change seldom
 */
export function useMaterializedBaskets(filter: BasketFilter, refreshMs = REFRESH_MS) {
  const client = useClient();
  const request = useRequest(filter);
  return useQuery({
    queryKey: [...queryKey(null, ROUTE, { query: request }), 'head'],
    queryFn: async ({ signal }): Promise<MaterializedBaskets> => {
      const rows: MarketBasket[] = [];
      for (;;) {
        const query = { ...request, limit: HEAD_PAGE, offset: String(rows.length) };
        const page = await client.call(ROUTE, { query, signal });
        rows.push(...page.markets);
        const materialized = materializedCount(rows, page.count);
        if (materialized !== null) return { rows: rows.slice(0, materialized), count: page.count };
        // The list became shorter between two pages, so this page is empty.
        if (page.markets.length === 0) return { rows, count: rows.length };
      }
    },
    refetchInterval: refreshMs,
    placeholderData: (previous) => previous,
  });
}

export interface BasketPages {
  /** The row at an index of the whole list; undefined until its page is read. */
  at(place: number): MarketBasket | undefined;
  /** The pages read so far. */
  readonly pages: readonly (readonly MarketBasket[])[];
  /** Error of a visible page without data; null: none failed. */
  readonly error: Error | null;
  retry(): void;
}

/** @param places indices of the visible rows, both inclusive */
export function useBasketPages(
  filter: BasketFilter,
  count: number,
  places: { readonly first: number; readonly last: number },
): BasketPages {
  const client = useClient();
  const request = useRequest(filter);
  const numbers = pagesOf(places, count, PAGE);
  const answers = useQueries({
    queries: numbers.map((page) => {
      const query = { ...request, limit: PAGE, offset: String(page * PAGE) };
      return {
        queryKey: queryKey(null, ROUTE, { query }),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => client.call(ROUTE, { query, signal }),
        refetchInterval: REFRESH_MS,
      };
    }),
  });
  const byPage = new Map(numbers.map((page, index) => [page, answers[index]?.data?.markets]));
  return {
    at: (place) => byPage.get(Math.floor(place / PAGE))?.[place % PAGE],
    pages: [...byPage.values()].flatMap((rows) => (rows === undefined ? [] : [rows])),
    error: answers.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of answers) if (error !== null) void refetch();
    },
  };
}
