/**
 * Puts triggers, brackets and ladders together. They are loaded before executions of the previous process continue,
 * because an execution's end changes triggers in its own unit; they are watched from `start` on.
 */

import { watchesWhilePaused } from '../../../domain/bracket-rounds.ts';
import { isRestingTrigger, type Trigger, type WaitingOpening } from '../../../domain/trigger.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';
import type { CandleHistory } from '../../ports/market.ts';
import type { TrailingPeak } from '../../ports/unit-of-work.ts';
import { BracketRounds, POSITION_CLOSED } from './bracket-rounds.ts';
import { type BracketService, createBracketService } from './bracket-service.ts';
import { FeedPauses } from './feed-pauses.ts';
import { LadderPauses } from './ladder-pauses.ts';
import { createLadderService, type LadderService } from './ladder-service.ts';
import { followLateFills } from './late-fills.ts';
import { LiveLadders } from './live-ladders.ts';
import { LiveTriggers } from './live-triggers.ts';
import { RatioWindows } from './ratio-windows.ts';
import { TriggerChanges } from './trigger-changes.ts';
import { TriggerExpiry } from './trigger-expiry.ts';
import { TriggerFiring } from './trigger-firing.ts';
import { followExecutions } from './trigger-follow-ups.ts';
import type { TriggerParts } from './trigger-parts.ts';
import { TriggerReader } from './trigger-reader.ts';
import { createTriggerService, type TriggerService } from './trigger-service.ts';
import { TriggerTable } from './trigger-table.ts';
import { TriggerWatcher } from './trigger-watcher.ts';
import { WindowNews } from './window-news.ts';

const TRY_AGAIN_MS = 1_000;

export class Triggers {
  readonly triggers: TriggerService;
  readonly brackets: BracketService;
  readonly ladders: LadderService;
  readonly #deps: AcceptDeps;
  readonly #parts: TriggerParts & { readonly watcher: TriggerWatcher; readonly rounds: BracketRounds };
  readonly #firing: TriggerFiring;
  readonly #pauses: FeedPauses;
  readonly #expiry: TriggerExpiry;
  readonly #ladderPauses: LadderPauses;
  /** Triggers that the previous process paused for stale feeds that are back now. */
  #backSinceLastRun: readonly string[] = [];
  /**
   * Ladders not ended on disk although all their rungs have ended. Other ladders are left alone: an execution of the
   * previous process may be ending their last rung now, and the ladder would end twice.
   */
  #unsettledByLastRun: readonly string[] = [];
  /** Ladders whose pending rungs the previous process may not have paused yet. */
  #unsureByLastRun: readonly string[] = [];
  #isStopping = false;

  constructor(deps: AcceptDeps, candles: Pick<CandleHistory, 'closes'>) {
    this.#deps = deps;
    const windows = new RatioWindows(candles, deps.clock);
    const live = new LiveTriggers((id, reason) => void this.#cancelWhenFree(id, reason));
    const ladders = new LiveLadders(deps);
    const news = new WindowNews(deps, live);
    const watcher = new TriggerWatcher(
      { ...deps, positions: deps.state.positions, live, windows },
      {
        met: (conditions) => this.#firing.fire(conditions),
        stale: (ids) => this.#pauses.pause(ids),
        back: (ids) => this.#pauses.lookAgain(ids),
        peaks: (peaks) => void this.#keepPeaks(peaks),
        blind: (ids) => news.look(ids),
      },
    );
    const changes = new TriggerChanges(deps, { live, ladders, watcher });
    const reader = new TriggerReader(deps.store, live);
    const table = new TriggerTable(deps, { changes, ladders });
    const rounds = new BracketRounds(deps, { live, changes, table });
    const parts = { deps, live, ladders, changes, reader, table, watcher, rounds, windows };
    this.#parts = parts;
    this.#pauses = new FeedPauses(deps, parts);
    this.#firing = new TriggerFiring(deps, parts);
    this.#expiry = new TriggerExpiry(deps, parts);
    changes.onExpiry = () => this.#expiry.plan();
    this.#ladderPauses = new LadderPauses(deps, parts);
    changes.onMet = (met) => this.#firing.fire([met]);
    ladders.onTurn = (met) => this.#firing.fire(met);
    ladders.onApart = (id) => this.#ladderPauses.pause(id);
    this.triggers = createTriggerService(parts);
    this.brackets = createBracketService(parts);
    this.ladders = createLadderService(parts);
    followExecutions(deps, parts);
    deps.followUps.onFilledLate(followLateFills(deps, parts));
    deps.state.positions.bracketsOf = (positionId) => live.bracketsOf(positionId);
    deps.state.claims.keepAccountsThat((tradeAccountId) => live.hasOrders(tradeAccountId));
  }

  /** Number of live triggers in any state. */
  get count(): number {
    return this.#parts.live.size;
  }

  /** Loads triggers. To be called after `Engine.load`, before `Engine.start`. */
  async load(): Promise<void> {
    const { store, logger } = this.#deps;
    const back: string[] = [];
    this.#parts.watcher.reserve(await store.liveTriggerCount());
    await store.eachLiveTrigger(
      (triggers) => {
        for (const trigger of triggers) {
          if (this.#takeStored(trigger)) back.push(trigger.id);
        }
      },
      (triggerId, reason) =>
        logger.error({ triggerId, reason }, 'a stored trigger is damaged: it is not watched'),
    );
    this.#backSinceLastRun = back;
    const ladders = await store.liveLadders();
    const statuses = await store.rungStatuses(ladders.map(({ id }) => id));
    for (const ladder of ladders) this.#parts.ladders.put(ladder, statuses);
    this.#unsureByLastRun = this.#parts.ladders.pauseUnsure();
    this.#unsettledByLastRun = ladders.flatMap(({ id }) =>
      this.#parts.ladders.settle(id) === null ? [] : [id],
    );
  }

  /** Checks every pending trigger, and watches from then on. To be called after `Engine.start`. */
  start(): void {
    for (const id of this.#backSinceLastRun) this.#parts.watcher.unwatch(id);
    this.#parts.watcher.start();
    this.#expiry.start();
    this.#pauses.lookAgain(this.#backSinceLastRun);
    this.#backSinceLastRun = [];
    this.#mend();
    this.#parts.rounds.start();
  }

  /** Ends triggers that expired during sleep. Prices are checked every second anyway. */
  woke(): void {
    this.#expiry.plan();
  }

  /** Stops the firing of triggers. To be called before `Engine.stop`. */
  stop(): void {
    this.#isStopping = true;
    this.#parts.watcher.stop();
    this.#expiry.stop();
    this.#pauses.stop();
    this.#firing.stop();
    this.#ladderPauses.stop();
    this.#parts.rounds.stop();
  }

  /** Puts a stored trigger into memory. True: it was paused for a feed that is back. */
  #takeStored(trigger: Trigger | WaitingOpening): boolean {
    this.#parts.live.put(trigger);
    if (!isRestingTrigger(trigger)) return false;
    const { id, expiresAt } = trigger;
    if (expiresAt !== null) this.#parts.changes.expiries.add({ at: expiresAt, id });
    const waitsForFeed = trigger.pauseReason === 'FEED_STALE';
    if (trigger.status === 'PAUSED' && !waitsForFeed && !watchesWhilePaused(trigger)) return false;
    return this.#parts.watcher.watch(trigger, 'next_tick') && waitsForFeed;
  }

  /** Makes the changes that the previous process had yet to make in units of their own. */
  #mend(): void {
    for (const [id, { positionId, status, record }] of this.#parts.live.all()) {
      const met = record?.armed?.met;
      if (met !== undefined && status === 'ACTIVE') this.#firing.fire([{ id, value: met, late: 'gap' }]);
      if (positionId !== null && this.#deps.state.positions.get(positionId) === undefined)
        this.#end(id, POSITION_CLOSED);
    }
    for (const id of this.#unsettledByLastRun) {
      const settled = this.#parts.ladders.settle(id);
      if (settled !== null) void this.#parts.table.commit([], [settled]);
    }
    this.#unsettledByLastRun = [];
    for (const id of this.#unsureByLastRun) this.#ladderPauses.mend(id);
    this.#unsureByLastRun = [];
  }

  #end(id: string, reason: string): void {
    const live = this.#parts.live.get(id);
    if (live !== undefined && isRestingTrigger(live)) void this.#cancelWhenFree(id, reason);
  }

  async #cancelWhenFree(id: string, reason: string): Promise<void> {
    const unlock = await this.#parts.live.lock(id);
    try {
      while (!this.#isStopping) {
        const trigger = await this.#parts.reader.read(id);
        if (trigger === undefined || !isRestingTrigger(trigger)) return;
        if (await this.#parts.table.cancel(trigger, reason)) return;
        await this.#deps.clock.sleep(TRY_AGAIN_MS);
      }
    } finally {
      unlock();
    }
  }

  /** A peak that cannot be stored is stored with the next one. The bracket uses the peak in memory anyway. */
  async #keepPeaks(trailingPeaks: readonly TrailingPeak[]): Promise<void> {
    const kept = await this.#deps.store.commit({ trailingPeaks });
    if (!kept.ok) this.#deps.logger.warn({ reason: kept.error.message }, 'trailing peaks were not kept');
  }
}
