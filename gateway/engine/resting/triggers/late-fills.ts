/** Late fills, reported after their execution's end, in the record of the trigger or rung that sent the order. */
import { lessUnwound, withFill } from '../../../domain/filled.ts';
import { isApart } from '../../../domain/ladder.ts';
import { fillTriggerLate } from '../../../domain/late-fill.ts';
import type { Execution } from '../../../domain/model.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type FollowUp, type OnFilledLate, together } from '../../core/follow-ups.ts';
import type { TriggerParts } from './trigger-parts.ts';

const ORIGINS: readonly Execution['origin'][] = ['TRIGGER', 'LADDER', 'BRACKET'];

/** Books late fills. To be registered with `FollowUps`. */
export function followLateFills(
  deps: Pick<EngineDeps, 'store' | 'clock'>,
  { live, ladders, changes }: Pick<TriggerParts, 'live' | 'ladders' | 'changes'>,
): OnFilledLate {
  return async (execution, fill, position): Promise<FollowUp | null> => {
    if (!ORIGINS.includes(execution.origin)) return null;
    const { store, clock } = deps;
    const own = await store.triggerOfExecution(execution);
    const { parentId } = execution;
    // A late fill of an unwind is no longer held.
    const stored =
      own ?? (parentId === null ? null : await store.triggerOfExecution({ ...execution, id: parentId }));
    if (stored === null) return null;
    const known = live.get(stored.id)?.record ?? null;
    // A bracket that is still active ends with the position that the fill has closed, in the same unit.
    if (known !== null && known.bracketType !== null && position === null) return null;
    const trigger = known ?? stored;
    const filled =
      own === null
        ? lessUnwound(trigger.filled, [{ symbol: fill.symbol, filledQuantity: fill.quantity }])
        : withFill(trigger.filled, fill);
    const after = fillTriggerLate(trigger, filled, clock.now());
    return together([
      changes.noted(after),
      ladders.rungMoves(after),
      isApart(after) ? ladders.endedApart(after) : null,
    ]);
  };
}
