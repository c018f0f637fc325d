/**
 * Settings of V8's heap. Memory that the start leaves behind is freed: V8 sizes its young generation by the allocations
 * of the start, up to 16 MB twice. It shrinks only in a collection that is asked to save memory, which never happens in
 * a program at rest. A young generation kept small by a flag would be collected constantly under full load, which costs
 * a third of the requests a second.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';

/**
 * Interval of the checks. The first check comes after the launcher has taken its code cache (build/tandem.cjs): a
 * collection may drop code that has not run for long.
 */
const LOOK_EVERY_MS = 4_000;
/** Fraction of time since the last check above which the event loop counts as busy. */
const BUSY = 0.1;
/**
 * Maximum heap size that is collected. A collection takes about a millisecond per megabyte and blocks all answers
 * meanwhile.
 */
const SMALL_HEAP_BYTES = 64 * 2 ** 20;

/**
 * Makes all objects in the young generation. If all objects of a place in the code were alive at a collection, V8 makes
 * that place's objects in the old generation from then on, until the process ends. Under load, a collection of the
 * whole heap finds that for all objects of the running requests. Such an object stays until the next collection of the
 * whole heap. It keeps the request, its answer and its connection's listeners alive: they are carried over one by one,
 * which costs up to a third of the orders a second.
 *
 * The launcher (build/tandem.cjs) sets the flag by itself, before it compiles anything. Programs of tests and benchmarks
 * call this at their start.
 */
export function makeObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Collects all garbage at once and gives empty pages back. Rejects where Node was built without its inspector. */
export async function saveMemory(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  // The inspector session is disconnected in a later turn, because doing so within its own callback would hang.
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
      // Rejects where Node has no inspector. Then the memory is simply not freed, which is not worth a log line.
      saveMemory().catch(() => {});
  };
  cancel = clock.after(LOOK_EVERY_MS, look);
  return () => cancel();
}
