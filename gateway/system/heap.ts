/**
 * Memory that a start leaves behind. V8 sizes its young generation by what a start allocates, up to 16 MB twice, and makes
 * it smaller only in a collection that is asked to save memory, which a program at rest never comes to. Kept small by a flag
 * instead, it would be collected without end under full load, for a third of the requests a second.
 */
import { getHeapStatistics } from 'node:v8';
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';

/** After the launcher has taken its code cache (build/tandem.cjs): the collection may drop code that has not run for long. */
const LOOK_EVERY_MS = 4_000;
/** Share of the time since the last look that the event loop was at work. */
const BUSY = 0.1;
/** The collection takes about a millisecond a megabyte, and nobody is answered meanwhile. */
const SMALL_HEAP_BYTES = 64 * 2 ** 20;

/** Collects all garbage at once and gives empty pages back. Rejects where Node was built without its inspector. */
export async function saveMemory(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  // A session that is ended within its own answer never comes back.
  await new Promise<void>((resolve) => {
    session.post('HeapProfiler.collectGarbage', () => setImmediate(resolve));
  });
  session.disconnect();
}

/** `saveMemory` once, as soon as the program has nothing else to do. A large heap is left alone. */
export function saveMemoryAtRest(clock: Pick<Clock, 'after'>): Unsubscribe {
  let cancel: Unsubscribe = () => {};
  let seen = performance.eventLoopUtilization();
  const look = (): void => {
    const { utilization } = performance.eventLoopUtilization(seen);
    seen = performance.eventLoopUtilization();
    if (utilization > BUSY) cancel = clock.after(LOOK_EVERY_MS, look);
    else if (getHeapStatistics().used_heap_size <= SMALL_HEAP_BYTES)
      // Without an inspector the memory is kept, which nobody need hear of.
      saveMemory().catch(() => {});
  };
  cancel = clock.after(LOOK_EVERY_MS, look);
  return () => cancel();
}
