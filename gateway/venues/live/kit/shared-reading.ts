/** One request for all callers at about the same time; a caller after its beginning gets the next one. */
import type { Clock } from '../../../engine/ports/system.ts';

export class SharedReading<T> {
  readonly #clock: Clock;
  readonly #apartMs: () => number;
  readonly #read: () => Promise<T>;
  /** The reading that will begin next, for all callers until then. */
  #next: Promise<T> | null = null;
  /** Beginning of the last reading by `Clock.uptime`. */
  #beganAt = Number.NEGATIVE_INFINITY;

  /** @param apartMs least time between the beginnings of two readings */
  constructor(clock: Clock, apartMs: () => number, read: () => Promise<T>) {
    this.#clock = clock;
    this.#apartMs = apartMs;
    this.#read = read;
  }

  /** As things are now or in a moment. */
  now(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    const wait = this.#beganAt + this.#apartMs() - this.#clock.uptime();
    // At least one turn of the event loop: simultaneous callers share one request.
    await (wait > 0 ? this.#clock.sleep(wait) : Promise.resolve());
    this.#next = null;
    this.#beganAt = this.#clock.uptime();
    return this.#read();
  }
}
