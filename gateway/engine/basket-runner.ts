/**
 * Runs an accepted execution to its end: prepare → commit ACTIVE → send → settle → fold → conclude.
 *
 * Invariants: an attempt's client order ids are on disk before the attempt is sent, so an order is sent at most once; what
 * the venue answered is on disk before anybody is told; the basket stays claimed until its execution has ended. A crash
 * between any two steps leaves a state that `resume` continues from.
 */
import type { MaterializedBasket } from '../domain/basket.ts';
import { activateExecution, concludeExecution, failExecution } from '../domain/execution.ts';
import type { Execution, Order, Position } from '../domain/model.ts';
import { askOf, type BasketJob } from './basket-job.ts';
import { openedBasket } from './basket-registry.ts';
import type { EngineDeps } from './deps.ts';
import { commitDurably, Stopping, type StopSignal } from './durable.ts';
import { executionEnded, ordersUpdated, positionChanged } from './events.ts';
import { endUnfilled, foldPosition, type OrderFold } from './fold-outcome.ts';
import { OrderAttempts } from './order-attempts.ts';
import type { OrderOutcome, UnitOfWork } from './ports.ts';
import { nextAttempt, type PreparedBasket, prepare } from './prepare.ts';
import { repricedLimit, retryableFolds, retryWaitMs } from './retry-policy.ts';
import { unwindExecution } from './unwind.ts';

export class BasketRunner {
  readonly #deps: EngineDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #signal: { stopping: boolean } = { stopping: false };
  readonly #attempts: OrderAttempts;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#attempts = new OrderAttempts(deps, this.#signal);
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

  /** Continues an ACTIVE execution after a restart: asks the venue what became of its orders. */
  resume(job: BasketJob): void {
    this.#track(job, this.#fromActive(job.execution, job, undefined));
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

  async #fromIdle(job: BasketJob): Promise<void> {
    const verdict = await prepare(this.#deps, job.execution, job);
    const now = this.#deps.clock.now();
    if (verdict.ok) return this.#activate(job, verdict.value, now);
    const { orders, ...reason } = verdict.error;
    const failed = legal(failExecution(job.execution, reason, orders, now));
    await this.#commit({
      executions: [failed],
      events: [...ordersUpdated(orders, now), executionEnded(failed)],
    });
  }

  async #activate(job: BasketJob, basket: PreparedBasket, now: number): Promise<void> {
    const active = legal(activateExecution(job.execution, basket.orders, now));
    await this.#commit({ executions: [active] });
    await this.#fromActive(active, job, await this.#send(job, active.orders));
  }

  /** The commit may have waited for the disk: orders that the venue would refuse as expired are not sent any more. */
  async #send(job: BasketJob, orders: readonly Order[]): Promise<readonly OrderOutcome[] | undefined> {
    const expired = orders.some((order) => (order.expiresAt ?? 0) <= this.#deps.clock.now());
    return expired ? undefined : this.#attempts.send(job, orders);
  }

  async #fromActive(
    active: Execution,
    job: BasketJob,
    firstOutcomes: readonly OrderOutcome[] | undefined,
  ): Promise<void> {
    this.#attempts.watch(active.orders);
    let execution = active;
    let outcomes = firstOutcomes;
    const known = firstOutcomes === undefined ? await this.#recordedTradeIds(active) : new Set<string>();
    for (let retries = 0; ; retries += 1) {
      const folds = await this.#attempts.settle(job, execution, outcomes, known);
      if (folds === null) return;
      const retry = this.#signal.stopping ? [] : retryableFolds(this.#deps, execution, folds);
      if (retry.length === 0) return this.#conclude(execution, job, folds);
      await this.#deps.clock.sleep(retryWaitMs(retries));
      const next = await this.#commitNextAttempt(execution, folds, retry);
      execution = next.execution;
      outcomes = await this.#send(job, next.sent);
    }
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
        : endUnfilled(fold, now),
    );
    const progressed: Execution = { ...execution, orders, updatedAt: now };
    const changed = changedOrders(execution, orders);
    await this.#commitWithPosition(execution, folds, (position) => ({
      executions: [{ ...progressed, positionId: position?.id ?? progressed.positionId }],
      events: ordersUpdated(changed, now),
    }));
    this.#attempts.unwatch(folds.map((fold) => fold.order));
    return { execution: progressed, sent: orders.filter((order) => again.has(order.id)) };
  }

  async #conclude(execution: Execution, job: BasketJob, folds: readonly OrderFold[]): Promise<void> {
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) => endUnfilled(fold, now));
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
        ...opened?.unit,
        executions: [final],
        newExecutions: unwinds,
        events: [
          ...ordersUpdated(changed, now),
          executionEnded(final),
          ...(position !== null && filledSome ? [positionChanged(position, isNew(execution, position))] : []),
        ],
      };
    });
    for (const basket of materialized) this.#deps.baskets.put(basket);
    this.#attempts.unwatch(orders);
    for (const unwind of unwinds) await this.#runUnwind(unwind, job);
  }

  async #runUnwind(unwind: Execution, job: BasketJob): Promise<void> {
    this.#deps.book.handOver(unwind.tradeAccountId, unwind.basketKey, unwind.id);
    await this.#fromIdle({ ...job, execution: unwind, ask: askOf(unwind), reduces: true });
  }

  /** Folds fills into the position and commits them with `rest`, alone on that position. */
  async #commitWithPosition(
    execution: Execution,
    folds: readonly OrderFold[],
    rest: (position: Position | null) => UnitOfWork,
  ): Promise<void> {
    const { book, ids, clock, logger } = this.#deps;
    await book.positionQueue.run(`${execution.tradeAccountId} ${execution.basketKey}`, async () => {
      const current = book.openPosition(execution.tradeAccountId, execution.basketKey);
      const folded = foldPosition(execution, current, folds, () => ids.next(), clock.now());
      if (!folded.ok) {
        // The venue filled what the basket does not hold: keep the fills as provisional, let reconciliation show it.
        logger.error({ executionId: execution.id, kind: folded.error.kind }, 'fills do not fit the position');
        await this.#commit({ ...rest(current ?? null), fills: folded.error.fills });
        return;
      }
      const { position, fills } = folded.value;
      const changed = position !== null && fills.length > 0;
      await this.#commit({ ...rest(position), fills, positions: changed ? [position] : [] });
      if (changed) book.putPosition(position);
    });
  }

  async #recordedTradeIds(execution: Execution): Promise<Set<string>> {
    const fills = await this.#deps.store.fillsOfExecution(execution.id);
    return new Set(fills.map((fill) => fill.tradeId));
  }

  #commit(unit: UnitOfWork): Promise<void> {
    return commitDurably(this.#deps, unit, this.#signal);
  }
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
