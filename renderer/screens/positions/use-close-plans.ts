/** Cost of closing each of several positions now, and of closing all of them. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useAccount, useClient } from '../../api/session.ts';
import { type ChangePlan, type ClosePlan, planQuery } from '../../features/change-plan/use-change-plan.ts';

/** Number of plans that refresh at the pace of a single one. More take longer. */
const AT_ONCE = 10;

/**
 * Plans for closing each position whole and by itself, in the order of the positions.
 * @param isAsked false: the plans read last stay
 */
export function useClosePlans(
  positionIds: readonly string[],
  isAsked: boolean,
): readonly ChangePlan<ClosePlan>[] {
  const account = useAccount();
  const client = useClient();
  return useQueries({
    queries: positionIds.map((id) => {
      const query = planQuery(client, account.id, 'POST /positions/{id}/close/plan', id, '{}');
      const refetchInterval = query.refetchInterval * Math.ceil(positionIds.length / AT_ONCE);
      return { ...query, refetchInterval, enabled: isAsked };
    }),
    combine: plansOf,
  });
}

type Read = Pick<UseQueryResult<ClosePlan>, 'data' | 'error' | 'failureCount' | 'isFetchedAfterMount'>;

/** A plan is outdated once a refresh fails, or if it was read before this view opened. */
const plansOf = (reads: readonly Read[]) =>
  reads.map(({ data, error, failureCount, isFetchedAfterMount }) => ({
    plan: data ?? null,
    isOld: data !== undefined && (error !== null || failureCount > 0 || !isFetchedAfterMount),
    error,
  }));
