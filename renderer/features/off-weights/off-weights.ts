/** Whether the legs of a position stand off the weights that it was asked for. */

import type { Row } from '../../../gateway/client/client.ts';
import { PERCENT_UNIT } from '../../components/format.ts';
import { NEW_REBALANCE } from '../rebalance-form/rebalance-draft.ts';

/** What a new automatic rebalance would act on. */
const USUAL_DRIFT = Number(NEW_REBALANCE.minimumDrift) / 100;

const MOST_NAMED = 3;

/**
 * `Off its weights: BTC 73.1 % (asked 50.0 %), ETH 26.9 % (asked 50.0 %)`: the legs that its rebalance, or the usual one,
 * would act on; null: none.
 */
export function offWeights({
  legs,
  autoRebalance,
}: Pick<Row<'GET /positions'>, 'legs' | 'autoRebalance'>): string | null {
  const most = autoRebalance?.mode === 'TARGET_WEIGHTS' ? Number(autoRebalance.minimumDrift) : USUAL_DRIFT;
  const off = legs.filter(
    ({ currentWeight, targetWeight }) => Math.abs(Number(currentWeight) - Number(targetWeight)) >= most,
  );
  if (off.length === 0) return null;
  const percent = (weight: string) => `${(Number(weight) * 100).toFixed(1)}${PERCENT_UNIT}`;
  const named = off
    .slice(0, MOST_NAMED)
    .map(
      ({ ticker, currentWeight, targetWeight }) =>
        `${ticker} ${percent(currentWeight)} (asked ${percent(targetWeight)})`,
    );
  const more = off.length > MOST_NAMED ? ` and ${off.length - MOST_NAMED} more` : '';
  return `Off its weights: ${named.join(', ')}${more}`;
}
