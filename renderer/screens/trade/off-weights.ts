/** Whether the legs of a position stand off the weights that it was asked for. */
import { PERCENT_UNIT } from '../../components/format.ts';
import { NEW_REBALANCE } from '../../features/rebalance-form/rebalance-draft.ts';
import type { HeldPosition } from './chart-lines.ts';

/** What a new automatic rebalance would act on. */
const USUAL_DRIFT = Number(NEW_REBALANCE.minimumDrift) / 100;

/** `Legs now 73 / 27 %, asked for 50 / 50 %`; null: they are as near to it as its rebalance, or the usual one, leaves them. */
export function offWeights({
  legs,
  autoRebalance,
}: Pick<HeldPosition, 'legs' | 'autoRebalance'>): string | null {
  const drift = Math.max(
    ...legs.map(({ currentWeight, targetWeight }) => Math.abs(Number(currentWeight) - Number(targetWeight))),
  );
  const most = autoRebalance?.mode === 'TARGET_WEIGHTS' ? Number(autoRebalance.minimumDrift) : USUAL_DRIFT;
  if (drift < most) return null;
  const percents = (weights: readonly string[]) =>
    `${weights.map((weight) => (Number(weight) * 100).toFixed(0)).join(' / ')}${PERCENT_UNIT}`;
  const now = percents(legs.map(({ currentWeight }) => currentWeight));
  return `Legs now ${now}, asked for ${percents(legs.map(({ targetWeight }) => targetWeight))}`;
}
