/**
 * Handles items strictly one after the other, synchronously where handling does not wait. While the handling of an item
 * waits, the source is paused, so a client cannot pile up requests.
 */
export interface InOrderOptions<T> {
  /** If handling returns a promise, the next item waits for that promise. */
  readonly handle: (item: T) => Promise<void> | undefined;
  readonly failed: (error: unknown) => void;
  readonly source: { pause(): void; resume(): void };
}

export class InOrder<T> {
  readonly #options: InOrderOptions<T>;
  readonly #waiting: T[] = [];
  #busy = false;

  constructor(options: InOrderOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    this.#waiting.push(item);
    if (!this.#busy) this.#work();
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  #work(): void {
    const { handle, failed, source } = this.#options;
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      const pending = handle(item);
      if (pending === undefined) continue;
      this.#busy = true;
      source.pause();
      pending.catch(failed).finally(() => {
        this.#busy = false;
        source.resume();
        this.#work();
      });
      return;
    }
  }
}
