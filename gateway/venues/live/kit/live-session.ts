/** State of one account at a live venue that all venues keep alike, and its listeners. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { AccountEvent, FeeRates } from '../../../engine/ports/venue.ts';
import { SharedReading } from './shared-reading.ts';

/** Time between two readings of the history for gaps of the stream, which cost much of a venue's limit. */
const GAPS_APART_MS = 15_000;

export abstract class LiveSession {
  /** True: the stream has sent something for this account on the present connection. */
  heard = false;
  /** Venue's latest fees. */
  fees: FeeRates | null = null;
  /** The venue has refused its key, and has taken nothing from it since. `at`: epoch ms. */
  refusal: { readonly reason: string; readonly at: number } | null = null;
  /** Requests in a row that the venue refused for their nonce. */
  refusedNonces = 0;
  /** Uptime since which the history holds entries that cannot be booked yet; null: it holds none. */
  heldSince: number | null = null;
  /** Uptime of the latest answer about its payments. */
  paymentsReadAt = Number.NEGATIVE_INFINITY;
  readonly #listeners = new Set<(event: AccountEvent) => void>();
  readonly #gaps: SharedReading<void>;
  readonly #onUnlisted: () => void;
  #isClosed = false;

  /** @param onUnlisted a fill or payment names an instrument that is not listed here yet */
  constructor(clock: Clock, onUnlisted: () => void) {
    this.#gaps = new SharedReading(
      clock,
      () => GAPS_APART_MS,
      async () => this.tell({ kind: 'reconnected' }),
    );
    this.#onUnlisted = onUnlisted;
  }

  /** Rises with everything that may have changed the account's balances and positions. */
  abstract get version(): number;
  /** Notes that something may have changed them. */
  protected abstract touch(event: AccountEvent): void;
  /** Wipes the key. */
  protected abstract wipe(): void;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  follow(listener: (event: AccountEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(event: AccountEvent): void {
    if (this.#isClosed) return;
    this.touch(event);
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Starts a reading of the history: an event of the account could not be reported. */
  missed(): void {
    void this.#gaps.now();
  }

  /** The same for an instrument that may be newly listed. */
  missedUnlisted(): void {
    this.#onUnlisted();
    this.missed();
  }

  close(): void {
    this.#isClosed = true;
    this.wipe();
    this.#listeners.clear();
  }
}
