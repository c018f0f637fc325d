/** Dry run of the typed order: requested when typing pauses, and again every few seconds, because prices move. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type Big from 'big.js';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { useAccount, useClient } from '../../api/session.ts';
import type { Basket } from '../../features/basket/basket.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import type { Protection } from '../../features/protection/protection.tsx';
import { useSettled } from '../../features/settled-value/use-settled.ts';
import type { Plan } from './chart-lines.ts';
import { largestOrder } from './sizing.ts';
import { dryRunBody, type TicketDraft } from './ticket.ts';

const PAUSE_MS = 350;
const RENEW_MS = 5_000;
const NO_ISSUES: readonly FieldIssue[] = [];
const NONE: readonly Protection[] = [];

export interface PlanRead {
  readonly plan: Plan | null;
  /** Protection of the position after the plan; empty without a plan. */
  readonly protection: readonly Protection[];
  /** The plan belongs to an earlier draft. */
  readonly isOld: boolean;
  /** The gateway's refusals of the draft, by field. */
  readonly issues: readonly FieldIssue[];
  /** Any other error. */
  readonly error: unknown;
}

/** @param isOn false: no dry run, because the basket cannot be traded */
export function usePlan(basket: Basket, ticket: TicketDraft, isOn: boolean): PlanRead {
  const account = useAccount();
  const client = useClient();
  const body = isOn ? dryRunBody(basket, ticket) : null;
  const text = body === null ? null : JSON.stringify(body);
  const asked = useSettled(text, PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [account.id, 'dry run', asked],
    enabled: asked !== null,
    refetchInterval: RENEW_MS,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (asked === null) return null;
      const answer = await client.call('POST /trade/open', { body: JSON.parse(asked), signal });
      return 'plan' in answer ? answer : null;
    },
  });
  const isRefused = error instanceof ValidationFailed;
  return {
    plan: text === null ? null : (data?.plan ?? null),
    protection: text === null ? NONE : (data?.protection ?? NONE),
    isOld: text !== null && (text !== asked || isPlaceholderData),
    issues: isRefused && text === asked ? error.fields : NO_ISSUES,
    error: isRefused ? null : error,
  };
}

/** Size of the dry run while none is typed: only its costs per dollar are used. */
const PROBE_USD = '1000';

export interface SizeBasis {
  /** Largest order that the free margin allows, USD; null: not known. */
  readonly largest: Big | null;
  /** Plan with these figures, of the draft or of the probe: prices, margin, fees; null: not known. */
  readonly plan: Plan | null;
}

/** Plan for measuring sizes, also while none is typed. */
export function useSizeBasis(
  basket: Basket,
  ticket: TicketDraft,
  { plan }: PlanRead,
  isOn: boolean,
): SizeBasis {
  const largest = largestOrder(basket, plan);
  const probe = usePlan(basket, { ...ticket, notional: PROBE_USD }, isOn && largest === null);
  if (largest !== null) return { largest, plan };
  return { largest: largestOrder(basket, probe.plan), plan: probe.plan };
}
