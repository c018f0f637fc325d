/** Plan of the typed close, adjustment, reversal or brackets: read when typing pauses, and again every few seconds. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, Request, TandemClient } from '../../../gateway/client/client.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { useSettled } from '../settled-value/use-settled.ts';

const PAUSE_MS = 250;
const RENEW_MS = 3_000;

export type ClosePlan = Answer<'POST /positions/{id}/close/plan'>;
export type AdjustPlan = Answer<'POST /positions/{id}/adjust/plan'>;
export type ReversePlan = Answer<'POST /positions/{id}/reverse/plan'>;

interface PlanRoutes {
  'POST /positions/{id}/close/plan': ClosePlan;
  'POST /positions/{id}/adjust/plan': AdjustPlan;
  'POST /positions/{id}/reverse/plan': ReversePlan;
  'POST /positions/{id}/brackets/plan': Answer<'POST /positions/{id}/brackets/plan'>;
}

export interface ChangePlan<Plan> {
  readonly plan: Plan | null;
  /** True: the plan belongs to earlier input, or to an earlier moment. */
  readonly isOld: boolean;
  readonly error: unknown;
}

/** The read of one plan. @param text the body as JSON */
export function planQuery<Route extends keyof PlanRoutes>(
  client: TandemClient,
  accountId: string,
  route: Route,
  positionId: string,
  text: string | null,
) {
  return {
    queryKey: [accountId, route, positionId, text],
    refetchInterval: RENEW_MS,
    staleTime: 0,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      client.call(route, {
        params: { id: positionId },
        body: JSON.parse(text ?? '{}'),
        signal,
      } as never) as Promise<PlanRoutes[Route]>,
  };
}

/** @param body null: the input is not a valid request */
export function useChangePlan<Route extends keyof PlanRoutes>(
  route: Route,
  positionId: string,
  body: Request<Route>['body'] | null,
): ChangePlan<PlanRoutes[Route]> {
  const account = useAccount();
  const client = useClient();
  const text = body === null ? null : JSON.stringify(body);
  const asked = useSettled(text, PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    ...planQuery(client, account.id, route, positionId, asked),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  return {
    plan: text === null ? null : (data ?? null),
    isOld: text !== null && (text !== asked || isPlaceholderData),
    error: text === null ? null : error,
  };
}
