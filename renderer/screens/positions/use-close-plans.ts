/** What closing each of several positions would cost now, and all of them. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useAccount, useClient } from '../../api/session.ts';
import { type ChangePlan, type ClosePlan, planQuery } from '../../features/change-plan/use-change-plan.ts';

/** As many are asked anew at the pace of a single one; more take their time. */
const AT_ONCE = 10;

/**
 * Plans of closing each whole, in the order of the positions, each as if it were closed alone.
 * @param isAsked false: those that were read last stay
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

/** A plan is old from the first question that fails on, and where it was read when it was asked about before. */
const plansOf = (reads: readonly Read[]) =>
  reads.map(({ data, error, failureCount, isFetchedAfterMount }) => ({
    plan: data ?? null,
    isOld: data !== undefined && (error !== null || failureCount > 0 || !isFetchedAfterMount),
    error,
  }));
