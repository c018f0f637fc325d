/**
 * One reading for all who ask at the same time. Requests during a reading share the next one: an answer that was on its
 * way already may be older than the request.
 */
export class SharedReading<T> {
  readonly #read: () => Promise<T>;
  /** Settles when the running reading has ended, with or without success. */
  #current: Promise<void> = Promise.resolve();
  #next: Promise<T> | null = null;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** A reading that begins after this call. */
  ask(): Promise<T> {
    if (this.#next !== null) return this.#next;
    const next = this.#current.then(() => {
      this.#next = null;
      return this.#read();
    });
    this.#next = next;
    this.#current = next.then(
      () => {},
      () => {},
    );
    return next;
  }
}
