/**
 * The account's present figures, PnL of the UTC day and, while a screen shows them, all that it holds: one answer of one
 * moment for every place of the page, so that rows and sums agree.
 */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Answer } from '../../gateway/client/client.ts';
import { useNow } from './clock.ts';
import { queryKey } from './queries.ts';
import { useClient, useSession } from './session.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Interval of the read: equity moves with the market. */
const EVERY_MS = 5_000;
/** The same while rows at the mark price are looked at. */
const ROWS_EVERY_MS = 1_000;

type AccountNow = Answer<'GET /portfolio'>;
export type Holdings = NonNullable<AccountNow['holdings']>;

/** How many places show what the account holds. Long lists of it are not read for nobody. */
let lookers = 0;

/** UTC day, by which the gateway counts: `2026-11-21`. */
function useToday(): string {
  const now = useNow(MINUTE_MS);
  return new Date(now - (now % DAY_MS)).toISOString().slice(0, 10);
}

function isEmpty({ positions, unassigned }: Holdings): boolean {
  return positions.length + unassigned.length === 0;
}

export function useAccountNow(): UseQueryResult<AccountNow> {
  const client = useClient();
  const accountId = useSession((facts) => facts.accountId);
  const startDate = useToday();
  return useQuery({
    // Without the day: what was read last stands until the first answer of a new one.
    queryKey: queryKey(accountId, 'GET /portfolio', { query: { includeDay: true } }),
    queryFn: async ({ signal }) => {
      const read = (includeHoldings: boolean) =>
        client.call('GET /portfolio', { query: { startDate, includeDay: true, includeHoldings }, signal });
      const isLookedAt = lookers > 0;
      const answer = await read(isLookedAt);
      // Whoever began to look meanwhile was given this read.
      return isLookedAt || lookers === 0 ? answer : read(true);
    },
    refetchInterval: ({ state }) => {
      const held = state.data?.holdings;
      return held === undefined || isEmpty(held) ? EVERY_MS : ROWS_EVERY_MS;
    },
  });
}

/** What the account holds, in baskets and in none, with its figures of the same moment; undefined until it is read. */
export function useHoldings() {
  const { data, error, refetch, dataUpdatedAt } = useAccountNow();
  const begin = useEffectEvent(() => {
    // What is under way may be without the rows.
    if (lookers === 1 && data?.holdings === undefined) void refetch();
  });
  useEffect(() => {
    lookers += 1;
    begin();
    return () => {
      lookers -= 1;
    };
  }, []);
  return { now: data, holdings: data?.holdings, error, refetch, readAt: dataUpdatedAt };
}
