/** Effect of settling on a position, and the verb on its button. */
import Big from 'big.js';
import type { Answer } from '../../../gateway/client/client.ts';

export type SettlePlan = Answer<'POST /sync/positions/plan'>;
export type SettleChange = 'made' | 'enlarged' | 'reduced' | 'ended' | 'changed';

export function changeOf({
  positionId,
  status,
  legs,
}: Pick<SettlePlan, 'positionId' | 'status'> & {
  readonly legs: readonly Pick<SettlePlan['legs'][number], 'before' | 'after'>[];
}): SettleChange {
  if (status === 'CLOSED') return 'ended';
  if (positionId === null) return 'made';
  const ways = new Set(legs.map(({ before, after }) => new Big(after).cmp(before)));
  if (ways.has(1) && ways.has(-1)) return 'changed';
  return ways.has(-1) ? 'reduced' : 'enlarged';
}

export const SETTLE_VERBS: Readonly<Record<SettleChange, string>> = {
  made: 'Make a position',
  enlarged: 'Add to the position',
  reduced: 'Reduce the position',
  ended: 'End the position',
  changed: 'Change the position',
};
