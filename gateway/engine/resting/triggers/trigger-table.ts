/** Changes of pending triggers by the holder of their locks, each a unit of its own. */
import { fail, ok, type Result } from '../../../domain/result.ts';
import { cancelTrigger, expireTrigger, pauseTrigger, type Trigger } from '../../../domain/trigger.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, storeFailed } from '../../core/errors.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import type { Answered } from '../../core/idempotency.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import type { IdempotencyRecord, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { LiveLadders } from './live-ladders.ts';
import type { TriggerChanges } from './trigger-changes.ts';

export class TriggerTable {
  readonly #deps: Pick<EngineDeps, 'store' | 'clock'>;
  readonly #changes: TriggerChanges;
  readonly #ladders: LiveLadders;

  constructor(
    deps: Pick<EngineDeps, 'store' | 'clock'>,
    parts: { readonly changes: TriggerChanges; readonly ladders: LiveLadders },
  ) {
    this.#deps = deps;
    this.#changes = parts.changes;
    this.#ladders = parts.ladders;
  }

  /**
   * Commits `changes` with `rest` as one unit and updates memory. DATABASE_ERROR: nothing has changed.
   * @param before the records to change, in their current state
   */
  async commit(
    before: readonly Trigger[],
    changes: readonly FollowUp[],
    rest: UnitOfWork = {},
  ): Promise<Result<null, EngineError>> {
    const all = together(changes);
    const committed = await this.#deps.store.commit(oneUnit(rest, all.unit));
    if (!committed.ok) {
      for (const trigger of before) this.#ladders.rungIs(trigger);
      return fail(storeFailed(committed.error).error);
    }
    all.committed?.();
    return ok(null);
  }

  /** Commits new triggers, and their ladder, together with the answer's idempotency record; returns the answer. */
  async make(
    changes: readonly FollowUp[],
    json: string,
    idempotency: readonly IdempotencyRecord[],
    rest: UnitOfWork = {},
  ): Promise<Result<Answered, EngineError>> {
    const committed = await this.commit([], changes, { ...rest, idempotency });
    return committed.ok ? ok({ status: 200, json, replayed: false }) : committed;
  }

  /** False: the database refuses, and the cancellation must be retried. */
  async cancel(trigger: Trigger, reason: string): Promise<boolean> {
    return this.#end(trigger, cancelTrigger(trigger, reason, this.#deps.clock.now()));
  }

  /** Pauses a trigger that its mandate does not allow to fire. Result like `cancel`. */
  async holdBack(trigger: Trigger, reason: string): Promise<boolean> {
    const paused = pauseTrigger(trigger, 'AGENT_LIMIT', this.#deps.clock.now());
    if (!paused.ok) return true;
    return (
      await this.commit([trigger], [this.#changes.heldBack({ ...paused.value, error: reason }, reason)])
    ).ok;
  }

  /** Expires a trigger. Result like `cancel`. */
  async expire(trigger: Trigger): Promise<boolean> {
    return this.#end(trigger, expireTrigger(trigger, this.#deps.clock.now()));
  }

  async #end(before: Trigger, ended: Result<Trigger, unknown>): Promise<boolean> {
    return !ended.ok || (await this.commit([before], [this.#changes.changed(ended.value)])).ok;
  }
}
