import type { Clock } from '../engine/ports/system.ts';

/** The machine's wall clock and timers. Timers do not keep the process alive; the HTTP server does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  sleep: (delayMs) =>
    new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    }),
};
