/** Time as a React value: one timer for everything that shows an age. */
import { useSyncExternalStore } from 'react';
import { lastHeard, useConnection } from './connection.ts';

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const one of listeners) one();
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Epoch ms, updated every `everyMs` (whole seconds). */
export function useNow(everyMs = TICK_MS): number {
  return useSyncExternalStore(subscribe, () => now - (now % everyMs));
}

const FRESH_MS = 5_000;
/** Maximum silence of a working connection: the gateway answers a ping every 15 s. */
const SILENCE_MS = 20_000;

/** Age of the shown data in seconds, once above the limit for the connection's state; null: the data are fresh. */
export function useStaleSeconds(): number | null {
  const state = useConnection();
  return useSyncExternalStore(subscribe, () => {
    // Uses the time of the tick, not of the render, so that every place of the page shows the same age.
    const age = now - lastHeard();
    return age > (state === 'live' ? SILENCE_MS : FRESH_MS) ? Math.floor(age / 1_000) : null;
  });
}
