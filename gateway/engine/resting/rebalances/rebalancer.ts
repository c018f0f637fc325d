/**
 * Checks the weights of positions with a rebalance configuration once a minute. If they have drifted, it notifies the
 * trader or rebalances. A configuration changes only in the queue of its position's basket, like the position itself.
 *
 * The last observation (drift, time, the reason why nothing could be done) is in memory only: it is renewed every
 * minute, so a restart may lose it. Trades and notifications are on disk.
 */
import { inherited, type Placed } from '../../../domain/authority.ts';
import {
  type AutoRebalance,
  candleStart,
  moveAutoRebalance,
  REBALANCE_SLIPPAGE,
  reactionTo,
  TIMEFRAME_MS,
} from '../../../domain/auto-rebalance.ts';
import type { ClosingFailurePolicy } from '../../../domain/closing-failure.ts';
import { dec } from '../../../domain/decimal.ts';
import { filledLegs } from '../../../domain/filled.ts';
import type { Execution, Position } from '../../../domain/model.ts';
import { rebalanceNotification } from '../../../domain/notification.ts';
import type { RebalanceTerms } from '../../../domain/position-setup.ts';
import { ok } from '../../../domain/result.ts';
import { isUnarmed } from '../../core/errors.ts';
import { type FollowUp, together } from '../../core/follow-ups.ts';
import { AGENT_DISCONNECTED, isCutOff } from '../../core/may-open.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { givesWayTo } from '../../core/users-brackets.ts';
import { basketQueueKey } from '../../execution/basket-key.ts';
import { type AcceptDeps, type Intention, startExecution } from '../../execution/start-execution.ts';
import { isUnwound } from '../../execution/unwind.ts';
import { noticeOf } from '../../notices/notify.ts';
import type { CandleHistory } from '../../ports/market.ts';
import type { Unsubscribe } from '../../ports/system.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { PairCloses } from './pair-closes.ts';
import type { PlannedRebalance } from './plan-position.ts';
import { pairOf, planPosition, type RebalanceTarget, rebalanceLegs, skipReasons } from './plan-position.ts';

const LOOK_EVERY_MS = 60_000;
const REPLACED = 'Replaced by the rebalancing of a later order';

export class Rebalancer {
  readonly closes: PairCloses;
  /** Configurations that have not ended, by position. */
  readonly #configs = new Map<string, AutoRebalance>();
  readonly #deps: AcceptDeps;
  #cancelTimer: Unsubscribe = () => {};
  #isRunning = false;

  constructor(deps: AcceptDeps, candles: Pick<CandleHistory, 'closes'>) {
    this.#deps = deps;
    this.closes = new PairCloses(candles, deps.clock);
    deps.state.positions.rebalanceOf = (positionId) => this.of(positionId);
    this.#deps.followUps.onExecutionEnded((ended, position) => this.#ended(ended, position));
    this.#deps.followUps.onPositionChanged((next, cause) => this.#positionChanged(next, cause));
  }

  /** Loads configurations. Call before executions of the previous process continue, whose ends they need. */
  async load(): Promise<void> {
    for (const config of await this.#deps.store.liveAutoRebalances()) this.put(config);
  }

  start(): void {
    this.#isRunning = true;
    this.#setTimer();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer();
  }

  of(positionId: string): AutoRebalance | undefined {
    return this.#configs.get(positionId);
  }

  /** Updates memory. To be called after the commit of this configuration. */
  put(config: AutoRebalance): void {
    if (config.status === 'ENDED') this.#configs.delete(config.positionId);
    else this.#configs.set(config.positionId, config);
  }

  newConfig(position: Position, terms: RebalanceTerms, placed: Placed): AutoRebalance {
    const now = this.#deps.clock.now();
    return {
      id: this.#deps.ids.next(),
      userId: position.userId,
      tradeAccountId: position.tradeAccountId,
      connector: position.connector,
      positionId: position.id,
      ...terms,
      onLegFailure: terms.onLegFailure ?? 'RETRY',
      timeframe: terms.mode === 'LIVE_BETA' ? (terms.timeframe ?? '1h') : null,
      status: 'ACTIVE',
      lastDrift: null,
      lastCheckedAt: null,
      lastActionAt: null,
      lastExecutionId: null,
      lastFilled: [],
      error: null,
      ...inherited(placed),
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Rounds run at the end of each hour, when candles end, and at least once a minute. */
  #setTimer(): void {
    const now = this.#deps.clock.now();
    const untilHour = candleStart('1h', now) + TIMEFRAME_MS['1h'] - now;
    this.#cancelTimer = this.#deps.clock.after(Math.min(untilHour, LOOK_EVERY_MS), () => {
      void this.#round().finally(() => {
        if (this.#isRunning) this.#setTimer();
      });
    });
  }

  async #round(): Promise<void> {
    for (const positionId of [...this.#configs.keys()]) {
      try {
        await this.#look(positionId);
      } catch (error) {
        this.#deps.logger.error({ positionId, err: error }, 'A position could not be looked at');
      }
    }
  }

  async #look(positionId: string): Promise<void> {
    const position = this.#deps.state.positions.get(positionId);
    const config = this.#configs.get(positionId);
    if (position === undefined || config?.status !== 'ACTIVE') return;
    const pair = config.timeframe === null ? null : pairOf(position);
    if (config.timeframe !== null && pair !== null)
      await this.closes.load(config.connector, config.timeframe, pair);
    await this.#deps.state.positions.queue.run(basketQueueKey(position), () => this.#checkDrift(positionId));
  }

  async #checkDrift(positionId: string): Promise<void> {
    const position = this.#deps.state.positions.get(positionId);
    const config = this.#configs.get(positionId);
    if (position === undefined || config?.status !== 'ACTIVE' || !this.#isRunning) return;
    const now = this.#deps.clock.now();
    const isStale = position.legs.some((leg) => this.#deps.market.isStale(position.connector, leg.symbol));
    if (isStale) return;
    const planned = planPosition({ ...this.#deps, closes: this.closes }, position, targetOf(config));
    if (!planned.ok) {
      this.put({ ...config, lastCheckedAt: now, error: planned.error.message });
      return;
    }
    const { drift } = planned.value.plan;
    const seen: AutoRebalance = { ...config, lastDrift: drift, lastCheckedAt: now };
    this.put(seen);
    switch (reactionTo(seen, drift, now)) {
      case 'NOTHING':
        return;
      case 'NOTIFY':
        return this.#tell(seen, position, driftText(drift), now);
      case 'TRADE':
        return this.#trade(seen, position, planned.value, now);
    }
  }

  async #tell(config: AutoRebalance, position: Position, reason: string, now: number): Promise<void> {
    const after: AutoRebalance = { ...config, lastActionAt: now, updatedAt: now };
    const unit = this.#news('REBALANCE_DRIFT', position, null, reason);
    const kept = await this.#deps.store.commit(oneUnit({ autoRebalances: [after] }, unit));
    if (kept.ok) this.put(after);
  }

  async #trade(
    config: AutoRebalance,
    position: Position,
    planned: PlannedRebalance,
    now: number,
  ): Promise<void> {
    const { drift } = planned.plan;
    const legs = rebalanceLegs(planned.plan);
    if (legs.length === 0) {
      const error = `${driftText(drift)}; no leg can be traded: ${skipReasons(planned.plan)}`;
      return this.#tell({ ...config, error }, position, error, now);
    }
    const account = this.#deps.accountOf(config.tradeAccountId);
    if (account === undefined || this.#deps.tradingPause.holds(config.userId)) return;
    if (isCutOff(this.#deps, config)) return this.#end(config, now);
    let after = config;
    const started = await startExecution(this.#deps, {
      account,
      basketKey: position.basketKey,
      placed: inherited(config),
      whenBusy: 'refuse',
      decide: () =>
        ok(
          rebalanceIntention(position, legs, {
            slippage: REBALANCE_SLIPPAGE,
            onLegFailure: config.onLegFailure,
            clientId: null,
          }),
        ),
      commitWith: (execution) => {
        after = {
          ...config,
          lastActionAt: now,
          lastExecutionId: execution.id,
          lastFilled: [],
          error: null,
          updatedAt: now,
        };
        return { autoRebalances: [after] };
      },
      committed: () => this.put(after),
    });
    if (!started.ok && (isUnarmed(started.error) || started.error.code === 'AGENT_LIMIT')) {
      const error = `${driftText(drift)}; ${started.error.message}`;
      return this.#tell({ ...config, error }, position, error, now);
    }
    // If the basket is busy, the next round tries again in a minute.
    if (!started.ok && started.error.code !== 'RESOURCE_BUSY') {
      this.#deps.logger.warn({ positionId: position.id, err: started.error }, 'A rebalance could not begin');
    }
  }

  /** Ends the configuration of an agent whose access was revoked. */
  async #end(config: AutoRebalance, now: number): Promise<void> {
    const ended = moveAutoRebalance({ ...config, error: AGENT_DISCONNECTED }, 'end', now);
    if (!ended.ok) return;
    const kept = await this.#deps.store.commit({ autoRebalances: [ended.value] });
    if (kept.ok) this.put(ended.value);
  }

  /** Outcome of a rebalance started by the configuration. Requested rebalances are ignored. */
  #ended(ended: Execution, position: Position | null): FollowUp | null {
    if (position === null) return null;
    if (ended.origin !== 'REBALANCE') {
      const hasFilled = ended.orders.some(({ filledQuantity }) => filledQuantity !== '0');
      const isKept = ended.onLegFailure === 'UNWIND' && hasFilled && !isUnwound(ended);
      return isKept ? this.#brought(position, ended) : null;
    }
    const config = this.#configs.get(position.id);
    if (config?.lastExecutionId !== ended.id) return null;
    const isDone = ended.status === 'COMPLETED';
    const after: AutoRebalance = {
      ...config,
      lastFilled: filledLegs(ended.orders),
      error: ended.error,
      updatedAt: this.#deps.clock.now(),
    };
    const drift = driftText(config.lastDrift ?? '0');
    const unit = isDone
      ? this.#news('REBALANCE_EXECUTED', position, ended.id, drift)
      : this.#news('REBALANCE_DRIFT', position, ended.id, `${drift}; ${ended.error ?? 'it was not traded'}`);
    return { unit: oneUnit({ autoRebalances: [after] }, unit), committed: () => this.put(after) };
  }

  /**
   * A configuration ends with its position. One that comes with an order starts with that order's first fills, or at its
   * end if they may be closed again (UNWIND).
   */
  #positionChanged(next: Position, cause: Execution | null): FollowUp | null {
    const config = this.#configs.get(next.id);
    if (next.status === 'CLOSED') {
      const ended = config === undefined ? null : moveAutoRebalance(config, 'end', this.#deps.clock.now());
      return ended?.ok === true ? this.#following(ended.value) : null;
    }
    return cause === null || cause.onLegFailure === 'UNWIND' ? null : this.#brought(next, cause);
  }

  #brought(next: Position, cause: Execution): FollowUp | null {
    const config = this.#configs.get(next.id);
    const terms = this.#deps.state.setups.get(cause.id)?.autoRebalance ?? null;
    if (terms === null) return null;
    const fresh = this.#following(this.newConfig(next, terms, inherited(cause)));
    if (config === undefined) return fresh;
    if (!givesWayTo(this.#deps, cause)(config)) return null;
    const ended = moveAutoRebalance({ ...config, error: REPLACED }, 'end', this.#deps.clock.now());
    return ended.ok ? together([this.#following(ended.value), fresh]) : null;
  }

  #following(config: AutoRebalance): FollowUp {
    return { unit: { autoRebalances: [config] }, committed: () => this.put(config) };
  }

  #news(
    category: 'REBALANCE_DRIFT' | 'REBALANCE_EXECUTED',
    position: Position,
    executionId: string | null,
    reason: string,
  ): UnitOfWork {
    const about = { legs: position.legs, positionId: position.id, executionId };
    return noticeOf(this.#deps, position, about, (subject) =>
      rebalanceNotification(category, subject, reason),
    );
  }
}

/** A rebalance buys and sells within the position. The position's target weights do not change. */
export function rebalanceIntention(
  position: Position,
  legs: Intention['legs'],
  terms: Pick<Intention, 'slippage' | 'clientId'> & { readonly onLegFailure: ClosingFailurePolicy },
): Intention {
  return { legs, intent: 'ADJUST', position, origin: 'REBALANCE', ...terms };
}

function targetOf(config: AutoRebalance): RebalanceTarget {
  const { mode, minimumDrift, maxTradeUsd } = config;
  return { mode, timeframe: config.timeframe ?? '1h', minimumDrift, maxTradeUsd };
}

function driftText(drift: string): string {
  return `The weights drifted ${dec(drift).mul(100).toDecimalPlaces(2).toFixed()} % from their targets`;
}
