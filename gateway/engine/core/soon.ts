/**
 * Limits a venue's answer to a read-only request to two seconds. A page waits for it, and a hanging venue must not hide
 * what the gateway itself knows.
 */
import type { Clock } from '../ports/system.ts';

const PATIENCE_MS = 2_000;

/** Venue → number of its hanging requests by key. A page that polls every second does not repeat one that hangs. */
const hanging = new WeakMap<object, Map<string, number>>();

/**
 * Asks once per caller: an answer to a request made before the caller's own action would not include that action. While
 * a request hangs, no other with its key is made, and its late answer is dropped as outdated.
 * @param key of the request: equal ones hang together
 * @returns null: no answer yet. Rejects as `ask` does
 */
export async function soon<Value>(
  clock: Pick<Clock, 'after'>,
  venue: object,
  key: string,
  ask: () => Promise<Value>,
): Promise<Value | null> {
  const late = hanging.get(venue) ?? new Map<string, number>();
  hanging.set(venue, late);
  if (late.has(key)) return null;
  const change = (by: number) => {
    const count = (late.get(key) ?? 0) + by;
    if (count === 0) late.delete(key);
    else late.set(key, count);
  };
  const asked = ask();
  return new Promise<Value | null>((resolve, reject) => {
    let isLate = false;
    const cancel = clock.after(PATIENCE_MS, () => {
      isLate = true;
      change(1);
      resolve(null);
    });
    const end = () => (isLate ? change(-1) : cancel());
    asked.finally(end).then(resolve, reject);
  });
}
