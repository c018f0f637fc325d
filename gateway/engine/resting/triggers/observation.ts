/** Observations of pending triggers by the watcher; kept in memory, apart from the triggers' rows. */
import type { DecimalString } from '../../../domain/decimal.ts';
import { shownLevel, shownTrailing } from '../../../domain/trailing.ts';
import type { Bracket, Trigger } from '../../../domain/trigger.ts';
import type { SeenWindow } from './moving-levels.ts';

/** Facts about a pending trigger that only the watcher has, in memory. */
export interface Observation {
  readonly value: DecimalString | null;
  /** Window of a transformed ratio; null: none, or not known for this hour yet. */
  readonly window: SeenWindow | null;
  readonly at: number | null;
  /** Peak of a trailing bracket; null: trailing has not begun, or the trigger does not trail. */
  readonly peak: DecimalString | null;
  /** Level at which a bracket fires at the position's current size (`shownLevel`). */
  readonly level: DecimalString | null;
  /** Trailing at the current size (`shownTrailing`). */
  readonly trailingNow: Bracket['trailing'];
}

/** null: the trigger is not a bracket, or its record is not kept in memory. */
export function seenOfBracket(record: Trigger | null): Pick<Observation, 'peak' | 'level' | 'trailingNow'> {
  if (record === null || record.bracketType === null) return { peak: null, level: null, trailingNow: null };
  const { bracketType: kind, armed } = record;
  return { peak: armed.peak, level: shownLevel(kind, armed), trailingNow: shownTrailing(kind, armed) };
}

/** The trigger with its last observation, to be stored before watching ends. */
export function withSeen(trigger: Trigger, seen: Observation | undefined): Trigger {
  if (seen === undefined || seen.value === null) return trigger;
  return { ...trigger, lastValue: seen.value, lastCheckedAt: seen.at ?? trigger.lastCheckedAt };
}
