/**
 * Reads and writes as React hooks, by the name of their route and typed by the contract. The cache key of a read is
 * `[account id, route, request]`; api/invalidation.ts lists the events that trigger a new read.
 */
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type {
  Answer,
  PagedRoute,
  PlaceSettings,
  PlacingRoute,
  Request,
  RouteName,
  Row,
  TandemClient,
} from '../../gateway/client/client.ts';
import type { KindOf, Placed, RequestArguments } from '../../gateway/client/route-types.ts';
import { queries } from './client.ts';
import { useClient, useSession } from './session.ts';

export type ReadRoute = Extract<RouteName, `GET ${string}`>;
type PagedRead = Extract<PagedRoute, ReadRoute>;

export interface ReadOptions {
  /** False: the read is not sent yet. */
  readonly enabled?: boolean | undefined;
  /** Interval of re-reads without an event, ms. */
  readonly refetchEvery?: number | undefined;
  /** True: the answer does not depend on the trade account and is kept once for all. */
  readonly shared?: boolean | undefined;
  /** Time for which an answer counts as fresh, ms. Default 30 s; events make the answer stale at once. */
  readonly freshForMs?: number | undefined;
  /**
   * Keeps the answer of the previous request on the screen until the new request is answered: for filters and ranges.
   */
  readonly keepPrevious?: boolean | undefined;
}

/** Cache key of a read. */
export function queryKey<Name extends ReadRoute>(
  accountId: string | null,
  route: Name,
  request: Request<Name>,
) {
  return [accountId ?? '-', route, request] as const;
}

function useKey<Name extends ReadRoute>(route: Name, request: Request<Name>, shared: boolean) {
  const accountId = useSession((facts) => facts.accountId);
  return queryKey(shared ? null : accountId, route, request);
}

function settingsOf({ enabled = true, refetchEvery, freshForMs }: ReadOptions) {
  return {
    enabled,
    ...(refetchEvery === undefined ? {} : { refetchInterval: refetchEvery }),
    ...(freshForMs === undefined ? {} : { staleTime: freshForMs }),
  };
}

/** The arguments of `call` are a tuple that depends on the route, which a generic caller cannot spell out. */
function asArguments<Name extends RouteName>(request: object): RequestArguments<Name> {
  return [request] as unknown as RequestArguments<Name>;
}

/** One read: `useGet('GET /positions/{id}', { params: { id } })`. */
export function useGet<Name extends ReadRoute>(
  route: Name,
  request: Request<Name>,
  options: ReadOptions = {},
): UseQueryResult<Answer<Name>> {
  const client = useClient();
  const key = useKey(route, request, options.shared ?? false);
  return useRead(key, (signal) => client.call(route, ...asArguments<Name>({ ...request, signal })), options);
}

function useRead<Data>(
  queryKey: readonly unknown[],
  read: (signal: AbortSignal) => Promise<Data>,
  options: ReadOptions,
): UseQueryResult<Data> {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    ...settingsOf(options),
    ...(options.keepPrevious === true
      ? { placeholderData: (previous: Data | undefined) => previous as never }
      : {}),
  }) as UseQueryResult<Data>;
}

/** All rows of a list, through its pages to the end. For lists that are short by nature. */
export function useAllRows<Name extends PagedRead>(
  route: Name,
  request: Request<Name>,
  options: ReadOptions = {},
): UseQueryResult<Row<Name>[]> {
  const client = useClient();
  const key = useKey(route, request, options.shared ?? false);
  const read = async (signal: AbortSignal) => {
    const rows: Row<Name>[] = [];
    for await (const row of client.rows(route, ...asArguments<Name>({ ...request, signal }))) rows.push(row);
    return rows;
  };
  return useRead([...key, 'all'], read, options);
}

/** One function for all renders, so that the rows keep their identity while no page changed. */
const rowsOfPages = ({ pages }: InfiniteData<object>) =>
  pages.flatMap((page) => Object.values(page).find(Array.isArray) ?? []);

function usePageReads<Name extends PagedRead, Data>(
  route: Name,
  request: Request<Name>,
  options: ReadOptions,
  select: (read: InfiniteData<object>) => Data,
): UseInfiniteQueryResult<Data> {
  const client = useClient();
  const key = useKey(route, request, options.shared ?? false);
  return useInfiniteQuery({
    queryKey: [...key, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const query = pageParam === undefined ? request.query : { ...request.query, cursor: pageParam };
      return client.call(route, ...asArguments<Name>({ ...request, query, signal })) as Promise<object>;
    },
    getNextPageParam: (page) => (page as { readonly nextCursor?: string }).nextCursor,
    select,
    ...settingsOf(options),
  });
}

/**
 * Rows of a long list, read page by page: `fetchNextPage` until `hasNextPage` is false, which is when `nextCursor` is
 * absent.
 */
export function usePages<Name extends PagedRead>(
  route: Name,
  request: Request<Name>,
  options: ReadOptions = {},
): UseInfiniteQueryResult<Row<Name>[]> {
  return usePageReads(route, request, options, rowsOfPages as (read: InfiniteData<object>) => Row<Name>[]);
}

const firstOfPages = ({ pages }: InfiniteData<object>) => pages[0];

/**
 * First page of a list that `usePages` reads with the same request, from the same cache. For totals over all rows in an
 * answer, so that they always match the shown rows.
 */
export function useFirstPage<Name extends PagedRead>(
  route: Name,
  request: Request<Name>,
  options: ReadOptions = {},
): Answer<Name> | undefined {
  return usePageReads(route, request, options, firstOfPages).data as Answer<Name> | undefined;
}

/** Position lists, which `GET /portfolio` includes too (`account-now.ts`): a change of one makes both stale. */
const HELD: readonly ReadRoute[] = ['GET /positions', 'GET /positions/unassigned'];

/** Re-reads the routes that a change has made stale, on every screen that shows them. */
export function readAnew(...routes: readonly ReadRoute[]): Promise<void> {
  const stale = new Set<unknown>(routes);
  if (HELD.some((one) => stale.has(one))) stale.add('GET /portfolio');
  return queries.invalidateQueries({ predicate: ({ queryKey: key }) => stale.has(key[1]) });
}

/** Cancels running reads of a route before its resource ends: a late answer would say that there is none. */
export function stopReading(route: ReadRoute): Promise<void> {
  return queries.cancelQueries({ predicate: ({ queryKey: key }) => key[1] === route });
}

type WriteRoute = Exclude<RouteName, ReadRoute>;

export interface WriteOptions<Name extends RouteName> {
  /** Reads that the write makes stale, besides those that events name. */
  readonly changes?: readonly ReadRoute[];
  readonly onDone?: (answer: Answer<Name>) => void;
}

/**
 * One write that may be refused without harm: `const rename = useSend('PATCH /saved-baskets/{id}')`. Orders:
 * `usePlace`.
 */
export function useSend<Name extends WriteRoute>(
  route: Name,
  options: WriteOptions<Name> = {},
): UseMutationResult<Answer<Name>, Error, Request<Name>> {
  const client = useClient();
  return useMutation<Answer<Name>, Error, Request<Name>>({
    mutationFn: (request) => client.call(route, ...asArguments<Name>(request)),
    onSuccess: async (answer) => {
      options.onDone?.(answer);
      await readAnew(...(options.changes ?? []));
    },
  });
}

type PlaceRequest<Name extends PlacingRoute, Kind> = Parameters<TandemClient['place']>[1] &
  Omit<Request<Name>, 'idempotencyKey'> &
  PlaceSettings & { readonly body?: { readonly type?: Kind } };

/**
 * An order, placed exactly once even if an answer is lost (`client.place`). Its answer is an acceptance, not a fill.
 */
export function usePlace<Name extends PlacingRoute, Kind extends KindOf<Name>>(
  route: Name,
): UseMutationResult<Placed<Name, Kind>, Error, PlaceRequest<Name, Kind>> {
  const client = useClient();
  return useMutation<Placed<Name, Kind>, Error, PlaceRequest<Name, Kind>>({
    mutationFn: (request) => client.place<Name, Kind>(route, request as never),
  });
}
