import { activateExecution, cancelExecution, failExecution } from '../../domain/execution.ts';
import type { Execution, ExecutionErrorCode, Order, TradeAccount } from '../../domain/model.ts';
import { CANCELLED_BY_TRADER, isTerminalOrder } from '../../domain/order.ts';
import type { BasketTurn } from '../core/basket-claims.ts';
import type { EngineDeps } from '../core/deps.ts';
import { Stopping, type StopSignal, StopSwitch } from '../core/durable.ts';
import { AGENT_DISCONNECTED, isCutOff, shutFor } from '../core/may-open.ts';
import { type BasketJob, reducesPosition } from './basket-job.ts';
import { ClosingRuns } from './closing/closing-runs.ts';
import { ExecutionRecords } from './execution-records.ts';
import type { OrderFold } from './fold-outcome.ts';
import { LateOrders } from './late-orders.ts';
import { legal } from './legal-step.ts';
import { activation, mayTryAgain } from './mandate-limits.ts';
import { OrderAttempts, type Sent } from './order-attempts.ts';
import { type PreparedBasket, prepare } from './prepare.ts';
import { renewExecution } from './renew-execution.ts';
import { repricedLimit, retryableFolds, retryWaitMs, UnsentAttempts } from './retry-policy.ts';
import { tellIfStopWaits } from './silence-notice.ts';

const PAUSED = {
  error: 'Trading was paused before orders were placed. No orders were placed.',
  errorCode: 'PAUSED',
} as const;

const DISCONNECTED = {
  error: `${AGENT_DISCONNECTED} before orders were placed. No orders were placed.`,
  errorCode: 'AGENT_DISCONNECTED',
} as const;

export interface RunnerOptions {
  /** The account as it is now; undefined after its removal. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** Reads the account's history from the venue; false: the venue did not answer. */
  readonly pull: (account: TradeAccount) => Promise<boolean>;
}

export class BasketRunner {
  readonly #deps: EngineDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #signal = new StopSwitch();
  readonly #attempts: OrderAttempts;
  readonly #records: ExecutionRecords;
  readonly #lateOrders: LateOrders;
  readonly #accountOf: (id: string) => TradeAccount | undefined;
  readonly #closing: ClosingRuns;

  constructor(deps: EngineDeps, options: RunnerOptions) {
    this.#deps = deps;
    this.#accountOf = options.accountOf;
    this.#attempts = new OrderAttempts(deps, this.#signal, options.pull);
    this.#records = new ExecutionRecords(deps, this.#signal, this.#attempts, (child) =>
      this.startPromised(child),
    );
    this.#lateOrders = new LateOrders(deps, this.#records);
    this.#closing = new ClosingRuns(
      {
        ...deps,
        signal: this.#signal,
        pull: options.pull,
        followed: (ended, followUp) => this.#records.followed(ended, followUp),
      },
      {
        attempts: this.#attempts,
        records: this.#records,
        conclude: (execution, job, folds) => this.#conclude(execution, job, folds),
      },
    );
  }

  /** Fills of orders that had ended. */
  get lateOrders(): LateOrders {
    return this.#lateOrders;
  }

  get stopSignal(): StopSignal {
    return this.#signal;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /**
   * Runs closing executions of one account that are committed IDLE and have claimed their baskets. They begin together,
   * so that opposite orders of two baskets need not be sent.
   */
  startTogether(account: TradeAccount, jobs: readonly BasketJob[]): void {
    const runs = this.#closing.begin(account, jobs);
    for (const [index, job] of jobs.entries()) this.#track(job, runs[index] ?? Promise.resolve());
  }

  /**
   * Runs an execution that is committed IDLE once its turn for the basket has come, sized by the basket at that time.
   */
  startInTurn(job: BasketJob, turn: BasketTurn): void {
    this.#track(job, turn.isNow ? this.#fromIdle(job) : this.#inTurn(job, turn));
  }

  /** Continues an ACTIVE execution after a restart: asks the venue for the outcome of its orders. */
  resume(job: BasketJob): void {
    this.#deps.state.flights.enter(job.execution.orders, !reducesPosition(job.execution));
    this.#track(
      job,
      reducesPosition(job.execution)
        ? this.#closing.resume(job)
        : this.#fromActive(job.execution, job, undefined),
    );
  }

  /** Waits at most `limitMs` until running executions have ended; the others continue after the next start. */
  async drain(limitMs: number): Promise<void> {
    const deadline = this.#deps.clock.now() + limitMs;
    while (this.#running.size > 0 && this.#deps.clock.now() < deadline) {
      await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(50)]);
    }
    this.#signal.stop();
    if (this.#running.size > 0) {
      await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(1_000)]);
    }
  }

  #track(job: BasketJob, work: Promise<void>): void {
    const { tradeAccountId, basketKey, id } = job.execution;
    const { claims, underWay } = this.#deps.state;
    underWay.enter(job.execution);
    const run = work
      .then(
        () => {
          underWay.leave(job.execution);
          claims.release(tradeAccountId, basketKey);
        },
        (error: unknown) => {
          // A claim is kept when the run fails: the basket answers RESOURCE_BUSY until a restart resumes the
          // execution. That is the safe side, as the basket's state is unknown.
          if (error instanceof Stopping || this.#signal.stopping) return;
          this.#deps.logger.error({ err: error, executionId: id }, 'an execution stopped unexpectedly');
        },
      )
      .finally(() => {
        this.#deps.limits.forget(id);
        this.#running.delete(run);
      });
    this.#running.add(run);
  }

  async #inTurn(job: BasketJob, { come }: BasketTurn): Promise<void> {
    const hasCome = tellIfStopWaits(this.#deps, job.execution, (unit) => {
      this.#records.commit(unit).catch((error: unknown) => {
        if (!this.#signal.stopping)
          this.#deps.logger.error({ err: error }, 'a waiting stop-loss was not told');
      });
    });
    await come;
    hasCome();
    await this.#fromWaiting(job);
  }

  /** Runs an execution that was IDLE for some time: its position may have changed since it was decided. */
  async #fromWaiting(job: BasketJob): Promise<void> {
    if (this.#signal.stopping)
      throw new Stopping('the gateway stops before a waiting execution had its turn');
    const { tradeAccountId, basketKey, id } = job.execution;
    this.#deps.state.claims.handOver(tradeAccountId, basketKey, id);
    const renewed = renewExecution(
      job.execution,
      this.#deps.state.positions.ofBasket(tradeAccountId, basketKey),
    );
    if (!renewed.ok) {
      const orders = cancelledOrders(job.execution, this.#deps.clock.now());
      return this.#failUnsent(job.execution, renewed.error, orders);
    }
    await this.#fromIdle({ ...job, execution: renewed.value });
  }

  async #fromIdle(job: BasketJob): Promise<void> {
    if (reducesPosition(job.execution)) {
      await Promise.all(this.#closing.begin(job.account, [job]));
      return;
    }
    const verdict = await prepare(this.#deps, job);
    if (!verdict.ok) {
      const { orders, ...reason } = verdict.error;
      return this.#failUnsent(job.execution, reason, orders);
    }
    // No await between this check and the commit of ACTIVE. Otherwise a pause could be answered in between while this
    // opening order is still to be sent.
    if (this.#deps.tradingPause.holds(job.execution.userId)) return this.failUnsent(job.execution, PAUSED);
    if (isCutOff(this.#deps, job.execution)) return this.failUnsent(job.execution, DISCONNECTED);
    const shut = shutFor(this.#deps, job.account);
    if (shut !== null) {
      const error = `${shut.message}. No orders were placed.`;
      return this.failUnsent(job.execution, { error, errorCode: shut.reason });
    }
    const now = this.#deps.clock.now();
    const orders = this.#withoutCancelled(job.execution, verdict.value, now);
    // No await either until the orders are in flight: two baskets must not both get the rest of the total.
    const beyond = this.#deps.limits.admit(job.account, job.execution, orders);
    if (beyond !== null) {
      const { code: errorCode, message } = beyond;
      return this.failUnsent(job.execution, { error: `${message}. No orders were placed.`, errorCode });
    }
    const mandate = activation(this.#deps, job.account, job.execution, orders, verdict.value.legs);
    if ('refused' in mandate) {
      const { code: errorCode, message } = mandate.refused;
      return this.failUnsent(job.execution, { error: `${message}. No orders were placed.`, errorCode });
    }
    const { execution } = mandate;
    if (!orders.every(isTerminalOrder)) return this.#activate({ ...job, execution }, orders, now);
    await this.#records.endUnsent(legal(cancelExecution(job.execution, orders, now)));
  }

  /** The prepared orders. An order that the trader has cancelled meanwhile is ended instead of prepared. */
  #withoutCancelled(execution: Execution, basket: PreparedBasket, now: number): readonly Order[] {
    const { cancels } = this.#deps;
    return basket.orders.map((order): Order => {
      const accepted = execution.orders[order.legIndex];
      if (accepted === undefined || !cancels.isWanted(order.id)) return order;
      return { ...accepted, status: 'CANCELLED', ...CANCELLED_BY_TRADER, updatedAt: now };
    });
  }

  /** Ends an execution without any sent order. */
  async failUnsent(
    execution: Execution,
    reason: { readonly error: string; readonly errorCode: ExecutionErrorCode },
  ): Promise<void> {
    await this.#failUnsent(execution, reason, cancelledOrders(execution, this.#deps.clock.now()));
  }

  async #failUnsent(
    execution: Execution,
    reason: { readonly error: string; readonly errorCode: ExecutionErrorCode },
    orders: readonly Order[],
  ): Promise<void> {
    await this.#records.endUnsent(legal(failExecution(execution, reason, orders, this.#deps.clock.now())));
  }

  async #activate(job: BasketJob, orders: readonly Order[], now: number): Promise<void> {
    const active = legal(activateExecution(job.execution, orders, now));
    this.#deps.state.flights.enter(orders, true);
    await this.#records.commit({ executions: [active] });
    this.#deps.cancels.recorded(orders);
    const sent = orders.filter((order) => !isTerminalOrder(order));
    await this.#fromActive(active, job, await this.#send(job, sent));
  }

  /**
   * The commit may have waited for the disk. Orders that have expired meanwhile are not sent, because the venue would
   * refuse them.
   */
  async #send(job: BasketJob, orders: readonly Order[]): Promise<Sent | undefined> {
    const expired = orders.some((order) => (order.expiresAt ?? 0) <= this.#deps.clock.now());
    return expired ? undefined : this.#attempts.send(job.account, orders, job.execution);
  }

  async #fromActive(active: Execution, job: BasketJob, firstSent: Sent | undefined): Promise<void> {
    this.#attempts.watch(active.orders);
    if (firstSent === undefined) for (const order of active.orders) this.#deps.cancels.leaves(order);
    let execution = active;
    let sent = firstSent;
    const known = firstSent === undefined ? await this.#records.tradeIds(active) : new Set<string>();
    const unsent = new UnsentAttempts(this.#deps.clock);
    for (let retries = 0; ; retries += 1) {
      const settled = await this.#attempts.settle(
        job,
        execution,
        sent?.outcomes,
        known,
        (soFar, ended) => this.#records.bookEnded(soFar, ended),
        sent?.heldBack,
      );
      if (settled === null) return;
      const { folds } = settled;
      execution = settled.execution;
      const wanted = this.#retryable(job.account, execution, folds, unsent);
      if (wanted.length === 0) return this.#conclude(execution, job, folds);
      await this.#deps.clock.sleep(Math.max(retryWaitMs(retries), unsent.waitMs(wanted)));
      const retry = this.#retryable(job.account, execution, folds, unsent);
      if (retry.length === 0) return this.#conclude(execution, job, folds);
      unsent.repeated(retry);
      const next = await this.#records.nextAttempt(execution, folds, retry);
      execution = next.execution;
      sent = await this.#send(job, next.sent);
    }
  }

  #retryable(
    account: TradeAccount,
    execution: Execution,
    folds: readonly OrderFold[],
    unsent: UnsentAttempts,
  ): readonly OrderFold[] {
    const { tradingPause, cancels } = this.#deps;
    const isStopped = tradingPause.holds(execution.userId) || isCutOff(this.#deps, execution);
    if (this.#signal.stopping || isStopped || shutFor(this.#deps, account) !== null) return [];
    const wanted = retryableFolds(this.#deps, execution, folds, unsent).filter(
      ({ order }) => !cancels.isWanted(order.id),
    );
    const attempts = wanted.map(({ order }) => {
      return { order, limitPrice: repricedLimit(this.#deps, execution, order) };
    });
    const soFar = { ...execution, orders: folds.map(({ order }) => order) };
    return wanted.length === 0 || mayTryAgain(this.#deps, account, soFar, attempts) ? wanted : [];
  }

  async #conclude(execution: Execution, job: BasketJob, folds: readonly OrderFold[]): Promise<void> {
    const unwinds = await this.#records.conclude(execution, folds);
    for (const unwind of unwinds) await this.#runUnwind(unwind, job);
  }

  async #runUnwind(unwind: Execution, job: BasketJob): Promise<void> {
    this.#deps.state.claims.handOver(unwind.tradeAccountId, unwind.basketKey, unwind.id);
    await this.#fromIdle({ ...job, execution: unwind });
  }

  /**
   * Runs an execution that was committed IDLE earlier (a child, or one found after a restart) when its basket is
   * free.
   */
  startPromised(execution: Execution, account = this.#accountOf(execution.tradeAccountId)): void {
    const { state } = this.#deps;
    const turn = state.claims.takeTurn(execution.tradeAccountId, execution.basketKey, 'wait');
    // Cannot happen: an account with an unfinished execution is not removed, and one under removal starts none.
    if (account === undefined || !turn.ok) throw new Error(`execution ${execution.id} has no trade account`);
    const job = { execution, account, totalUsd: null };
    this.#track(job, this.#inTurn(job, turn.value));
  }
}

function cancelledOrders(execution: Execution, now: number): readonly Order[] {
  return execution.orders.map((order) => ({ ...order, status: 'CANCELLED', updatedAt: now }));
}
