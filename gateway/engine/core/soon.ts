/**
 * What a venue answers to whoever only looks: within two seconds, or nothing. A page waits for it, and a venue that hangs must
 * not keep from sight what the gateway knows by itself.
 */
import type { Clock } from '../ports/system.ts';

const PATIENCE_MS = 2_000;

/** Venue → how many of its questions hang: who looks every second does not ask one that hangs ten times over. */
const hanging = new WeakMap<object, Map<string, number>>();

/**
 * Whoever looks asks for himself: a question that was begun before his own act would be answered without it. Only while one
 * hangs, none is asked, and its answer is nobody's: it would be older than what he knows.
 * @param key of the question: equal ones hang together
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
