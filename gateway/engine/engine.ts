/** The trading core as one object: commands in, `Result`s out. Made by the composition root. */
import type { Placed } from '../domain/authority.ts';
import { KeyedQueue } from '../domain/keyed-queue.ts';
import type { Fill, Principal, TradeAccount } from '../domain/model.ts';
import type { HeldLot } from '../domain/unassigned.ts';
import { AccountFeed, forgetHistory } from './account/account-feed.ts';
import { type Disagreement, disagreements } from './account/disagreements.ts';
import { setLeverage } from './account/leverage.ts';
import { checkOrders } from './account/order-check/check-orders.ts';
import { attributeReductions } from './account/outside/attribute-reductions.ts';
import { AttributionTimer } from './account/outside/attribution-timer.ts';
import { stillWaiting } from './account/outside/available-fills.ts';
import { type PaperOrder, placePaperOrder } from './account/outside/paper-order.ts';
import { planOfActivity } from './account/outside/plan-of-activity.ts';
import {
  type OutsideDeps,
  type PositionOfActivity,
  positionOfActivity,
} from './account/outside/position-of-activity.ts';
import { oldEnoughAt } from './account/outside/safe-to-attribute.ts';
import { reconcileAndAttribute, syncAccount } from './account/outside/sync-account.ts';
import { voidEveryLot } from './account/outside/void-lots.ts';
import { type Difference, isUnexplained } from './account/reconcile.ts';
import type { EngineDeps } from './core/deps.ts';
import { Idempotency } from './core/idempotency.ts';
import type { OrderCommand } from './execution/accept.ts';
import type { BasketJob } from './execution/basket-job.ts';
import { BasketRunner } from './execution/basket-runner.ts';
import { tellImbalance } from './execution/leg-imbalance.ts';
import { dryRunBasket, type OpenBasket, openBasket } from './execution/open-basket.ts';
import { type RecoveryReport, recover } from './execution/recovery.ts';
import type { AcceptDeps } from './execution/start-execution.ts';
import type { Unsubscribe } from './ports/system.ts';
import type { VenueCheckStep } from './ports/venue.ts';
import {
  type AdjustPosition,
  adjustPosition,
  type ClosePosition,
  closePosition,
} from './positions/change-position.ts';
import { planAdjust, planClose, planReverse } from './positions/plan-change.ts';
import { planCloseAll } from './positions/plan-close-all.ts';
import { openOpposite, tellReversal } from './positions/reverse-position.ts';

const CATCH_UP_EVERY_MS = 60_000;

export interface EngineOptions {
  /** The trade account as it is now; undefined after its removal. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** True: accepted executions are not run and stay IDLE; for benchmarks of the acknowledgement. */
  readonly holdRunner: boolean;
}

export class Engine {
  /** Dependencies of `startExecution` and `acceptExecution`, for services that place orders. */
  readonly accept: AcceptDeps;
  readonly #deps: EngineDeps;
  readonly #runner: BasketRunner;
  readonly #feeds = new Map<string, AccountFeed>();
  readonly #accountOf: EngineOptions['accountOf'];
  readonly #differences = new Map<string, readonly Difference[]>();
  /** Account → when the venue was last compared with its baskets, epoch ms. */
  readonly #comparedAt = new Map<string, number>();
  /** One attribution of outside fills per account at a time, so that no fill is given to two baskets. */
  readonly #outside = new KeyedQueue();
  readonly #attribution: AttributionTimer;
  #accepting = true;
  #cancelTimer: Unsubscribe | null = null;

  constructor(deps: EngineDeps, options: EngineOptions) {
    this.#deps = deps;
    this.#accountOf = options.accountOf;
    this.#runner = new BasketRunner(deps, {
      accountOf: options.accountOf,
      pull: async (account) => (await this.#listenTo(account)?.catchUp()) === true,
    });
    this.#attribution = new AttributionTimer(deps, (id) => this.#attribute(id));
    deps.followUps.tradedOutside = (id, timestamp) =>
      this.#attribution.lookAt(id, oldEnoughAt([{ timestamp }]));
    deps.followUps.onExecutionEnded((ended) =>
      ended.reserved === null ? null : { unit: {}, committed: () => deps.warden.reservations.ended(ended) },
    );
    deps.followUps.onPositionChanged((next, cause) => deps.warden.holdings.changed(next, cause));
    deps.followUps.onExecutionEnded(openOpposite(deps));
    deps.followUps.onExecutionEnded(tellImbalance(deps));
    deps.followUps.onExecutionEnded(tellReversal(deps));
    this.accept = {
      ...deps,
      runner: options.holdRunner
        ? {
            startInTurn: (job: BasketJob) => this.#hold(job),
            startTogether: (_: TradeAccount, jobs: readonly BasketJob[]) => {
              for (const job of jobs) this.#hold(job);
            },
          }
        : this.#runner,
      idempotency: new Idempotency(deps.store),
      accountOf: options.accountOf,
      listenTo: (account) => void this.#listenTo(account),
      accepting: () => this.#accepting,
    };
  }

  /** Rebuilds live state. Executions run only after `start`, so that dependent services can load first. */
  async load(): Promise<void> {
    await this.#deps.state.load(this.#deps.store);
    await this.#deps.warden.load();
  }

  /**
   * Continues unfinished executions and reads the activity of every account while the gateway was off. Call after
   * `load`.
   */
  async start(accounts: readonly TradeAccount[]): Promise<RecoveryReport> {
    const report = await recover(this.#deps, this.#runner, this.#accountOf);
    await Promise.all(accounts.map((account) => this.#follow(account)));
    this.#catchUpIn(CATCH_UP_EVERY_MS);
    return report;
  }

  openBasket(principal: Principal, command: OrderCommand, basket: OpenBasket) {
    return openBasket(this.accept, principal, command, basket);
  }

  dryRunBasket(principal: Principal, account: TradeAccount, basket: OpenBasket) {
    return dryRunBasket(this.#deps, principal, account, basket);
  }

  closePosition(principal: Principal, command: OrderCommand, close: ClosePosition) {
    return closePosition(this.accept, principal, command, close);
  }

  planClose(principal: Principal, account: TradeAccount, asked: Parameters<typeof planClose>[3]) {
    return planClose(this.#deps, principal, account, asked);
  }

  planAdjust(principal: Principal, account: TradeAccount, asked: AdjustPosition) {
    return planAdjust(this.#deps, principal, account, asked);
  }

  planCloseAll(account: TradeAccount, asked: Parameters<typeof planCloseAll>[2]) {
    return planCloseAll(this.#deps, account, asked);
  }

  planReverse(principal: Principal, account: TradeAccount, asked: Parameters<typeof planReverse>[3]) {
    return planReverse(this.#deps, principal, account, asked);
  }

  adjustPosition(principal: Principal, command: OrderCommand, adjust: AdjustPosition) {
    return adjustPosition(this.accept, principal, command, adjust);
  }

  setLeverage(account: TradeAccount, asked: Parameters<typeof setLeverage>[2], placed: Placed) {
    return setLeverage(this.#deps, account, asked, placed);
  }

  /** Checks that orders work at the account's venue, by sending the smallest possible ones. */
  checkOrders(account: TradeAccount, tell: (step: VenueCheckStep) => void) {
    this.#listenTo(account);
    return checkOrders(this.#deps, account, tell);
  }

  /** Asks the venue at once for the account's history, orders and positions. */
  syncAccount(account: TradeAccount) {
    return this.#outside.run(account.id, async () => {
      const synced = await syncAccount(this.#outsideDeps(account), account);
      if (synced.ok && synced.value.differences !== null) this.#found(account, synced.value.differences);
      return synced;
    });
  }

  /** Makes a position from fills made outside Tandem. */
  positionOfActivity(account: TradeAccount, asked: PositionOfActivity, placed: Placed) {
    return this.#outside.run(account.id, () =>
      positionOfActivity(this.#outsideDeps(account), account, asked, placed),
    );
  }

  /** Plan of `positionOfActivity`: the positions that it would make now. */
  planOfActivity(account: TradeAccount, legs: PositionOfActivity['legs'], placed: Placed) {
    return planOfActivity(this.#deps, account, legs, placed);
  }

  /** Fills that wait for a basket, or for the venue's history to confirm them; oldest first. */
  async waitingFills(account: TradeAccount): Promise<readonly Fill[]> {
    return stillWaiting(this.#deps, await this.#deps.store.provisionalFills(account.id));
  }

  /** Holdings of the account outside baskets. */
  unassigned(account: TradeAccount): readonly HeldLot[] {
    return this.#deps.state.unassigned.ofAccount(account.id);
  }

  /** Voids holdings outside baskets, and fills not recorded yet, from before the reset of a paper account. */
  async voidBefore(tradeAccountId: string, resetAt: number): Promise<void> {
    const account = this.#accountOf(tradeAccountId);
    if (account !== undefined) await this.#listenTo(account)?.voidBefore(resetAt);
  }

  /** Trades as if outside Tandem, to try out the handling of outside fills. Paper accounts only. */
  placePaperOrder(account: TradeAccount, order: PaperOrder, principal: Principal) {
    this.#listenTo(account);
    return placePaperOrder(this.#deps, account, order, principal);
  }

  /** Quantities of the account that no basket explains, and the last comparison (epoch ms; null: none yet). */
  disagreements({ id }: TradeAccount): {
    readonly comparedAt: number | null;
    readonly rows: readonly Disagreement[];
  } {
    const { positions, unassigned } = this.#deps.state;
    const last = this.#differences.get(id) ?? [];
    return {
      comparedAt: this.#comparedAt.get(id) ?? null,
      rows: disagreements(positions.of(id), unassigned.ofAccount(id), last),
    };
  }

  /** Differences between baskets and venue, by account, as of the last reconciliation. */
  get differences(): ReadonlyMap<string, readonly Difference[]> {
    return this.#differences;
  }

  /** False once the gateway begins to stop. */
  get isAccepting(): boolean {
    return this.#accepting;
  }

  get runningExecutions(): number {
    return this.#runner.runningCount;
  }

  /** Refuses new orders, lets running executions end for at most `limitMs`, then stops listening. */
  async stop(limitMs: number): Promise<void> {
    this.#accepting = false;
    this.#cancelTimer?.();
    this.#attribution.stop();
    await this.#runner.drain(limitMs);
    // Activity that the feeds have not recorded yet is in the venue's history, after the cursor on disk.
    for (const feed of this.#feeds.values()) feed.stop();
    await Promise.all([...this.#feeds.values()].map((feed) => feed.idle()));
  }

  /** Reads an account's holdings and history at once. To be called when a venue has opened it. Never rejects. */
  async follow(account: TradeAccount): Promise<void> {
    if (!this.#accepting) return;
    await this.#follow(account).catch((error: unknown) => {
      this.#deps.logger.error({ err: error, tradeAccountId: account.id }, 'an account was not read');
    });
  }

  /** Restarts the history of a trade account that becomes another account at the venue, with its holdings there. */
  async unfollow(tradeAccountId: string): Promise<void> {
    this.#feeds.get(tradeAccountId)?.stop();
    this.#feeds.delete(tradeAccountId);
    await voidEveryLot(this.#deps, tradeAccountId, null, this.#runner.stopSignal);
    await forgetHistory(this.#deps, tradeAccountId, this.#runner.stopSignal);
  }

  async #follow(account: TradeAccount): Promise<void> {
    const feed = this.#listenTo(account);
    if (feed === null) return;
    await feed.catchUp();
    await this.#reconcile(account);
  }

  /** Subscribes to an account at the account's first order or at the next start, whichever comes first. */
  #listenTo(account: TradeAccount): AccountFeed | null {
    const existing = this.#feeds.get(account.id);
    if (existing !== undefined) return existing;
    if (this.#deps.venues.get(account.connector) === undefined) return null;
    const feed = new AccountFeed(this.#deps, account, this.#runner.stopSignal, this.#runner.lateOrders);
    this.#feeds.set(account.id, feed);
    feed.listen();
    return feed;
  }

  /** Reads the history of all accounts and reconciles them at once, instead of at the next regular time. */
  catchUp(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#accepting) this.#catchUpIn(0);
  }

  #catchUpIn(delayMs: number): void {
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => {
      const round = [...this.#feeds.keys()].map(async (id) => {
        const account = this.#accountOf(id);
        if (account === undefined) this.#forget(id);
        else {
          await this.#follow(account);
          await this.#feeds.get(id)?.lookForOtherPrograms();
        }
      });
      void Promise.allSettled(round).then(() => {
        if (this.#accepting) this.#catchUpIn(CATCH_UP_EVERY_MS);
      });
    });
  }

  #forget(tradeAccountId: string): void {
    this.#feeds.get(tradeAccountId)?.stop();
    this.#feeds.delete(tradeAccountId);
    this.#differences.delete(tradeAccountId);
    this.#comparedAt.delete(tradeAccountId);
  }

  #found({ id }: TradeAccount, found: readonly Difference[]): void {
    this.#differences.set(id, found);
    this.#comparedAt.set(id, this.#deps.clock.now());
  }

  async #reconcile(account: TradeAccount): Promise<void> {
    const found = await this.#inBackground(account, reconcileAndAttribute);
    if (found === null) return;
    this.#found(account, found);
    const unexplained = found.filter(isUnexplained);
    if (unexplained.length > 0) {
      this.#deps.logger.warn(
        { tradeAccountId: account.id, found: unexplained },
        'baskets and venue positions differ',
      );
    }
  }

  async #attribute(tradeAccountId: string): Promise<void> {
    const account = this.#accountOf(tradeAccountId);
    if (account === undefined) return;
    await this.#inBackground(account, attributeReductions).catch((error: unknown) => {
      this.#deps.logger.error({ err: error, tradeAccountId }, 'trades outside Tandem were not attributed');
    });
  }

  /** null: the gateway stops. The next start does the work again. */
  #inBackground<T>(
    account: TradeAccount,
    work: (deps: OutsideDeps, account: TradeAccount) => Promise<T>,
  ): Promise<T | null> {
    return this.#outside.run(account.id, async () => {
      if (!this.#accepting) return null;
      try {
        return await work(this.#outsideDeps(account), account);
      } catch (error) {
        // The store may be closed already.
        if (!this.#accepting) return null;
        throw error;
      }
    });
  }

  #outsideDeps(account: TradeAccount): OutsideDeps {
    const feed = this.#listenTo(account);
    return {
      ...this.#deps,
      signal: this.#runner.stopSignal,
      accountOf: this.#accountOf,
      pull: async () => (feed === null ? false : feed.catchUp()),
      lookAgainAt: (at) => this.#attribution.lookAt(account.id, at),
    };
  }

  /**
   * Forgets an execution with its reservation and counts. A benchmark accepts more executions in a second than any
   * gateway has at once. The mandate's records of running and ended executions stay empty.
   */
  #hold({ execution }: BasketJob): void {
    const { state, warden } = this.#deps;
    state.claims.release(execution.tradeAccountId, execution.basketKey);
    if (execution.reserved !== null) warden.reservations.giveBack(execution);
  }
}
