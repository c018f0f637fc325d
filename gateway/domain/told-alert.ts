/** The end of an alert. */
import type { DecimalString } from './decimal.ts';
import type { Result } from './result.ts';
import type { IllegalTransition } from './transition.ts';
import { moved, type Trigger } from './trigger.ts';

/** Ends an alert whose condition was met at `value`: reported and ended in one step, so that it is sent once. */
export function tellAlert(
  alert: Trigger,
  value: DecimalString,
  now: number,
): Result<Trigger, IllegalTransition> {
  const met = moved(alert, 'fire', now, { lastValue: value, lastCheckedAt: now, triggeredAt: now });
  return met.ok ? moved(met.value, 'complete', now, {}) : met;
}
