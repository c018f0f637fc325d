/** State of the connection to a venue, as one state of the connector. */
import type { Clock, Logger } from '../../../engine/ports/system.ts';
import type { ConnectorStatus } from '../../../engine/ports/venue-status.ts';
import type { VenueClock } from './venue-clock.ts';

/** Error of this machine's clock from which on no order is opened: its expiry would be wrong by as much. */
const WORST_OFFSET_MS = 30_000;
const WARN_OFFSET_MS = 1_000;
const TOO_MANY = 'the venue has had too many requests from this address';
const DOWN = { status: 'DOWN', trading: 'DOWN', until: null } as const;
const CLOSE_ONLY = { status: 'DEGRADED', trading: 'CLOSE_ONLY', until: null } as const;

export interface ReadinessOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly venueClock: () => Pick<VenueClock, 'offsetMs'>;
  readonly hasListing: () => boolean;
  readonly isStreaming: () => boolean;
  /** Epoch ms at which the venue accepts openings again after too many requests; null: it accepts them. */
  readonly opensAgainAt: () => number | null;
  /** Why the venue takes nothing that opens until then, epoch ms, in its words; null: nothing is known. */
  readonly closesOnly?: () => { readonly reason: string; readonly until: number } | null;
}

export class Readiness {
  isStopped = false;
  /** The machine slept: nothing opens until clock, streams and accounts are up to date. */
  isWaking = false;
  readonly #options: ReadinessOptions;
  readonly #listeners = new Set<(status: ConnectorStatus) => void>();
  #status: ConnectorStatus;
  #hasWarned = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    this.#status = { ...DOWN, since: options.clock.now(), reason: 'connecting' };
  }

  get status(): ConnectorStatus {
    return this.#status;
  }

  follow(listener: (status: ConnectorStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Judges now, and again once `until` is over, epoch ms. */
  judgeAgainAt(until: number): () => void {
    const { clock } = this.#options;
    this.judge();
    return clock.after(until - clock.now() + 1, () => this.judge());
  }

  /** To be called after a possible change of an input. */
  judge(): void {
    this.#warn();
    const next = this.#next();
    const { status, reason, trading, until } = this.#status;
    const isSame = next.status === status && next.reason === reason;
    if (isSame && next.trading === trading && next.until === until) return;
    const { clock } = this.#options;
    this.#status = { ...next, since: next.status === status ? this.#status.since : clock.now() };
    for (const listener of [...this.#listeners]) listener(this.#status);
  }

  #next(): Omit<ConnectorStatus, 'since'> {
    const { hasListing, isStreaming, opensAgainAt } = this.#options;
    const until = opensAgainAt();
    if (this.isStopped) return { ...DOWN, reason: 'the gateway is stopping' };
    if (!hasListing()) return { ...DOWN, reason: 'the venue has not answered yet', until };
    if (!isStreaming()) return { ...DOWN, reason: 'the stream of prices is interrupted', until };
    // Prices come, so the venue is up; its few remaining requests are for closes.
    if (until !== null) return { status: 'UP', trading: 'CLOSE_ONLY', reason: TOO_MANY, until };
    const closesOnly = this.#options.closesOnly?.() ?? null;
    if (closesOnly !== null && closesOnly.until > this.#options.clock.now())
      return { status: 'UP', trading: 'CLOSE_ONLY', ...closesOnly };
    const offset = this.#offset;
    if (offset > WORST_OFFSET_MS)
      return { ...CLOSE_ONLY, reason: `this machine's clock is ${Math.round(offset / 1_000)} s off` };
    if (this.isWaking) return { ...CLOSE_ONLY, reason: 'the machine slept: accounts are read anew' };
    return { status: 'UP', trading: 'UP', reason: null, until: null };
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
