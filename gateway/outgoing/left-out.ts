/** Says that events of a destination are left out, once a minute: of a receiver that hangs it would be said with every event. */
import type { Clock, Logger } from '../engine/ports/system.ts';

const EVERY_MS = 60_000;

export class LeftOut {
  readonly #clock: Pick<Clock, 'uptime'>;
  readonly #logger: Pick<Logger, 'warn'>;
  /** Destination → when it was said last, uptime in ms. */
  readonly #saidAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'uptime'>, logger: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @param skipped of the destination, ever */
  say(destinationId: string, skipped: number): void {
    const now = this.#clock.uptime();
    if (now - (this.#saidAt.get(destinationId) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    this.#saidAt.set(destinationId, now);
    this.#logger.warn({ destinationId, skipped }, 'too many deliveries wait: events are left out');
  }

  forget(destinationId: string): void {
    this.#saidAt.delete(destinationId);
  }
}
