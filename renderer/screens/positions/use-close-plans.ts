/** What closing each of several positions would cost now, and all of them. */
import { useQueries } from '@tanstack/react-query';
import { useAccount, useClient } from '../../api/session.ts';
import { type ClosePlan, planQuery } from './use-change-plan.ts';

/** As many are asked anew at the pace of a single one; more take their time. */
const AT_ONCE = 10;

/**
 * Plans of closing each whole, in the order of the positions, each as if it were closed alone; null: not known.
 * @param isAsked false: those that were read last stay
 */
export function useClosePlans(
  positionIds: readonly string[],
  isAsked: boolean,
): readonly (ClosePlan | null)[] {
  const account = useAccount();
  const client = useClient();
  return useQueries({
    queries: positionIds.map((id) => {
      const query = planQuery(client, account.id, 'POST /positions/{id}/close/plan', id, '{}');
      const refetchInterval = query.refetchInterval * Math.ceil(positionIds.length / AT_ONCE);
      return { ...query, refetchInterval, enabled: isAsked };
    }),
    combine: planOf,
  });
}

const planOf = (reads: readonly { readonly data: ClosePlan | undefined }[]) =>
  reads.map(({ data }) => data ?? null);
