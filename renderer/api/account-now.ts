/**
 * The account's present figures, PnL of the UTC day and, while a screen shows them, its holdings. One answer serves the
 * whole page, so that rows and sums agree.
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
/** Interval while a screen shows rows at the mark price. */
const ROWS_EVERY_MS = 1_000;

type AccountNow = Answer<'GET /portfolio'>;
export type Holdings = NonNullable<AccountNow['holdings']>;

/** Number of mounted views that show holdings. Their long lists are read only while it is above 0. */
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
    // The key leaves the day out: the last answer stays on the screen until the first answer of a new day.
    queryKey: queryKey(accountId, 'GET /portfolio', { query: { includeDay: true } }),
    queryFn: async ({ signal }) => {
      const read = (includeHoldings: boolean) =>
        client.call('GET /portfolio', { query: { startDate, includeDay: true, includeHoldings }, signal });
      const isLookedAt = lookers > 0;
      const answer = await read(isLookedAt);
      // A view that opened during this read shares its answer, which then has to include the holdings.
      return isLookedAt || lookers === 0 ? answer : read(true);
    },
    refetchInterval: ({ state }) => {
      const held = state.data?.holdings;
      return held === undefined || isEmpty(held) ? EVERY_MS : ROWS_EVERY_MS;
    },
  });
}

/** Holdings, in baskets and outside, with the account's figures from the same answer; undefined until it came. */
export function useHoldings() {
  const { data, error, refetch, dataUpdatedAt } = useAccountNow();
  const begin = useEffectEvent(() => {
    // A read that is under way may have been sent without holdings.
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
