/** What is known of a trigger that waits, beside its row. */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { Trigger } from '../../../domain/trigger.ts';

/** What a watcher has in memory beyond the trigger's row. */
export interface Observation {
  readonly value: DecimalString | null;
  readonly at: number | null;
  /** Of a trailing bracket; null before it began and without trailing. */
  readonly peak: DecimalString | null;
}

/** The trigger with what was seen last: kept where nobody looks for a while. */
export function withSeen(trigger: Trigger, seen: Observation | undefined): Trigger {
  if (seen === undefined || seen.value === null) return trigger;
  return { ...trigger, lastValue: seen.value, lastCheckedAt: seen.at ?? trigger.lastCheckedAt };
}
