/** Reasons why the plan of a rebalance skips a leg, in words. */
import type { Answer } from '../../../gateway/client/client.ts';

export type RebalancePlan = Answer<'POST /positions/{id}/rebalance/plan'>;

const SKIPS: Readonly<Record<string, string>> = {
  WITHIN_DRIFT: 'Near enough to its target',
  PRICE_STALE: 'Its price is stale',
  NOT_TRADABLE: 'Not tradable now',
  REDUCE_ONLY: 'Can only be reduced now',
  MAX_TRADE: 'Beyond the most to trade',
  ZERO_QUANTITY: 'Rounds to nothing',
  MIN_NOTIONAL: "Below the venue's minimum",
};

export function skipText(reason: string | null): string {
  return reason === null ? 'Left alone' : (SKIPS[reason] ?? reason);
}

/** Whether the plan would trade anything. */
export const tradesAnything = ({ legs }: RebalancePlan) => legs.some(({ skipped }) => !skipped);
