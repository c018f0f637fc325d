/** A trigger with a fill that was reported after its execution had ended. */
import { type FilledLeg, hasFilled } from './filled.ts';
import { moved, type Trigger } from './trigger.ts';

/** The trigger with fills that its execution had after it ended. A FAILED one holds nothing. */
export function fillTriggerLate(trigger: Trigger, filled: readonly FilledLeg[], now: number): Trigger {
  const after = { ...trigger, filled, updatedAt: now };
  if (trigger.bracketType !== null || !hasFilled(filled)) return after;
  const late = moved(after, 'fill_late', now, {});
  return late.ok ? late.value : after;
}
