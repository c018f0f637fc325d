/**
 * The last resort of a stop: the process ends, even if something still runs in it. Nothing is lost, because everything
 * acknowledged is on disk and the next start takes the same path as after a crash.
 */
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';

/** Time after the limit from which the event loop counts as blocked, so that no timer of it would ever fire. */
const STUCK_MS = 700;

/** Code of a worker thread that kills the process without needing its event loop. */
const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.afterMs);
`;

/** After `limitMs`, `lastly` runs and the process ends with code 0; the returned function cancels both. */
export function endAnywayAfter(
  limitMs: number,
  clock: Pick<Clock, 'after'>,
  lastly: () => void,
): Unsubscribe {
  // Loaded only here: loading the module takes milliseconds, which should not slow every start.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const watchdog = new Worker(WATCHDOG, {
    eval: true,
    workerData: { pid: process.pid, afterMs: limitMs + STUCK_MS },
  });
  watchdog.on('error', () => undefined);
  watchdog.unref();
  const cancel = clock.after(limitMs, () => {
    try {
      lastly();
    } finally {
      process.exit(0);
    }
  });
  return () => {
    cancel();
    void watchdog.terminate();
  };
}
