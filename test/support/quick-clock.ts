/**
 * A clock that runs as fast as the machine allows, a step at a time: what waits half a minute comes within seconds, and a
 * machine that is busy makes time slower instead of late.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { createFakeClock } from './fake-clock.ts';

export interface QuickClock extends Clock {
  /** Time stands still from here on, once the step that is being taken has ended. */
  stop(): Promise<void>;
}

/** Twenty times as fast as a real one where nothing keeps the loop busy. */
const STEP_MS = 50;
/** Room between two steps for what takes real time: the disk, requests. */
const PAUSE_MS = 2;

export function startQuickClock(): QuickClock {
  const clock = createFakeClock();
  let isRunning = true;
  const running = (async () => {
    while (isRunning) {
      await clock.advance(STEP_MS);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    ...clock,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}
