/** Runs work one at a time per key, in the order asked; different keys do not wait for each other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    // The queue ignores failures: they belong to the caller of `run`, not to the next work in the queue.
    const tail: Promise<void> = result.then(
      () => this.#release(key, tail),
      () => this.#release(key, tail),
    );
    this.#tails.set(key, tail);
    return result;
  }

  /** Runs work alone on all keys. Keys are locked in sorted order, so that two such calls cannot deadlock. */
  runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...others] = keys.toSorted();
    return first === undefined ? work() : this.run(first, () => this.runAll(others, work));
  }

  #release(key: string, tail: Promise<void>): void {
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
