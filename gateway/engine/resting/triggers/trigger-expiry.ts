/**
 * Ends waiting triggers at their expiry. A condition met at or after the expiry does not fire the trigger, even if
 * the expiry is handled late.
 */
import { isExpired, isRestingTrigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import type { Unsubscribe } from '../../ports/system.ts';
import type { TriggerParts } from './trigger-parts.ts';

/** Maximum time between two readings of the clock, ms, because the clock may be set. */
const LONGEST_WAIT_MS = 60_000;
const TRY_AGAIN_MS = 1_000;

export class TriggerExpiry {
  readonly #deps: Pick<EngineDeps, 'clock' | 'logger'>;
  readonly #parts: TriggerParts;
  #cancel: Unsubscribe = () => {};
  #wakesAt = Number.POSITIVE_INFINITY;
  #isRunning = false;

  constructor(deps: Pick<EngineDeps, 'clock' | 'logger'>, parts: TriggerParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.plan();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
  }

  /** Sets the timer again, because a new expiry may be earlier than the next one so far. */
  plan(): void {
    const { nextAt } = this.#parts.changes.expiries;
    if (!this.#isRunning || nextAt === null) return;
    const now = this.#deps.clock.now();
    const wakesAt = Math.min(Math.max(nextAt, now), now + LONGEST_WAIT_MS);
    if (this.#wakesAt <= wakesAt && this.#wakesAt > now) return;
    this.#cancel();
    this.#wakesAt = wakesAt;
    this.#cancel = this.#deps.clock.after(wakesAt - now, () => this.#wake());
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    for (const { id } of this.#parts.changes.expiries.due(this.#deps.clock.now())) {
      const live = this.#parts.live.get(id);
      // The expiry may have been moved since it was queued: `#expire` checks the record.
      if (live === undefined || !isRestingTrigger(live)) continue;
      this.#expire(id).catch((error: unknown) =>
        this.#deps.logger.error({ err: error, triggerId: id }, 'a trigger did not expire'),
      );
    }
    this.plan();
  }

  async #expire(id: string): Promise<void> {
    const { live, reader, table } = this.#parts;
    const unlock = await live.lock(id);
    try {
      while (this.#isRunning) {
        const trigger = await reader.read(id);
        const isDue =
          trigger !== undefined && isRestingTrigger(trigger) && isExpired(trigger, this.#deps.clock.now());
        if (!isDue || (await table.expire(trigger))) return;
        await this.#deps.clock.sleep(TRY_AGAIN_MS);
      }
    } finally {
      unlock();
    }
  }
}
