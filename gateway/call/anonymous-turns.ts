/**
 * The share of the event loop for callers without a credential. In one turn of the loop the requests and messages of
 * all of them run for a few milliseconds together; the rest waits for the next turn. Between two turns the loop does
 * everything else: prices, stop-losses, acknowledgements, and callers with a credential.
 */
import type { Duplex } from 'node:stream';
import { isTrustedSocket } from './trusted-sockets.ts';

/**
 * With this budget a turn stayed below 20 ms on 2026-11-23, even with the largest piece of work and the kernel's copying.
 * The benchmark no longer measures it; `test/real-time/long/floods.test.ts` prints the longest turn under each flood.
 */
const TURN_MS = 2;
/**
 * Maximum pieces of work that may wait per connection. Ordinary programs wait for an answer before the next request.
 */
const MAX_WAITING_PER_SOCKET = 16;

interface Waiting {
  readonly socket: Duplex;
  readonly work: () => void;
}

export class AnonymousTurns {
  /** Waiting pieces of work, in the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  readonly #waitingOf = new Map<Duplex, number>();
  #spentMs = 0;
  /** Monotonic start time of the running piece of work; null: none is running. */
  #since: number | null = null;
  #turnSet = false;

  /**
   * Runs `work` at once if this turn of the event loop has time left, else later in order; not at all if the
   * connection has closed by then. `work` does not throw. `mayPass` is asked only where `work` would have to wait;
   * true: `work` runs at once.
   */
  run(socket: Duplex, work: () => void, mayPass?: () => boolean): void {
    if (isTrustedSocket(socket)) {
      work();
      return;
    }
    if (this.#waiting.size === 0 && this.#spent() < TURN_MS) this.#spend(work);
    else if (mayPass?.() === true) work();
    else this.#wait(socket, work);
    this.#askForTurn();
  }

  /** `run` as a promise: resolves when it is the caller's turn; the code after the `await` is the work. */
  turn(socket: Duplex, mayPass?: () => boolean): Promise<void> {
    return new Promise((resolve) => this.run(socket, resolve, mayPass));
  }

  #spent(): number {
    return this.#spentMs + (this.#since === null ? 0 : performance.now() - this.#since);
  }

  /** Runs `work` and measures it with its microtasks, also where it throws. `done` is called after the last microtask. */
  #spend(work: () => void, done: () => void = () => {}): void {
    const isFirst = this.#since === null;
    this.#since ??= performance.now();
    try {
      work();
    } finally {
      // A `nextTick` requested by a microtask runs only when no microtask is left.
      queueMicrotask(() =>
        process.nextTick(() => {
          if (isFirst) {
            this.#spentMs = this.#spent();
            this.#since = null;
          }
          done();
        }),
      );
    }
  }

  #wait(socket: Duplex, work: () => void): void {
    const ahead = this.#waitingOf.get(socket) ?? 0;
    if (ahead >= MAX_WAITING_PER_SOCKET) {
      socket.destroy();
      return;
    }
    this.#waitingOf.set(socket, ahead + 1);
    this.#waiting.add({ socket, work });
  }

  #serve(): void {
    for (const next of this.#waiting) {
      if (this.#spent() >= TURN_MS) {
        this.#askForTurn();
        return;
      }
      this.#waiting.delete(next);
      const left = (this.#waitingOf.get(next.socket) ?? 1) - 1;
      if (left > 0) this.#waitingOf.set(next.socket, left);
      else this.#waitingOf.delete(next.socket);
      if (next.socket.destroyed) continue;
      this.#spend(next.work, () => this.#serve());
      return;
    }
  }

  #askForTurn(): void {
    if (this.#turnSet) return;
    this.#turnSet = true;
    setImmediate(() => {
      this.#turnSet = false;
      this.#spentMs = 0;
      this.#serve();
    });
  }
}
