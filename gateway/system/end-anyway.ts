/**
 * The last resort of a stop: the process ends, whatever still runs in it. Nothing is lost by that, since what was told is on
 * disk and a start after it takes the same path as after a crash.
 */
import { Worker } from 'node:worker_threads';
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';

/** After this the event loop is taken to be held up, so that no timer of it would ever come. */
const STUCK_MS = 700;

/** Runs beside the event loop, which it does not need. */
const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.afterMs);
`;

/** After `limitMs`, `lastly` runs and the process ends with code 0; the returned function calls that off. */
export function endAnywayAfter(
  limitMs: number,
  clock: Pick<Clock, 'after'>,
  lastly: () => void,
): Unsubscribe {
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
