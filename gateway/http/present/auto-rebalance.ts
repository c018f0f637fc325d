import type { z } from 'zod';
import { autoRebalance } from '../../contract/auto-rebalance.ts';
import { rebalancePlan } from '../../contract/rebalance.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import { pausedBy } from '../../domain/pause.ts';
import type { ShownRebalance } from '../../engine/resting/rebalances/plan-position.ts';
import { wireForm } from './wire-form.ts';

export function presentAutoRebalance(value: AutoRebalance): z.input<typeof autoRebalance> {
  // Every pause of it was requested.
  const pauseReason = value.status === 'PAUSED' ? 'USER' : null;
  return wireForm(autoRebalance, value, { pausedBy: pausedBy({ ...value, pauseReason }) });
}

export function presentRebalancePlan(value: ShownRebalance): z.input<typeof rebalancePlan> {
  const { positionId, mode, beta, plan, protection } = value;
  return {
    positionId,
    mode,
    beta,
    drift: plan.drift,
    legs: plan.rows.map((row) => wireForm(rebalancePlan.shape.legs.element, row, {})),
    protection: [...protection],
  };
}
