/**
 * What a venue answers to whoever only looks: within two seconds, or nothing. A page waits for it, and a venue that hangs must
 * not keep from sight what the gateway knows by itself.
 */
import type { Clock } from '../ports/system.ts';

const PATIENCE_MS = 2_000;

/** Venue → its questions under way: who looks every second does not ask one that hangs ten times over. */
const underWay = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * @param key of the question: equal ones are asked once at a time
 * @returns null: no answer yet. Rejects as `ask` does
 */
export async function soon<Value>(
  clock: Pick<Clock, 'after'>,
  venue: object,
  key: string,
  ask: () => Promise<Value>,
): Promise<Value | null> {
  const asked = underWay.get(venue) ?? new Map<string, Promise<unknown>>();
  underWay.set(venue, asked);
  const pending = (asked.get(key) as Promise<Value> | undefined) ?? ask().finally(() => asked.delete(key));
  asked.set(key, pending);
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(PATIENCE_MS, () => resolve(null));
  });
  return Promise.race([pending, late]).finally(() => cancel());
}
