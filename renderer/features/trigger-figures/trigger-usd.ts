/** Size of a trigger in USD. */
import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';

/** The gateway's total, or the sum of legs in USD; null: legs in quantities have no USD size before they are priced. */
export function triggerUsd({
  totalUsd,
  legs,
}: Pick<Row<'GET /triggers'>, 'totalUsd' | 'legs'>): string | null {
  if (totalUsd !== null) return totalUsd;
  if (legs.length === 0 || legs.some(({ mode }) => mode !== 'USD')) return null;
  return legs.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).toFixed();
}
