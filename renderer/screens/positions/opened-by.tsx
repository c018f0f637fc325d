/** Placer of a position's first order, and the agent or program that acted for them. */
import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Execution, TandemClient } from '../../../gateway/client/client.ts';
import { queries } from '../../api/client.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { NoFigure } from '../../components/amount.tsx';
import type { Column } from '../../components/table-column.ts';
import { PlacedBy, placerText } from '../../features/placed-by/placed-by.tsx';
import { fewAtOnce } from './few-at-once.ts';
import { ORIGINS } from './timeline.ts';
import type { Position } from './use-position-data.ts';

type Opening = Pick<Execution, 'authority' | 'origin'>;

const FRESH_MS = 30_000;
/** Number of old openings read at once: a filter requests those of all rows. */
const AT_ONCE = 4;
const inTurn = fewAtOnce(AT_ONCE);
const LATELY = { query: { limit: 200, includeSchedule: 'true', includeTriggers: 'true' } } as const;

/**
 * Finds the opening of a position. One page of executions has recent openings for all rows; the first fill leads to an
 * older one. An opening never changes, so it is kept for good.
 */
async function openingOf(
  client: TandemClient,
  accountId: string,
  positionId: string,
  signal: AbortSignal,
): Promise<Opening | null> {
  const { executions } = await queries.fetchQuery({
    queryKey: queryKey(accountId, 'GET /executions', LATELY),
    // Signing out aborts the read: nothing is requested without a session.
    queryFn: (asked) => client.call('GET /executions', { ...LATELY, signal: asked.signal }),
    staleTime: FRESH_MS,
  });
  const listed = executions.findLast((one) => one.positionId === positionId && one.intent === 'OPEN');
  if (listed !== undefined) return listed;
  return inTurn(async () => {
    let first: string | null = null;
    for await (const { executionId } of client.rows('GET /fills/{positionId}', {
      params: { positionId },
      signal,
    }))
      first = executionId;
    if (first === null) return null;
    return (await client.call('GET /executions/{id}', { params: { id: first }, signal })).execution;
  });
}

const PAST = 'outside Tandem';

function openingQuery(client: TandemClient, accountId: string, positionId: string) {
  return queryOptions({
    queryKey: [accountId, 'opening', positionId],
    queryFn: ({ signal }) => openingOf(client, accountId, positionId, signal),
    gcTime: Number.POSITIVE_INFINITY,
    // The first fill may still arrive.
    staleTime: ({ state }) => (state.data == null ? FRESH_MS : Number.POSITIVE_INFINITY),
  });
}

function useOpening(positionId: string) {
  return useQuery(openingQuery(useClient(), useAccount().id, positionId));
}

/**
 * Opener of each position, as shown: `You`, `Agent Claude`. Unknown and unreadable ones are left out.
 * @param ids null: nothing is requested
 */
export function useOpeners(ids: readonly string[] | null): ReadonlyMap<string, string> {
  const client = useClient();
  const { id: accountId } = useAccount();
  const openers = useQueries({
    queries: (ids ?? []).map((id) => openingQuery(client, accountId, id)),
    combine: openersOf,
  });
  return useMemo(() => {
    const known = (ids ?? []).map((id, index) => [id, openers[index]] as const);
    return new Map(known.flatMap(([id, opener]) => (opener == null ? [] : [[id, opener] as const])));
  }, [openers, ids]);
}

/** null: not known. */
const openersOf = (reads: readonly Pick<UseQueryResult<Opening | null>, 'data'>[]) =>
  reads.map(({ data }) => (data === undefined ? null : data === null ? PAST : placerText(data.authority)));

export function OpenedBy({ id, isBrief = false }: { readonly id: string; readonly isBrief?: boolean }) {
  const { data, error } = useOpening(id);
  if (data === undefined) return error === null ? null : <NoFigure />;
  if (data === null) return <NoFigure why="Its first trade was made outside Tandem" />;
  return (
    <>
      <PlacedBy authority={data.authority} />
      {!isBrief && <small>{ORIGINS[data.origin]}</small>}
    </>
  );
}

export const OPENED_BY: Column<Position> = {
  id: 'opener',
  header: 'Opened by',
  width: 110,
  onCards: 'NOTHING',
  cell: ({ id }) => <OpenedBy id={id} isBrief />,
};
