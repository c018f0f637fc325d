/** Pauses that an abort signal ends at once. */

/** Resolves after `ms`. @throws the signal's reason when the signal is aborted */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

const FIRST_MS = 200;

/** Growing pauses: 200 ms, 400 ms, … up to a limit; `reset` begins again. */
export class Patience {
  readonly #limitMs: number;
  #nextMs = FIRST_MS;
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }
  reset(): void {
    this.#nextMs = FIRST_MS;
  }
  wait(signal?: AbortSignal): Promise<void> {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(this.#limitMs, ms * 2);
    return wait(ms, signal);
  }
}
