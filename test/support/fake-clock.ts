/**
 * A clock that stands still until it is told to move. Timers run in order of their due time (ties in order of their
 * making), each at its own time, and what they start is given room to run before the next one.
 */
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { settled } from './outstanding.ts';

export interface FakeClock extends Clock {
  /** Moves time forward and runs every timer that falls due on the way, those set by other timers included. */
  advance(ms: number): Promise<void>;
  /** The wall clock is set by `ms` (back where negative), as after sleep: no timer runs, and each has as long to go as before. */
  jump(ms: number): void;
  /** Both clocks move by `ms` while every timer has as long to go as before: what is dated or counted gets older at once. */
  leap(ms: number): void;
  /** Timers and sleeps not yet due. */
  pending(): number;
  /** Milliseconds until the next of them falls due; null: nothing waits. */
  untilNext(): number | null;
}

interface Timer {
  /** On the clock that timers count by, which is never set. */
  dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** @param startMs epoch ms */
export function createFakeClock(startMs = Date.UTC(2026, 0, 31, 12)): FakeClock {
  let nowMs = startMs;
  let setByMs = 0;
  let made = 0;
  const timers = new Set<Timer>();

  function add(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: nowMs + Math.max(0, delayMs), order: made++, run };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  function nextDue(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs > untilMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
      else if (timer.dueMs === next.dueMs && timer.order < next.order) next = timer;
    }
    return next;
  }

  return {
    now: () => nowMs + setByMs,
    uptime: () => nowMs,
    after: add,
    sleep: (delayMs) =>
      new Promise((resolve) => {
        add(delayMs, resolve);
      }),
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settled();
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.dueMs);
        timer.run();
        await settled();
      }
      // Another call may have moved it further meanwhile.
      nowMs = Math.max(nowMs, untilMs);
    },
    jump(ms) {
      setByMs += ms;
    },
    leap(ms) {
      nowMs += ms;
      for (const timer of timers) timer.dueMs += ms;
    },
    pending: () => timers.size,
    untilNext: () => {
      const next = nextDue(Number.POSITIVE_INFINITY);
      return next === undefined ? null : Math.max(0, next.dueMs - nowMs);
    },
  };
}
