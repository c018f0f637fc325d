/**
 * Opening triggers that were met while nothing may open: trading is paused, or the venue or the account accepts no
 * opening orders. Each stays ACTIVE with a note. Once opening is possible, its condition is checked as after a gap in
 * watching, so that nothing opens at a price that the condition excludes.
 */
import type { Trigger } from '../../../domain/trigger.ts';
import { notPlaced, waitsAgain } from '../../../domain/unplaced-trigger.ts';
import { shutFor } from '../../core/may-open.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import type { Unsubscribe } from '../../ports/system.ts';
import type { TriggerParts } from './trigger-parts.ts';

const CHECK_EVERY_MS = 1_000;

export class HeldTriggers {
  readonly #deps: AcceptDeps;
  readonly #parts: TriggerParts;
  readonly #held = new Set<string>();
  #isPlanned = false;
  #isStopping = false;
  #cancelCheck: Unsubscribe = () => {};

  constructor(deps: AcceptDeps, parts: TriggerParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** To be called by the holder of the trigger's lock. A note that cannot be written is left out. */
  async hold(trigger: Trigger, value: string, why: string): Promise<void> {
    this.#held.add(trigger.id);
    this.#plan();
    await this.#note(trigger, notPlaced(trigger, value, why, this.#deps.clock.now()));
  }

  stop(): void {
    this.#isStopping = true;
    this.#cancelCheck();
  }

  #plan(): void {
    if (this.#isStopping || this.#isPlanned || this.#held.size === 0) return;
    this.#isPlanned = true;
    this.#cancelCheck = this.#deps.clock.after(CHECK_EVERY_MS, () => {
      const free = [...this.#held].filter((id) => this.#isFree(id));
      this.#releaseAll(free)
        .catch((error: unknown) => {
          if (!this.#isStopping) this.#deps.logger.error({ err: error }, 'held triggers were not released');
        })
        .finally(() => {
          this.#isPlanned = false;
          this.#plan();
        });
    });
  }

  #isFree(id: string): boolean {
    const live = this.#parts.live.get(id);
    const account = live === undefined ? undefined : this.#deps.accountOf(live.tradeAccountId);
    return (
      account === undefined ||
      !(this.#deps.tradingPause.holds(account.userId) || shutFor(this.#deps, account) !== null)
    );
  }

  async #releaseAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#isStopping) return;
      this.#held.delete(id);
      const unlock = await this.#parts.live.lock(id);
      try {
        await this.#release(id);
      } finally {
        unlock();
      }
    }
  }

  async #release(id: string): Promise<void> {
    const { live, reader, watcher } = this.#parts;
    // A trigger that was changed or resumed meanwhile is watched already.
    if (live.get(id)?.status !== 'ACTIVE' || watcher.isWatching(id)) return;
    const trigger = await reader.read(id);
    if (trigger === undefined) return;
    const hasFeeds = watcher.watch(trigger, 'after_gap');
    if (hasFeeds && watcher.isWatching(id))
      await this.#note(trigger, waitsAgain(trigger, this.#deps.clock.now()));
  }

  async #note(before: Trigger, after: Trigger): Promise<void> {
    await this.#parts.table.commit([before], [this.#parts.changes.noted(after)]);
  }
}
