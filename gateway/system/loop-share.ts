/** Recent load of the event loop. */

/** Shorter windows say more about one request than about the load. */
const WINDOW_MS = 100;

/**
 * @returns a function that gives the share of the time in which the event loop was busy, from 0 to 1, since its last
 * call, at least over 100 ms; 0 until then
 */
export function loopShare(): () => number {
  let seen = performance.eventLoopUtilization();
  let seenAt = performance.now();
  let share = 0;
  return () => {
    if (performance.now() - seenAt < WINDOW_MS) return share;
    share = performance.eventLoopUtilization(seen).utilization;
    seen = performance.eventLoopUtilization();
    seenAt = performance.now();
    return share;
  };
}
