/** Notes on a trigger whose condition was met while nothing could be opened. It stays ACTIVE. */
import type { DecimalString } from './decimal.ts';
import type { Trigger } from './trigger.ts';

const WAITS_AGAIN = 'It no longer held afterwards: the trigger waits for its condition again';

/** Notes that a trigger was met at `value` while nothing could be opened, for the reason `why`. */
export function notPlaced(trigger: Trigger, value: DecimalString, why: string, now: number): Trigger {
  const error = `Met at ${value} but not placed: ${why}`;
  return { ...trigger, lastValue: value, lastCheckedAt: now, error, updatedAt: now };
}

/** Notes that the condition no longer holds that was met while the trigger could not be placed. */
export function waitsAgain(trigger: Trigger, now: number): Trigger {
  return { ...trigger, error: `${trigger.error ?? 'Not placed'}. ${WAITS_AGAIN}`, updatedAt: now };
}
