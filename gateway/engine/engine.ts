/** The trading core as one object: commands in, `Result`s out. Made by the composition root. */
import type { Principal, TradeAccount } from '../domain/model.ts';
import type { AcceptDeps, OrderCommand } from './accept.ts';
import { AccountFeed } from './account-feed.ts';
import { BasketRunner, type Job } from './basket-runner.ts';
import { type AdjustPosition, adjustPosition, type ClosePosition, closePosition } from './change-position.ts';
import type { EngineDeps } from './deps.ts';
import { Idempotency } from './idempotency.ts';
import { setLeverage } from './leverage.ts';
import { dryRunBasket, type OpenBasket, openBasket } from './open-basket.ts';
import type { Unsubscribe } from './ports.ts';
import { type Difference, reconcile } from './reconcile.ts';
import { type RecoveryReport, recover } from './recovery.ts';

const CATCH_UP_EVERY_MS = 60_000;

export interface EngineOptions {
  /** Benchmarks of the acknowledgement only: executions stay IDLE. */
  readonly holdRunner: boolean;
}

export class Engine {
  readonly #deps: EngineDeps;
  readonly #accept: AcceptDeps;
  readonly #runner: BasketRunner;
  readonly #feeds = new Map<string, { feed: AccountFeed; account: TradeAccount }>();
  readonly #differences = new Map<string, readonly Difference[]>();
  #accepting = true;
  #cancelTimer: Unsubscribe | null = null;

  constructor(deps: EngineDeps, options: EngineOptions) {
    this.#deps = deps;
    this.#runner = new BasketRunner(deps);
    this.#accept = {
      ...deps,
      runner: options.holdRunner ? { start: (job: Job) => this.#hold(job) } : this.#runner,
      idempotency: new Idempotency(deps.store),
      accepting: () => this.#accepting,
    };
  }

  /** Rebuilds live state, continues what had not ended, and catches up with every account. */
  async start(accounts: readonly TradeAccount[]): Promise<RecoveryReport> {
    await this.#deps.book.load(this.#deps.store);
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const report = await recover(this.#deps, this.#runner, (id) => byId.get(id));
    await Promise.all(accounts.map((account) => this.watchAccount(account)));
    this.#scheduleCatchUp();
    return report;
  }

  /** Listens to an account from now on; call it for every new one. */
  async watchAccount(account: TradeAccount): Promise<void> {
    if (this.#feeds.has(account.id) || this.#deps.venues.get(account.connector) === undefined) return;
    const feed = new AccountFeed(this.#deps, account, this.#runner.stopSignal);
    this.#feeds.set(account.id, { feed, account });
    feed.listen();
    await feed.catchUp();
    await this.#reconcile(account);
  }

  unwatchAccount(tradeAccountId: string): void {
    this.#feeds.get(tradeAccountId)?.feed.stop();
    this.#feeds.delete(tradeAccountId);
    this.#differences.delete(tradeAccountId);
  }

  openBasket(principal: Principal, command: OrderCommand, basket: OpenBasket) {
    return openBasket(this.#accept, principal, command, basket);
  }

  dryRunBasket(principal: Principal, account: TradeAccount, basket: OpenBasket) {
    return dryRunBasket(this.#deps, principal, account, basket);
  }

  closePosition(principal: Principal, command: OrderCommand, close: ClosePosition) {
    return closePosition(this.#accept, principal, command, close);
  }

  adjustPosition(principal: Principal, command: OrderCommand, adjust: AdjustPosition) {
    return adjustPosition(this.#accept, principal, command, adjust);
  }

  setLeverage(account: TradeAccount, asked: Parameters<typeof setLeverage>[2]) {
    return setLeverage(this.#deps, account, asked);
  }

  /** True while the account holds open positions or runs an execution. */
  hasOpenBusiness(tradeAccountId: string): boolean {
    const { book } = this.#deps;
    return book.isRunning(tradeAccountId) || book.positionsOf(tradeAccountId).length > 0;
  }

  /** Where the baskets and the venue disagree, as of the last look. */
  get differences(): ReadonlyMap<string, readonly Difference[]> {
    return this.#differences;
  }

  get runningExecutions(): number {
    return this.#runner.runningCount;
  }

  /** Refuses new orders, lets running executions end for at most `limitMs`, then stops listening. */
  async stop(limitMs: number): Promise<void> {
    this.#accepting = false;
    this.#cancelTimer?.();
    await this.#runner.drain(limitMs);
    for (const { feed } of this.#feeds.values()) {
      feed.stop();
      await feed.idle();
    }
  }

  #scheduleCatchUp(): void {
    this.#cancelTimer = this.#deps.clock.after(CATCH_UP_EVERY_MS, () => {
      const round = [...this.#feeds.values()].map(async ({ feed, account }) => {
        await feed.catchUp();
        await this.#reconcile(account);
      });
      void Promise.allSettled(round).then(() => {
        if (this.#accepting) this.#scheduleCatchUp();
      });
    });
  }

  async #reconcile(account: TradeAccount): Promise<void> {
    const found = await reconcile(this.#deps, account);
    if (found === null) return;
    this.#differences.set(account.id, found);
    if (found.length > 0) {
      this.#deps.logger.warn({ tradeAccountId: account.id, found }, 'baskets and venue positions differ');
    }
  }

  #hold(job: Job): void {
    this.#deps.book.release(job.execution.tradeAccountId, job.execution.basketKey);
  }
}
