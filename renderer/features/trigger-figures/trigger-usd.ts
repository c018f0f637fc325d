/** What a trigger comes to in USD. */
import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';

/** The gateway's sum, or that of legs in USD; null: legs in quantities come to what their prices will be. */
export function triggerUsd({
  totalUsd,
  legs,
}: Pick<Row<'GET /triggers'>, 'totalUsd' | 'legs'>): string | null {
  if (totalUsd !== null) return totalUsd;
  if (legs.length === 0 || legs.some(({ mode }) => mode !== 'USD')) return null;
  return legs.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).toFixed();
}
