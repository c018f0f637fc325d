/** Looks at trades outside Tandem again, once what stood against giving them to a basket may have passed. */
import type { EngineDeps } from '../../core/deps.ts';
import type { Unsubscribe } from '../../ports/system.ts';

/** Pause while the account is busy. Shorter if its executions end earlier; it grows while it stays busy. */
const BUSY_MS = 1_000;
const BUSY_LATE_MS = 16_000;

export class AttributionTimer {
  readonly #deps: Pick<EngineDeps, 'clock' | 'state'>;
  readonly #look: (tradeAccountId: string) => Promise<void>;
  readonly #planned = new Map<string, { readonly at: number; readonly cancel: Unsubscribe }>();
  /** Account → pause before the next look while it is busy. */
  readonly #busyMs = new Map<string, number>();

  constructor(deps: Pick<EngineDeps, 'clock' | 'state'>, look: (tradeAccountId: string) => Promise<void>) {
    this.#deps = deps;
    this.#look = look;
  }

  /** @param at epoch ms; a past time: once the account is free */
  lookAt(tradeAccountId: string, at: number): void {
    const { clock, state } = this.#deps;
    const now = clock.now();
    if (at > now) {
      this.#plan(tradeAccountId, at, (look) => clock.after(at - now, look));
      return;
    }
    const waitMs = this.#busyMs.get(tradeAccountId) ?? BUSY_MS;
    this.#busyMs.set(tradeAccountId, Math.min(2 * waitMs, BUSY_LATE_MS));
    this.#plan(tradeAccountId, now + waitMs, (look) => {
      const cancelTimer = clock.after(waitMs, look);
      const cancelIdle = state.claims.isRunning(tradeAccountId)
        ? state.claims.onceIdle(tradeAccountId, look)
        : () => {};
      return () => {
        cancelTimer();
        cancelIdle();
      };
    });
  }

  stop(): void {
    for (const { cancel } of this.#planned.values()) cancel();
    this.#planned.clear();
  }

  /** Leaves an earlier look as it is. */
  #plan(tradeAccountId: string, at: number, start: (look: () => void) => Unsubscribe): void {
    const planned = this.#planned.get(tradeAccountId);
    if (planned !== undefined && planned.at <= at) return;
    planned?.cancel();
    const cancel = start(() => {
      this.#planned.get(tradeAccountId)?.cancel();
      this.#planned.delete(tradeAccountId);
      void this.#lookNow(tradeAccountId);
    });
    this.#planned.set(tradeAccountId, { at, cancel });
  }

  async #lookNow(tradeAccountId: string): Promise<void> {
    await this.#look(tradeAccountId);
    if (!this.#planned.has(tradeAccountId)) this.#busyMs.delete(tradeAccountId);
  }
}
