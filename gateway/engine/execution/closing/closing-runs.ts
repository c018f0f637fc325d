/**
 * Runs executions that reduce positions to their end: round → send → settle → fold, and again for the rest. Several
 * executions of one account begin together, so that opposite orders of two baskets need not go to the venue.
 */
import { dec, sum } from '../../../domain/decimal.ts';
import { cancelExecution, failExecution } from '../../../domain/execution.ts';
import type { Execution, Order, TradeAccount } from '../../../domain/model.ts';
import { CANCELLED_BY_TRADER, isCancelledByTrader, isTerminalOrder } from '../../../domain/order.ts';
import type { OrderOutcome } from '../../ports/venue.ts';
import type { NotAnswered } from '../ask-venue.ts';
import type { BasketJob } from '../basket-job.ts';
import type { ExecutionRecords } from '../execution-records.ts';
import type { OrderFold } from '../fold-outcome.ts';
import { legal } from '../legal-step.ts';
import type { OrderAttempts, Settled } from '../order-attempts.ts';
import { POSITION_GONE } from '../renew-execution.ts';
import {
  goesOn,
  hasExpired,
  MAX_RETRIES,
  neverLeft,
  retryWaitMs,
  UnsentAttempts,
  wasLost,
  wouldHaveOpened,
} from '../retry-policy.ts';
import type { ClosingRequest, ClosingStep } from './closing-change.ts';
import { type ClosingDeps, ClosingRounds, sendsAllOrNone } from './closing-round.ts';

/**
 * Maximum number of rounds whose orders all expired before arrival, because the process was suspended. The execution
 * then ends.
 */
const MOST_LOST = 20;

/** Steps that the runner of all executions provides for closing executions. */
interface RunSteps {
  readonly attempts: OrderAttempts;
  readonly records: ExecutionRecords;
  /** Ends an ACTIVE execution that has no order left to send. */
  readonly conclude: (execution: Execution, job: BasketJob, folds: readonly OrderFold[]) => Promise<void>;
}

/** A step of a round and the outcomes of its orders. */
interface Sent {
  readonly step: ClosingStep;
  /** Set when the venue could not be asked for its positions. */
  readonly failure: NotAnswered | null;
  readonly outcomes: readonly OrderOutcome[] | undefined;
}

export class ClosingRuns {
  readonly #deps: ClosingDeps;
  readonly #steps: RunSteps;
  readonly #rounds: ClosingRounds;

  constructor(deps: ClosingDeps, steps: RunSteps) {
    this.#deps = deps;
    this.#steps = steps;
    this.#rounds = new ClosingRounds(deps);
  }

  /** Begins IDLE executions of one account whose baskets are claimed. Each promise resolves at its execution's end. */
  begin(account: TradeAccount, jobs: readonly BasketJob[]): readonly Promise<void>[] {
    const first = this.#round(
      account,
      jobs.map(({ execution }) => this.#request(execution, openOrders(execution), new Set())),
    );
    return jobs.map((job, index) =>
      first.then((sent) => {
        const own = sent[index];
        if (own === undefined) throw new Error(`no step for ${job.execution.id}`);
        return this.#go(job, own, new Set());
      }),
    );
  }

  /** Continues an ACTIVE execution after a restart: the venue is asked for the orders that may have been sent. */
  async resume(job: BasketJob): Promise<void> {
    const { execution } = job;
    const { attempts, records } = this.#steps;
    attempts.watch(execution.orders);
    for (const order of execution.orders) this.#deps.cancels.leaves(order);
    const asked = execution.orders.filter((order) => order.clientOrderId !== null && !isTerminalOrder(order));
    const sent = asked.map((order) => ({ order, quantity: order.quantity ?? '0', place: 0 }));
    const step: ClosingStep = { execution, kind: 'sent', sent, problems: new Map() };
    await this.#go(job, { step, failure: null, outcomes: undefined }, await records.tradeIds(execution));
  }

  async #go(job: BasketJob, first: Sent, known: Set<string>): Promise<void> {
    let { step, failure, outcomes } = first;
    // The counts restart with each process. That is safe: an attempt lost in a crash closed nothing, and the position
    // is still open.
    const unsent = new UnsentAttempts(this.#deps.clock);
    for (let [tries, losses] = [0, 0]; ; ) {
      if (step.kind === 'ended') return;
      const settled = await this.#settled(job, step, outcomes, known);
      if (settled === null) return;
      const { folds } = settled;
      step = { ...step, execution: settled.execution };
      const again =
        tries < MAX_RETRIES && losses < MOST_LOST
          ? this.#goingOn(step, failure, folds).filter((fold) => !neverLeft(fold) || unsent.mayRepeat(fold))
          : [];
      if (again.length === 0) return this.#end(job, step.execution, failure, folds);
      const lost = new Set(again.filter(wasLost).map(({ order }) => order.id));
      if (again.every(hasExpired)) losses += 1;
      else if (!again.every((fold) => neverLeft(fold) || isPart(step, fold))) tries += 1;
      const goingOn = new Set(again.map(({ order }) => order.id));
      const execution =
        step.kind === 'sent'
          ? await this.#steps.records.recordFolds(step.execution, folds, goingOn)
          : step.execution;
      await this.#deps.clock.sleep(Math.max(retryWaitMs(Math.max(0, tries - 1)), unsent.waitMs(again)));
      if (this.#deps.signal.stopping && execution.status === 'ACTIVE') return;
      const request = this.#request(execution, goingOn, lost);
      const [next] = await this.#round(job.account, [request], again.some(wouldHaveOpened));
      if (next === undefined) throw new Error(`no step for ${execution.id}`);
      ({ step, failure, outcomes } = next);
    }
  }

  async #settled(
    job: BasketJob,
    step: ClosingStep,
    outcomes: readonly OrderOutcome[] | undefined,
    known: Set<string>,
  ): Promise<Settled | null> {
    const sent = new Set(step.sent.map(({ order }) => order.id));
    const heldBack = new Map(
      step.execution.orders
        .filter(({ id }) => !sent.has(id))
        .map(({ id }) => [id, step.problems.get(id) ?? null] as const),
    );
    const { attempts, records } = this.#steps;
    return attempts.settle(
      job,
      step.execution,
      outcomes,
      known,
      (soFar, ended) => records.bookEnded(soFar, ended),
      heldBack,
    );
  }

  /**
   * Orders to try again. The closing part of a reversal always retries, because its `onLegFailure` applies to the
   * opening part. An order whose only problem is its size always retries too.
   */
  #goingOn(
    step: ClosingStep,
    failure: NotAnswered | null,
    folds: readonly OrderFold[],
  ): readonly OrderFold[] {
    const { execution } = step;
    if (this.#deps.signal.stopping || (failure !== null && execution.status === 'IDLE')) return [];
    // A leg that can never be sent keeps the others back.
    const isRefused = step.kind === 'idle' && execution.status === 'IDLE' && step.problems.size > 0;
    if (sendsAllOrNone(execution) && isRefused && !folds.every(goesOn)) return [];
    const retries = execution.onLegFailure === 'RETRY' || execution.intent === 'REVERSE';
    return folds.filter(
      (fold) =>
        (retries || neverLeft(fold) || wouldHaveOpened(fold) || isPart(step, fold)) &&
        (goesOn(fold) || failure !== null) &&
        !this.#deps.cancels.isWanted(fold.order.id),
    );
  }

  /** Runs one round and sends all its orders in one batch. Orders that free margin come first. */
  async #round(
    account: TradeAccount,
    requests: readonly ClosingRequest[],
    anew = false,
  ): Promise<readonly Sent[]> {
    const round = await this.#rounds.run(account, requests, anew);
    if (!round.ok) {
      return requests.map(({ execution }) => ({
        step: { execution, kind: 'idle', sent: [], problems: new Map() },
        failure: round.error,
        outcomes: undefined,
      }));
    }
    const all = round.value.flatMap(({ sent }) => sent).toSorted((a, b) => a.place - b.place);
    // The commit may have waited for the disk. Orders that have expired meanwhile are not sent; the venue would
    // refuse them.
    const now = this.#deps.clock.now();
    const isLate = all.some(({ order }) => (order.expiresAt ?? 0) <= now);
    const quantities = new Map(all.map(({ order, quantity }) => [order.id, quantity]));
    const orders = all.map(({ order }) => order);
    if (isLate) this.#steps.attempts.watch(orders);
    const sent =
      all.length === 0 || isLate
        ? undefined
        : await this.#steps.attempts.send(account, orders, null, quantities);
    return round.value.map((step) => ({ step, failure: null, outcomes: sent?.outcomes }));
  }

  #request(execution: Execution, orders: ReadonlySet<string>, unbound: ReadonlySet<string>): ClosingRequest {
    const wanted = [...orders].filter((id) => !this.#deps.cancels.isWanted(id));
    return { execution, orders: new Set(wanted), unbound };
  }

  async #end(
    job: BasketJob,
    execution: Execution,
    failure: NotAnswered | null,
    folds: readonly OrderFold[],
  ): Promise<void> {
    if (execution.status === 'ACTIVE') return this.#steps.conclude(execution, job, folds);
    const { state, cancels, clock } = this.#deps;
    const now = clock.now();
    const isGone = state.positions.get(execution.positionId ?? '') === undefined;
    const refusal = isGone ? POSITION_GONE : failure === null ? heldBackReason(folds) : unsent(failure);
    const orders = folds.map(({ order, settlement }): Order => {
      if (cancels.isWanted(order.id)) {
        return { ...order, status: 'CANCELLED', ...CANCELLED_BY_TRADER, updatedAt: now };
      }
      const problem = settlement.kind === 'held_back' && !isGone ? settlement.problem : null;
      if (problem !== null) {
        const { message, code } = problem;
        return { ...order, status: 'REJECTED', error: message, errorCode: code, updatedAt: now };
      }
      const isMissing = failure?.errorCode === 'CREDENTIALS_MISSING';
      const reason = isMissing ? { error: failure.error, errorCode: 'CREDENTIALS_MISSING' as const } : {};
      return { ...order, ...reason, status: 'CANCELLED', updatedAt: now };
    });
    const ended = orders.every(isCancelledByTrader)
      ? cancelExecution(execution, orders, now)
      : failExecution(execution, refusal, orders, now);
    await this.#steps.records.endUnsent(legal(ended));
  }
}

/** True: the sent part of the order is closed, and the venue accepts the rest only in another order. */
function isPart({ problems, sent }: ClosingStep, { order, settlement }: OrderFold): boolean {
  if (problems.get(order.id)?.code !== 'MAX_QUANTITY' || settlement.kind !== 'done') return false;
  const quantity = sent.find((one) => one.order.id === order.id)?.quantity;
  const filled = sum(settlement.fills.map((fill) => dec(fill.quantity)));
  return quantity !== undefined && filled.gte(quantity);
}

function heldBackReason(folds: readonly OrderFold[]): NotAnswered {
  const held = folds.flatMap(({ settlement }) =>
    settlement.kind === 'held_back' && settlement.problem !== null ? [settlement.problem] : [],
  );
  const error = held.map(({ message }) => message).join('; ');
  return unsent({ error, errorCode: held[0]?.code ?? 'VALIDATION_ERROR' });
}

function unsent({ error, errorCode }: NotAnswered): NotAnswered {
  return { error: `${error}. No orders were placed.`, errorCode };
}

function openOrders({ orders }: Execution): ReadonlySet<string> {
  return new Set(orders.filter((order) => !isTerminalOrder(order)).map(({ id }) => id));
}
