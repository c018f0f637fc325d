/**
 * Runs an accepted execution to its end: prepare → commit ACTIVE → send → settle → fold → conclude.
 *
 * Invariants: an attempt's client order ids are on disk before the attempt is sent, so an order is sent at most once; what
 * the venue answered is on disk before anybody is told; the basket stays claimed until its execution has ended. A crash
 * between any two steps leaves a state that `resume` continues from.
 */
import type { MaterializedBasket } from '../../domain/basket.ts';
import {
  activateExecution,
  cancelExecution,
  concludeExecution,
  failExecution,
} from '../../domain/execution.ts';
import { venueTradeId } from '../../domain/fill-review.ts';
import type { Execution, Order, Position, TradeAccount } from '../../domain/model.ts';
import { CANCELLED_BY_TRADER, isTerminalOrder } from '../../domain/order.ts';
import { lotOf } from '../../domain/unassigned.ts';
import { openedBasket } from '../core/basket-registry.ts';
import type { BasketTurn } from '../core/book.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, Stopping, type StopSignal } from '../core/durable.ts';
import { executionEnded, ordersUpdated, positionChanged } from '../core/events.ts';
import { type FollowUp, together } from '../core/follow-ups.ts';
import { AGENT_DISCONNECTED, isCutOff } from '../core/may-open.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { OrderOutcome } from '../ports/venue.ts';
import { askOf, type BasketJob, reducesPosition } from './basket-job.ts';
import { ClosingRuns } from './closing/closing-runs.ts';
import { endUnfilled, foldPosition, type OrderFold } from './fold-outcome.ts';
import { OrderAttempts } from './order-attempts.ts';
import { nextAttempt, type PreparedBasket, prepare } from './prepare.ts';
import { renewExecution } from './renew-execution.ts';
import { repricedLimit, retryableFolds, retryWaitMs } from './retry-policy.ts';
import { unwindExecution } from './unwind.ts';

const PAUSED = {
  error: 'Trading was paused before orders were placed. No orders were placed.',
  errorCode: 'PAUSED',
} as const;

const DISCONNECTED = {
  error: `${AGENT_DISCONNECTED} before orders were placed. No orders were placed.`,
  errorCode: 'AGENT_DISCONNECTED',
} as const;

export interface RunnerOptions {
  /** The account as it is now; undefined once it is removed. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** Reads the account's history from the venue; false: it did not answer. */
  readonly pull: (account: TradeAccount) => Promise<boolean>;
}

export class BasketRunner {
  readonly #deps: EngineDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #signal: { stopping: boolean } = { stopping: false };
  readonly #attempts: OrderAttempts;
  readonly #accountOf: (id: string) => TradeAccount | undefined;
  readonly #closing: ClosingRuns;

  constructor(deps: EngineDeps, options: RunnerOptions) {
    this.#deps = deps;
    this.#accountOf = options.accountOf;
    this.#attempts = new OrderAttempts(deps, this.#signal);
    this.#closing = new ClosingRuns(
      {
        ...deps,
        signal: this.#signal,
        pull: options.pull,
        followed: (ended, followUp) => this.#followed(ended, followUp),
      },
      {
        attempts: this.#attempts,
        conclude: (execution, job, folds) => this.#conclude(execution, job, folds),
        recordFolds: (execution, folds, goingOn) => this.#recordFolds(execution, folds, goingOn),
        endUnsent: (ended) => this.#endUnsent(legal(ended)),
        recordedTradeIds: (execution) => this.#recordedTradeIds(execution),
      },
    );
  }

  get stopSignal(): StopSignal {
    return this.#signal;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Takes over a claimed basket whose execution is committed IDLE. */
  start(job: BasketJob): void {
    this.#track(job, this.#fromIdle(job));
  }

  /** As `start`, of several baskets of one account that close: what one sells and another buys need not be sent. */
  startTogether(account: TradeAccount, jobs: readonly BasketJob[]): void {
    const runs = this.#closing.begin(account, jobs);
    for (const [index, job] of jobs.entries()) this.#track(job, runs[index] ?? Promise.resolve());
  }

  /** Runs an execution that is committed IDLE once its basket is free, on what the basket is by then. */
  startInTurn(job: BasketJob, turn: BasketTurn): void {
    this.#track(job, turn.isNow ? this.#fromIdle(job) : turn.come.then(() => this.#fromWaiting(job)));
  }

  /** Continues an ACTIVE execution after a restart: asks the venue what became of its orders. */
  resume(job: BasketJob): void {
    this.#deps.book.flights.enter(job.execution.orders);
    this.#track(
      job,
      job.reduces ? this.#closing.resume(job) : this.#fromActive(job.execution, job, undefined),
    );
  }

  /** Waits until what runs has ended, at most `limitMs`; what is left continues after the next start. */
  async drain(limitMs: number): Promise<void> {
    const deadline = this.#deps.clock.now() + limitMs;
    while (this.#running.size > 0 && this.#deps.clock.now() < deadline) {
      await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(50)]);
    }
    this.#signal.stopping = true;
    if (this.#running.size > 0) {
      await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(1_000)]);
    }
  }

  #track(job: BasketJob, work: Promise<void>): void {
    const { tradeAccountId, basketKey, id } = job.execution;
    const run = work
      .then(
        () => this.#deps.book.release(tradeAccountId, basketKey),
        (error: unknown) => {
          // A claim that is not released makes the basket answer RESOURCE_BUSY until the restart resumes it: that is the
          // safe side when we no longer know what state it is in.
          if (error instanceof Stopping || this.#signal.stopping) return;
          this.#deps.logger.error({ err: error, executionId: id }, 'an execution stopped unexpectedly');
        },
      )
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** IDLE for some time: what it was decided on may have changed. */
  async #fromWaiting(job: BasketJob): Promise<void> {
    if (this.#signal.stopping)
      throw new Stopping('the gateway stops before a waiting execution had its turn');
    const { tradeAccountId, basketKey, id } = job.execution;
    this.#deps.book.handOver(tradeAccountId, basketKey, id);
    const renewed = renewExecution(job.execution, this.#deps.book.openPosition(tradeAccountId, basketKey));
    if (!renewed.ok) {
      const orders = cancelledOrders(job.execution, this.#deps.clock.now());
      return this.#failUnsent(job.execution, renewed.error, orders);
    }
    await this.#fromIdle({ ...job, execution: renewed.value, ask: askOf(renewed.value) });
  }

  async #fromIdle(job: BasketJob): Promise<void> {
    if (job.reduces) {
      await Promise.all(this.#closing.begin(job.account, [job]));
      return;
    }
    const verdict = await prepare(this.#deps, job.execution, job);
    if (!verdict.ok) {
      const { orders, ...reason } = verdict.error;
      return this.#failUnsent(job.execution, reason, orders);
    }
    // From here to the commit of ACTIVE nothing waits: a pause that is answered later finds no opening order unsent.
    if (this.#deps.brakes.hold(job.execution.userId)) return this.failUnsent(job.execution, PAUSED);
    if (isCutOff(this.#deps, job.execution)) return this.failUnsent(job.execution, DISCONNECTED);
    const now = this.#deps.clock.now();
    const orders = this.#withoutCancelled(job.execution, verdict.value, now);
    if (!orders.every(isTerminalOrder)) return this.#activate(job, orders, now);
    await this.#endUnsent(legal(cancelExecution(job.execution, orders, now)));
  }

  /** The prepared orders; what the trader cancelled before anything was sent has ended and stays as it was accepted. */
  #withoutCancelled(execution: Execution, basket: PreparedBasket, now: number): readonly Order[] {
    const { cancels } = this.#deps;
    return basket.orders.map((order): Order => {
      const accepted = execution.orders[order.legIndex];
      if (accepted === undefined || !cancels.isWanted(order.id)) return order;
      return { ...accepted, status: 'CANCELLED', ...CANCELLED_BY_TRADER, updatedAt: now };
    });
  }

  /** Ends an execution of which nothing was sent. */
  async failUnsent(
    execution: Execution,
    reason: { readonly error: string; readonly errorCode: string },
  ): Promise<void> {
    await this.#failUnsent(execution, reason, cancelledOrders(execution, this.#deps.clock.now()));
  }

  async #failUnsent(
    execution: Execution,
    reason: { readonly error: string; readonly errorCode: string },
    orders: readonly Order[],
  ): Promise<void> {
    await this.#endUnsent(legal(failExecution(execution, reason, orders, this.#deps.clock.now())));
  }

  async #endUnsent(ended: Execution): Promise<void> {
    const { book } = this.#deps;
    const { orders, updatedAt } = ended;
    await book.positionQueue.run(`${ended.tradeAccountId} ${ended.basketKey}`, async () => {
      const position = book.openPosition(ended.tradeAccountId, ended.basketKey) ?? null;
      const followUp = this.#deps.followUps.ofEnd(ended, position);
      await this.#commit(
        oneUnit(
          {
            executions: [ended],
            newExecutions: followUp.children ?? [],
            events: [...ordersUpdated(orders, updatedAt), executionEnded(ended)],
          },
          followUp.unit,
        ),
      );
      this.#deps.cancels.recorded(orders);
      this.#followed(ended, followUp);
    });
  }

  async #activate(job: BasketJob, orders: readonly Order[], now: number): Promise<void> {
    const active = legal(activateExecution(job.execution, orders, now));
    this.#deps.book.flights.enter(orders);
    await this.#commit({ executions: [active] });
    this.#deps.cancels.recorded(orders);
    const sent = orders.filter((order) => !isTerminalOrder(order));
    await this.#fromActive(active, job, await this.#send(job, sent));
  }

  /** The commit may have waited for the disk: orders that the venue would refuse as expired are not sent any more. */
  async #send(job: BasketJob, orders: readonly Order[]): Promise<readonly OrderOutcome[] | undefined> {
    const expired = orders.some((order) => (order.expiresAt ?? 0) <= this.#deps.clock.now());
    return expired ? undefined : this.#attempts.send(job.account, orders);
  }

  async #fromActive(
    active: Execution,
    job: BasketJob,
    firstOutcomes: readonly OrderOutcome[] | undefined,
  ): Promise<void> {
    this.#attempts.watch(active.orders);
    if (firstOutcomes === undefined) for (const order of active.orders) this.#deps.cancels.leaves(order);
    let execution = active;
    let outcomes = firstOutcomes;
    const known = firstOutcomes === undefined ? await this.#recordedTradeIds(active) : new Set<string>();
    for (let retries = 0; ; retries += 1) {
      const folds = await this.#attempts.settle(job, execution, outcomes, known);
      if (folds === null) return;
      if (this.#retryable(execution, folds).length === 0) return this.#conclude(execution, job, folds);
      await this.#deps.clock.sleep(retryWaitMs(retries));
      const retry = this.#retryable(execution, folds);
      if (retry.length === 0) return this.#conclude(execution, job, folds);
      const next = await this.#commitNextAttempt(execution, folds, retry);
      execution = next.execution;
      outcomes = await this.#send(job, next.sent);
    }
  }

  #retryable(execution: Execution, folds: readonly OrderFold[]): readonly OrderFold[] {
    const { brakes, cancels } = this.#deps;
    if (this.#signal.stopping || brakes.hold(execution.userId) || isCutOff(this.#deps, execution)) return [];
    return retryableFolds(this.#deps, execution, folds).filter(({ order }) => !cancels.isWanted(order.id));
  }

  #endUnfilled(fold: OrderFold, now: number): Order {
    return endUnfilled(fold, now, this.#deps.cancels.isWanted(fold.order.id));
  }

  /** Records what the attempt did and the next one's client order ids, in one unit, before the next one is sent. */
  async #commitNextAttempt(
    execution: Execution,
    folds: readonly OrderFold[],
    retry: readonly OrderFold[],
  ): Promise<{ readonly execution: Execution; readonly sent: readonly Order[] }> {
    const again = new Set(retry.map((fold) => fold.order.id));
    const now = this.#deps.clock.now();
    // What is not tried again is over: it must not be asked about with the next attempt.
    const orders = folds.map((fold) =>
      again.has(fold.order.id)
        ? nextAttempt(fold.order, repricedLimit(this.#deps, execution, fold.order), now)
        : this.#endUnfilled(fold, now),
    );
    this.#deps.book.flights.enter(orders.filter((order) => again.has(order.id)));
    const progressed = await this.#commitProgress(execution, folds, orders, now);
    return { execution: progressed, sent: orders.filter((order) => again.has(order.id)) };
  }

  /** Records what a closing attempt did. What does not go on ends with it; what does is planned again before it is sent. */
  async #recordFolds(
    execution: Execution,
    folds: readonly OrderFold[],
    goingOn: ReadonlySet<string>,
  ): Promise<Execution> {
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) =>
      goingOn.has(fold.order.id) ? fold.order : this.#endUnfilled(fold, now),
    );
    return this.#commitProgress(execution, folds, orders, now);
  }

  async #commitProgress(
    execution: Execution,
    folds: readonly OrderFold[],
    orders: readonly Order[],
    now: number,
  ): Promise<Execution> {
    const progressed: Execution = { ...execution, orders, updatedAt: now };
    const changed = changedOrders(execution, orders);
    await this.#commitWithPosition(execution, folds, (position) => ({
      unit: {
        executions: [{ ...progressed, positionId: position?.id ?? progressed.positionId }],
        events: ordersUpdated(changed, now),
      },
    }));
    this.#attempts.unwatch(folds.map((fold) => fold.order));
    this.#deps.cancels.recorded(orders);
    return progressed;
  }

  async #conclude(execution: Execution, job: BasketJob, folds: readonly OrderFold[]): Promise<void> {
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) => this.#endUnfilled(fold, now));
    const ended = legal(concludeExecution({ ...execution, orders }, now));
    const changed = changedOrders(execution, orders);
    const filledSome = orders.some((order) => order.filledQuantity !== '0');
    const unwinds: Execution[] = [];
    const materialized: MaterializedBasket[] = [];
    await this.#commitWithPosition(execution, folds, (position) => {
      const final: Execution = { ...ended, positionId: position?.id ?? execution.positionId };
      const unwind = unwindExecution(this.#deps, final, job);
      if (unwind !== null) unwinds.push(unwind);
      const opened = openedBasket(final, position, position !== null && isNew(execution, position));
      if (opened !== null) materialized.push(opened.basket);
      return {
        ended: final,
        unit: {
          ...opened?.unit,
          executions: [final],
          newExecutions: unwinds,
          events: [
            ...ordersUpdated(changed, now),
            executionEnded(final),
            ...(position !== null && filledSome
              ? [positionChanged(position, isNew(execution, position))]
              : []),
          ],
        },
      };
    });
    for (const basket of materialized) this.#deps.baskets.put(basket);
    this.#attempts.unwatch(orders);
    this.#deps.cancels.recorded(orders);
    for (const unwind of unwinds) await this.#runUnwind(unwind, job);
  }

  async #runUnwind(unwind: Execution, job: BasketJob): Promise<void> {
    this.#deps.book.handOver(unwind.tradeAccountId, unwind.basketKey, unwind.id);
    await this.#fromIdle({ ...job, execution: unwind, ask: askOf(unwind), reduces: true });
  }

  /** Folds fills into the position and commits them with `rest` and all that follows, alone on that position. */
  async #commitWithPosition(
    execution: Execution,
    folds: readonly OrderFold[],
    rest: (position: Position | null) => { readonly unit: UnitOfWork; readonly ended?: Execution },
  ): Promise<void> {
    const { book, ids, clock, logger, followUps } = this.#deps;
    await book.positionQueue.run(`${execution.tradeAccountId} ${execution.basketKey}`, async () => {
      const current = book.openPosition(execution.tradeAccountId, execution.basketKey);
      const folded = foldPosition(execution, current, folds, () => ids.next(), clock.now());
      if (!folded.ok) {
        // The venue filled what the basket does not hold: keep the fills as provisional, let reconciliation show it.
        logger.error({ executionId: execution.id, kind: folded.error.kind }, 'fills do not fit the position');
      }
      const { position, fills } = folded.ok
        ? folded.value
        : { position: current ?? null, fills: folded.error.fills };
      const changed = folded.ok && position !== null && fills.length > 0 ? position : null;
      const unassignedLots = fills
        .filter(({ positionId }) => positionId === null)
        .map((fill) => lotOf(fill, 'OUTSIDE'));
      const { unit, ended } = rest(position);
      const open = position?.status === 'OPEN' ? position : null;
      const followUp = together([
        changed === null ? null : followUps.ofChange(changed, execution),
        ended === undefined ? null : followUps.ofEnd(ended, open),
      ]);
      await this.#commit(
        oneUnit(
          unit,
          {
            fills,
            unassignedLots,
            positions: changed === null ? [] : [changed],
            newExecutions: followUp.children ?? [],
          },
          followUp.unit,
        ),
      );
      if (changed !== null) book.putPosition(changed);
      book.unassigned.put(unassignedLots);
      book.flights.land(folds.map(({ order }) => order));
      this.#followed(ended ?? null, followUp);
    });
  }

  /** After the commit of what followed: memory, then the executions that were waiting for this end. */
  #followed(ended: Execution | null, followUp: FollowUp): void {
    if (ended !== null) this.#deps.book.dropSetup(ended.id);
    followUp.committed?.();
    for (const child of followUp.children ?? []) this.startPromised(child);
  }

  /** Runs an execution that was committed IDLE earlier (a child, or one found after a restart) in its turn. */
  startPromised(execution: Execution, account = this.#accountOf(execution.tradeAccountId)): void {
    const { book } = this.#deps;
    const turn = book.takeTurn(execution.tradeAccountId, execution.basketKey, 'wait');
    // An account with an unfinished execution is not removed, and one that is being removed has none.
    if (account === undefined || !turn.ok) throw new Error(`execution ${execution.id} has no trade account`);
    const job = { execution, account, ask: askOf(execution), reduces: reducesPosition(execution) };
    this.#track(
      job,
      turn.value.come.then(() => this.#fromWaiting(job)),
    );
  }

  async #recordedTradeIds(execution: Execution): Promise<Set<string>> {
    const fills = await this.#deps.store.fillsOfExecution(execution.id);
    return new Set(fills.map((fill) => venueTradeId(fill.tradeId)));
  }

  #commit(unit: UnitOfWork): Promise<void> {
    return commitDurably(this.#deps, unit, this.#signal);
  }
}

function cancelledOrders(execution: Execution, now: number): readonly Order[] {
  return execution.orders.map((order) => ({ ...order, status: 'CANCELLED', updatedAt: now }));
}

function changedOrders(execution: Execution, orders: readonly Order[]): readonly Order[] {
  return orders.filter((order, index) => order !== execution.orders[index]);
}

/** An addition whose basket was liquidated meanwhile makes a new position too. */
function isNew(execution: Execution, position: Position): boolean {
  return execution.intent === 'OPEN' || execution.positionId !== position.id;
}

/** The steps above are legal by construction; one that is not is a bug and must not be committed. */
function legal<T>(
  step:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly kind: string } },
): T {
  if (!step.ok) throw new Error(`illegal step of an execution: ${JSON.stringify(step.error)}`);
  return step.value;
}
