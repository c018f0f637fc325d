/** Legs of a position that are off their target weights, in words. */

import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';
import { PERCENT_UNIT } from '../../components/format.ts';
import { NEW_REBALANCE } from '../rebalance-form/rebalance-draft.ts';

/** Drift at which a new automatic rebalance would act, a fraction. */
const USUAL_DRIFT = Number(NEW_REBALANCE.minimumDrift) / 100;

const MOST_NAMED = 3;

type Weighted = Pick<Row<'GET /positions'>, 'legs' | 'autoRebalance'>;

/** Legs whose drift its automatic rebalance, or a new one, would act on. */
function legsOff({ legs, autoRebalance }: Weighted): Weighted['legs'] {
  const most = autoRebalance?.mode === 'TARGET_WEIGHTS' ? Number(autoRebalance.minimumDrift) : USUAL_DRIFT;
  return legs.filter(
    ({ currentWeight, targetWeight }) => Math.abs(Number(currentWeight) - Number(targetWeight)) >= most,
  );
}

/** `off weights by 23 %`: percentage points of the leg that is farthest off; null: none is off. */
export function offBy(position: Weighted): string | null {
  const points = legsOff(position)
    .map(({ currentWeight, targetWeight }) => new Big(currentWeight).minus(targetWeight).abs())
    .sort((one, other) => other.cmp(one))[0];
  return points === undefined ? null : `off weights by ${points.times(100).toFixed(0)}${PERCENT_UNIT}`;
}

/** `Off its weights: BTC 73.1 % (asked 50.0 %), ETH 26.9 % (asked 50.0 %)`; null: none is off. */
export function offWeights(position: Weighted): string | null {
  const off = legsOff(position);
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
