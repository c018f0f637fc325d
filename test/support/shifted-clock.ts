/** The system's clock that a test can move on: waits run in real time, everything that asks for the time sees the shift. */
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { systemClock } from '../../gateway/system/clock.ts';

export interface ShiftedClock extends Clock {
  advance(ms: number): void;
}

export function shiftedClock(): ShiftedClock {
  let shiftMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + shiftMs,
    uptime: () => systemClock.uptime() + shiftMs,
    advance(ms) {
      shiftMs += ms;
    },
  };
}
