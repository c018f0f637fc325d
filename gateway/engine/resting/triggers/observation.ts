/** What the watcher has observed of waiting triggers; kept in memory, apart from the triggers' rows. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Trigger } from '../../../domain/trigger.ts';
import type { SeenWindow } from './moving-levels.ts';

/** Facts about a waiting trigger that the watcher has in memory beyond the trigger's row. */
export interface Observation {
  readonly value: DecimalString | null;
  /** Window of a transformed ratio; null: none, or not known for this hour yet. */
  readonly window: SeenWindow | null;
  readonly at: number | null;
  /** Peak of a trailing bracket; null: trailing has not begun, or the trigger does not trail. */
  readonly peak: DecimalString | null;
}

/** The trigger with its last observation, to be stored before the trigger is no longer watched. */
export function withSeen(trigger: Trigger, seen: Observation | undefined): Trigger {
  if (seen === undefined || seen.value === null) return trigger;
  return { ...trigger, lastValue: seen.value, lastCheckedAt: seen.at ?? trigger.lastCheckedAt };
}
