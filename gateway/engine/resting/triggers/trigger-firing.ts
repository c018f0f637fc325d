/**
 * From a met condition to its execution. TRIGGERED, the execution, and the change of the position's other bracket are
 * one unit, committed before anything is sent; the execution runs when its basket is free.
 *
 * A firing is not lost: while the database refuses, it is retried; if the process dies before the commit, the trigger
 * is still ACTIVE and is checked again after the start.
 *
 * An opening trigger that is met while nothing may open (`HeldTriggers`) does not fire: its condition is checked again
 * once opening is possible.
 */
import { inherited } from '../../../domain/authority.ts';
import { firstToFire } from '../../../domain/bracket.ts';
import { watchesWhilePaused } from '../../../domain/bracket-rounds.ts';
import { dec } from '../../../domain/decimal.ts';
import { isPast } from '../../../domain/measure.ts';
import type { Execution, TradeAccount, TradeLeg } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { tellAlert } from '../../../domain/told-alert.ts';
import { fireTrigger, isExpired, type Trigger } from '../../../domain/trigger.ts';
import { type EngineError, isUnarmed } from '../../core/errors.ts';
import type { FollowUp } from '../../core/follow-ups.ts';
import { type AcceptDeps, type Intention, startExecution } from '../../execution/start-execution.ts';
import { closeIntention } from '../../positions/change-position.ts';
import type { BracketRounds } from './bracket-rounds.ts';
import { HeldTriggers } from './held-triggers.ts';
import type { TriggerParts } from './trigger-parts.ts';
import type { MetCondition } from './trigger-watcher.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Maximum number of firings being committed at once; others wait, so that a burst does not fill the memory. */
const MOST_AT_ONCE = 512;

export interface FiringParts extends TriggerParts {
  readonly rounds: BracketRounds;
}

export class TriggerFiring {
  readonly #deps: AcceptDeps;
  readonly #parts: FiringParts;
  readonly #waiting: MetCondition[] = [];
  readonly #held: HeldTriggers;
  #onTheWay = 0;
  #isStopping = false;

  constructor(deps: AcceptDeps, parts: FiringParts) {
    this.#deps = deps;
    this.#parts = parts;
    this.#held = new HeldTriggers(deps, parts);
  }

  /**
   * Fires conditions met at the same time, in this order. A position's stop-loss fires before its take-profit, which
   * waits.
   */
  fire(met: readonly MetCondition[]): void {
    for (const condition of this.#inOrder(met)) this.#waiting.push(condition);
    this.#next();
  }

  stop(): void {
    this.#isStopping = true;
    this.#waiting.length = 0;
    this.#held.stop();
  }

  /**
   * Sorts several brackets of one position: the one with priority (a stop-loss before a take-profit) keeps its place;
   * the others go to the end and wait for its round.
   */
  #inOrder(met: readonly MetCondition[]): readonly MetCondition[] {
    if (met.length < 2) return met;
    const brackets = met.flatMap(({ id }) => {
      const record = this.#parts.live.get(id)?.record ?? null;
      return record !== null && record.bracketType !== null ? [record] : [];
    });
    const superseded = new Set(
      brackets.flatMap(({ id, positionId }) => {
        const due = brackets.filter((bracket) => bracket.positionId === positionId);
        return firstToFire(due)?.id === id ? [] : [id];
      }),
    );
    return [...met.filter(({ id }) => !superseded.has(id)), ...met.filter(({ id }) => superseded.has(id))];
  }

  #next(): void {
    while (this.#onTheWay < MOST_AT_ONCE) {
      const condition = this.#waiting.shift();
      if (condition === undefined) return;
      this.#onTheWay += 1;
      this.#untilFired(condition)
        .catch((error: unknown) => {
          if (this.#isStopping) return;
          this.#deps.logger.error({ err: error, triggerId: condition.id }, 'a trigger did not fire');
        })
        .finally(() => {
          this.#onTheWay -= 1;
          this.#next();
        });
    }
  }

  async #untilFired(condition: MetCondition): Promise<void> {
    const unlock = await this.#parts.live.lockGroup(condition.id);
    try {
      for (let wait = FIRST_WAIT_MS; !this.#isStopping; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        if (await this.#tryToFire(condition)) return;
        await this.#deps.clock.sleep(wait);
      }
    } finally {
      unlock();
    }
  }

  /** True: done, because the trigger has fired or must not fire. False: try again. */
  async #tryToFire(condition: MetCondition): Promise<boolean> {
    const { live, reader, table } = this.#parts;
    // The trigger changed meanwhile: cancelled, paused, or superseded by the other bracket.
    const { status, record = null } = live.get(condition.id) ?? {};
    if (record !== null && record.bracketType !== null && watchesWhilePaused(record))
      return this.#parts.rounds.hold(record, condition.value);
    if (status !== 'ACTIVE') return true;
    const trigger = await reader.read(condition.id);
    if (trigger === undefined) return true;
    if (this.#wasMoved(trigger, condition.value)) return true;
    const now = this.#deps.clock.now();
    if (isExpired(trigger, now)) return table.expire(trigger);
    const account = this.#deps.accountOf(trigger.tradeAccountId);
    if (account === undefined) return table.cancel(trigger, 'The trade account was removed');
    if (trigger.kind === 'ALERT') return this.#tell(trigger, condition);
    if (trigger.bracketType !== null && this.#parts.rounds.mustWait(trigger)) {
      return this.#parts.rounds.hold(trigger, condition.value);
    }
    return this.#start(trigger, account, condition);
  }

  /**
   * True: the level changed between the tick that met the old one and this lock. The change has armed the trigger
   * again, and the new level decides.
   */
  #wasMoved({ id, condition }: Trigger, value: string): boolean {
    if (condition === null || !this.#parts.watcher.isWatching(id)) return false;
    return !isPast(value, condition.direction, condition.value);
  }

  /** One unit: the alert's end, its notification, its event. Pauses and limits do not matter, as nothing is traded. */
  async #tell(alert: Trigger, { value, late }: MetCondition): Promise<boolean> {
    const { changes, table } = this.#parts;
    const told = tellAlert(alert, value, this.#deps.clock.now());
    if (!told.ok) return true;
    if (late !== null) changes.firesLate(alert, late);
    return (await table.commit([alert], [changes.changed(told.value)])).ok;
  }

  async #start(trigger: Trigger, account: TradeAccount, condition: MetCondition): Promise<boolean> {
    const { ladders } = this.#parts;
    if (!ladders.takeTurn(trigger, condition)) return true;
    try {
      return await this.#startExecution(trigger, account, condition);
    } finally {
      ladders.endTurn(trigger);
    }
  }

  async #startExecution(trigger: Trigger, account: TradeAccount, condition: MetCondition): Promise<boolean> {
    const { changes, table } = this.#parts;
    let followUp: FollowUp | null = null;
    const started = await startExecution(this.#deps, {
      account,
      basketKey: trigger.basketKey,
      placed: inherited(trigger),
      whenBusy: 'wait',
      instead: { id: trigger.id, usd: null },
      acceptedAt: trigger.createdAt,
      decide: () => this.#intention(trigger),
      commitWith: (execution) => {
        followUp = this.#fired(trigger, execution, condition.value);
        return followUp.unit;
      },
      committed: () => {
        if (condition.late !== null) changes.firesLate(trigger, condition.late);
        followUp?.committed?.();
      },
    });
    if (started.ok) return true;
    this.#parts.ladders.rungIs(trigger);
    const { code, message } = started.error;
    if (code === 'NOOP_ERROR' || isUnarmed(started.error)) return table.cancel(trigger, message);
    if (code === 'AGENT_LIMIT') return table.holdBack(trigger, message);
    if (trigger.kind === 'OPEN' && code === 'RESOURCE_BUSY' && this.#deps.accepting()) {
      await this.#held.hold(trigger, condition.value, message);
      return true;
    }
    this.#deps.logger.warn({ triggerId: trigger.id, code, message }, 'a trigger waits to fire');
    return false;
  }

  #fired(trigger: Trigger, execution: Execution, value: string): FollowUp {
    if (trigger.bracketType !== null) return this.#parts.rounds.fired(trigger, execution, value);
    const fired = fireTrigger(trigger, { value, executionId: execution.id }, this.#deps.clock.now());
    if (!fired.ok) throw new Error(`trigger ${trigger.id} cannot fire: ${fired.error.from}`);
    return this.#parts.changes.changed(fired.value);
  }

  #intention(trigger: Trigger): Result<Intention, EngineError> {
    const { state } = this.#deps;
    if (trigger.bracketType !== null) return this.#parts.rounds.intention(trigger);
    const origin = trigger.ladderId === null ? 'TRIGGER' : 'LADDER';
    if (trigger.kind === 'CLOSE') {
      const closing = closeIntention(this.#deps, state.positions.get(trigger.positionId ?? ''), {
        fraction: trigger.fraction ?? '1',
        slippage: trigger.slippage,
        onLegFailure: trigger.onLegFailure === 'KEEP' ? 'KEEP' : 'RETRY',
        clientId: trigger.clientId,
      });
      return closing.ok ? ok({ ...closing.value, origin }) : closing;
    }
    const position = state.positions.ofBasket(trigger.tradeAccountId, trigger.basketKey) ?? null;
    const { takeProfit, stopLoss } = trigger;
    return ok({
      legs: trigger.legs.map((leg) => inUsd(leg, trigger.totalUsd)),
      slippage: trigger.slippage,
      intent: position === null ? 'OPEN' : 'ADJUST',
      position,
      onLegFailure: trigger.onLegFailure,
      clientId: trigger.clientId,
      origin,
      setup: takeProfit === null && stopLoss === null ? null : { takeProfit, stopLoss, autoRebalance: null },
    });
  }
}

/** Converts a share of the total into USD, so that after a restart the orders alone define the execution. */
function inUsd(leg: TradeLeg, totalUsd: string | null): TradeLeg {
  if (leg.mode !== 'WEIGHT') return leg;
  const amount = dec(leg.amount)
    .mul(totalUsd ?? 0)
    .toDecimalPlaces(18, 1)
    .toFixed();
  return { ...leg, mode: 'USD', amount };
}
