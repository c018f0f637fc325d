/** Waits for states instead of times: the machine may be slow, the state must come all the same. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/**
 * Looks again and again until `look` finds what is wanted: anything but null, undefined and false.
 * @param what the sentence of the failure
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 45_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
