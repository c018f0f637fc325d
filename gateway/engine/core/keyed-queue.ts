/** Runs work one at a time per key, in the order asked; different keys do not wait for each other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    // The tail swallows failures: failures belong to the caller of `run`, not to the next work in the queue.
    const tail: Promise<void> = result.then(
      () => this.#release(key, tail),
      () => this.#release(key, tail),
    );
    this.#tails.set(key, tail);
    return result;
  }

  /** Runs work alone on all keys, which are entered in their order: two such calls cannot wait for each other. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...others] = keys.toSorted();
    return first === undefined ? work() : this.run(first, () => this.runAll(others, work));
  }

  #release(key: string, tail: Promise<void>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
