/** Reports commits to waiting callers and to listeners. */
import type { Clock } from '../engine/ports/system.ts';
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';

export class Changes {
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  readonly #clock: Clock;
  readonly close: () => void;

  constructor(onCommitted: (listener: (events: readonly StoredEvent[]) => void) => () => void, clock: Clock) {
    this.#clock = clock;
    this.close = onCommitted((events) => {
      for (const event of events) for (const listener of this.#listeners) listener(event);
    });
  }

  listen(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Resolves with the next commit of one of the accounts, after `ms`, or when `signal` is aborted. A change between a
   * reading and this call is not missed where the call is made before the reading.
   */
  next(accountIds: ReadonlySet<string>, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancelTimer();
        stop();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancelTimer = this.#clock.after(ms, end);
      const stop = this.listen((event) => {
        if (accountIds.has(event.tradeAccountId)) end();
      });
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }
}
