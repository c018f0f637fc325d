/**
 * The share of the event loop that callers without a credential get. However many of them there are: in one turn of the
 * loop their requests and messages run for a few milliseconds together, the rest waits for the next turn. Between two
 * turns the loop does everything else: prices, stop-losses, acknowledgements, and callers with a credential.
 */
import type { Duplex } from 'node:stream';
import { isTrustedSocket } from './trusted-sockets.ts';

/** With the largest single piece of work and what the kernel copies meanwhile, a turn stays below 20 ms (`bench floods`). */
const TURN_MS = 2;
/** Pieces of work of one connection that may wait. Programs wait for an answer before they ask again. */
const MAX_WAITING_PER_SOCKET = 16;

interface Waiting {
  readonly socket: Duplex;
  readonly work: () => void;
}

export class AnonymousTurns {
  /** In their order. */
  readonly #waiting = new Set<Waiting>();
  readonly #waitingOf = new Map<Duplex, number>();
  #spentMs = 0;
  /** When the piece that runs began, by a clock that is never set. */
  #since: number | null = null;
  #turnSet = false;

  /**
   * Runs `work` at once while this turn has time left, else in its order in a later one; never when the connection has
   * gone by then. `work` does not throw. `mayPass`: asked only where it would have to wait.
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

  /** For what goes on after it: resolves when `run` would run it. */
  turn(socket: Duplex, mayPass?: () => boolean): Promise<void> {
    return new Promise((resolve) => this.run(socket, resolve, mayPass));
  }

  #spent(): number {
    return this.#spentMs + (this.#since === null ? 0 : performance.now() - this.#since);
  }

  /** What `work` does in promises that wait for nothing else counts too. `done`: after all of that. */
  #spend(work: () => void, done: () => void = () => {}): void {
    const isFirst = this.#since === null;
    this.#since ??= performance.now();
    work();
    // A tick that a microtask asks for comes when no microtask is left.
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
