import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoopDelay } from './load-protocol.ts';

const RESOLUTION_MS = 1;

/** Starts to watch how late this process's timers fire; the returned function ends it and tells. */
export function watchLoopDelay(): () => LoopDelay {
  const watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  watch.enable();
  // Node counts the timer's own millisecond as delay.
  const late = (percentile: number): number =>
    Math.max(0, watch.percentile(percentile) / 1e6 - RESOLUTION_MS);
  return () => {
    watch.disable();
    return { p50: late(50), p99: late(99) };
  };
}
