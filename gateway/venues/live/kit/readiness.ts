/** What works of the connection to a venue, as one state of the connector. */
import type { Clock, Logger } from '../../../engine/ports/system.ts';
import type { ConnectorStatus } from '../../../engine/ports/venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** Orders whose expiry this machine's clock would get wrong by so much are not opened. */
const WORST_OFFSET_MS = 30_000;
const WARN_OFFSET_MS = 1_000;

export interface ReadinessOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly venueClock: () => Pick<VenueClock, 'offsetMs'>;
  readonly hasListing: () => boolean;
  readonly isStreaming: () => boolean;
}

export class Readiness {
  isStopped = false;
  /** The machine slept: nothing opens until clock, streams and accounts are as they are now. */
  isWaking = false;
  readonly #options: ReadinessOptions;
  readonly #listeners = new Set<(status: ConnectorStatus) => void>();
  #status: ConnectorStatus;
  #hasWarned = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    this.#status = { status: 'DOWN', since: options.clock.now(), reason: 'connecting' };
  }

  get status(): ConnectorStatus {
    return this.#status;
  }

  follow(listener: (status: ConnectorStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** To be called when something of it may have changed. */
  judge(): void {
    this.#warn();
    const next = this.#next();
    const { status, reason } = this.#status;
    if (next.status === status && next.reason === reason) return;
    const { clock } = this.#options;
    this.#status = { ...next, since: next.status === status ? this.#status.since : clock.now() };
    for (const listener of [...this.#listeners]) listener(this.#status);
  }

  #next(): Omit<ConnectorStatus, 'since'> {
    const { hasListing, isStreaming } = this.#options;
    if (this.isStopped) return { status: 'DOWN', reason: 'the gateway is stopping' };
    if (!hasListing()) return { status: 'DOWN', reason: 'the venue has not answered yet' };
    if (!isStreaming()) return { status: 'DOWN', reason: 'the stream of prices is interrupted' };
    const offset = this.#offset;
    if (offset > WORST_OFFSET_MS) {
      const reason = `this machine's clock is ${Math.round(offset / 1_000)} s off`;
      return { status: 'DEGRADED', reason, closeOnly: true };
    }
    if (this.isWaking)
      return { status: 'DEGRADED', reason: 'the machine slept: accounts are read anew', closeOnly: true };
    return { status: 'UP', reason: null };
  }

  /** Once each time that the clock goes wrong. */
  #warn(): void {
    const isOff = this.#offset > WARN_OFFSET_MS;
    if (isOff && !this.#hasWarned) {
      const { offsetMs } = this.#options.venueClock();
      this.#options.logger.warn({ offsetMs: Math.round(offsetMs) }, 'the clock differs from the venue');
    }
    this.#hasWarned = isOff;
  }

  get #offset(): number {
    return Math.abs(this.#options.venueClock().offsetMs);
  }
}
