/**
 * Collects the ids of used keys and sessions and writes `lastUsedAt` at most once a minute: the time is information,
 * not state, and must cost a request nothing. A crash loses the uses of at most the last minute.
 */
import type { Clock, Unsubscribe } from '../engine/ports/system.ts';

const FLUSH_INTERVAL_MS = 60_000;

export interface LastUsed {
  mark(id: string): void;
  /** Writes the ids that are waiting and starts no further timer. */
  close(): Promise<void>;
}

/** `write` gets the ids used since the last call and returns those that it could not write; it never throws. */
export function createLastUsed(
  clock: Clock,
  write: (ids: readonly string[]) => Promise<readonly string[]>,
): LastUsed {
  const waiting = new Set<string>();
  let cancel: Unsubscribe | null = null;
  let closed = false;

  function mark(id: string): void {
    waiting.add(id);
    if (cancel !== null || closed) return;
    cancel = clock.after(FLUSH_INTERVAL_MS, () => {
      cancel = null;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    const ids = [...waiting];
    waiting.clear();
    if (ids.length === 0) return;
    for (const id of await write(ids)) mark(id);
  }

  return {
    mark,
    async close() {
      closed = true;
      cancel?.();
      cancel = null;
      await flush();
    },
  };
}
