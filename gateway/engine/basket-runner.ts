/**
 * Runs an accepted execution to its end: prepare → commit ACTIVE → send → settle → fold → conclude.
 *
 * Invariants: an attempt's client order ids are on disk before the attempt is sent, so an order is sent at most once; what
 * the venue answered is on disk before anybody is told; the basket stays claimed until its execution has ended. A crash
 * between any two steps leaves a state that `resume` continues from.
 */
import { dec, text } from '../domain/decimal.ts';
import { activateExecution, concludeExecution, failExecution } from '../domain/execution.ts';
import type { Execution, LegFailurePolicy, Order, Position, TradeAccount } from '../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../domain/order.ts';
import { limitPrice } from '../domain/price-rules.ts';
import type { BasketAsk } from '../domain/sizing.ts';
import type { EngineDeps } from './deps.ts';
import { commitDurably, Stopping, type StopSignal } from './durable.ts';
import { endUnfilled, foldPosition, foldSettlement, type OrderFold } from './fold-outcome.ts';
import type { NewEvent, OrderOutcome, UnitOfWork, VenueFill } from './ports.ts';
import {
  attemptQuantity,
  nextAttempt,
  type PreparedBasket,
  prepare,
  venueAccount,
  venueOf,
} from './prepare.ts';
import { settleOrder } from './settle-order.ts';
import { unwindExecution } from './unwind.ts';

const RETRY_ATTEMPTS = 3;
/** Before the first retry, doubled before each next: a book needs time to refill. */
const RETRY_WAIT_MS = 250;

export interface Job {
  readonly execution: Execution;
  readonly account: TradeAccount;
  readonly ask: BasketAsk;
  /** The orders take out of an existing basket. */
  readonly reduces: boolean;
}

export class BasketRunner {
  readonly #deps: EngineDeps;
  readonly #running = new Set<Promise<void>>();
  /** Fills of live attempts that the account stream delivered, by client order id. */
  readonly #streamed = new Map<string, VenueFill[]>();
  readonly #signal: { stopping: boolean } = { stopping: false };

  constructor(deps: EngineDeps) {
    this.#deps = deps;
  }

  get stopSignal(): StopSignal {
    return this.#signal;
  }

  /** Takes over a claimed basket whose execution is committed IDLE. */
  start(job: Job): void {
    this.#track(job, () => this.#fromIdle(job));
  }

  /** Continues an ACTIVE execution after a restart: asks the venue what became of its orders. */
  resume(job: Job): void {
    this.#track(job, () => this.#fromActive(job.execution, job, undefined));
  }

  /** Waits until what runs has ended, at most `limitMs`; what is left continues after the next start. */
  async drain(limitMs: number): Promise<void> {
    const deadline = this.#deps.clock.now() + limitMs;
    while (this.#running.size > 0 && this.#deps.clock.now() < deadline) {
      await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(50)]);
    }
    this.#signal.stopping = true;
    await Promise.race([Promise.allSettled([...this.#running]), this.#deps.clock.sleep(1_000)]);
  }

  get runningCount(): number {
    return this.#running.size;
  }

  #track(job: Job, work: () => Promise<void>): void {
    const { tradeAccountId, basketKey, id } = job.execution;
    const run = work()
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

  async #fromIdle(job: Job): Promise<void> {
    const { clock } = this.#deps;
    const verdict = await prepare(this.#deps, job.execution, job);
    const now = clock.now();
    if (!verdict.ok) {
      const failed = orThrow(failExecution(job.execution, verdict.error, verdict.error.orders, now));
      await this.#commit({
        executions: [failed],
        orders: failed.orders,
        events: [...orderEvents(failed.orders, now), executionEvent(failed, now)],
      });
      return;
    }
    await this.#activate(job, verdict.value, now);
  }

  async #activate(job: Job, basket: PreparedBasket, now: number): Promise<void> {
    const active = orThrow(activateExecution(job.execution, basket.orders, now));
    await this.#commit({ executions: [active], orders: active.orders });
    const expired = active.orders.some((order) => (order.expiresAt ?? 0) <= this.#deps.clock.now());
    // The commit may have waited for the disk; orders that the venue would refuse as expired are not worth sending.
    const outcomes = expired ? undefined : await this.#send(job, active.orders);
    await this.#fromActive(active, job, outcomes);
  }

  async #send(job: Job, orders: readonly Order[]): Promise<readonly OrderOutcome[]> {
    // Watched before it is sent: the account stream may be faster than the answer.
    this.#watch(orders);
    return venueOf(this.#deps, job.account.connector).placeBatch(
      venueAccount(job.account),
      orders.map((order) => ({
        clientOrderId: order.clientOrderId ?? '',
        symbol: order.symbol,
        side: order.side,
        quantity: attemptQuantity(order),
        limitPrice: order.limitPrice ?? '',
        timeInForce: 'IOC',
        reduceOnly: order.reduceOnly,
        expiresAt: order.expiresAt ?? 0,
      })),
    );
  }

  async #fromActive(
    active: Execution,
    job: Job,
    firstOutcomes: readonly OrderOutcome[] | undefined,
  ): Promise<void> {
    this.#watch(active.orders);
    let execution = active;
    let outcomes = firstOutcomes;
    const known = await this.#knownTradeIds(execution, firstOutcomes === undefined);
    for (let retries = 0; ; retries += 1) {
      const folds = await this.#settleAttempt(execution, job, outcomes, known);
      if (folds === null) return;
      const retry = this.#retryable(execution, job, folds);
      if (retry.length === 0) {
        await this.#conclude(execution, job, folds);
        return;
      }
      await this.#deps.clock.sleep(RETRY_WAIT_MS * 2 ** retries);
      const next = await this.#commitNextAttempt(execution, folds, retry);
      execution = next.execution;
      outcomes = await this.#send(job, next.sent);
    }
  }

  /** Asks for every order of the attempt until each is settled; null: the gateway is stopping. */
  async #settleAttempt(
    execution: Execution,
    job: Job,
    outcomes: readonly OrderOutcome[] | undefined,
    known: Set<string>,
  ): Promise<readonly OrderFold[] | null> {
    const venue = venueOf(this.#deps, execution.connector);
    const account = venueAccount(job.account);
    const byClientId = new Map((outcomes ?? []).map((outcome) => [outcome.clientOrderId, outcome]));
    const settle = async (order: Order): Promise<OrderFold | null> => {
      if (isTerminalOrder(order) || order.clientOrderId === null) {
        return {
          order,
          fills: [],
          settlement: { kind: 'done', venueOrderId: order.venueOrderId ?? '', fills: [] },
        };
      }
      const clientOrderId = order.clientOrderId;
      const settlement = await settleOrder(this.#deps, {
        venue,
        account,
        order,
        outcome: byClientId.get(clientOrderId),
        streamed: () => this.#streamed.get(clientOrderId) ?? [],
        onUnknown: () => this.#tellUnknown(order),
        stopping: () => this.#signal.stopping,
      });
      if (settlement === null) return null;
      const fold = foldSettlement(order, settlement, known, this.#deps.clock.now());
      for (const fill of fold.fills) known.add(fill.tradeId);
      return fold;
    };
    const folds = await Promise.all(execution.orders.map(settle));
    return folds.every((fold) => fold !== null) ? folds : null;
  }

  #watch(orders: readonly Order[]): void {
    for (const { clientOrderId } of orders) {
      if (clientOrderId === null || this.#streamed.has(clientOrderId)) continue;
      const fills: VenueFill[] = [];
      this.#streamed.set(clientOrderId, fills);
      this.#deps.book.watchOrder(clientOrderId, (fill) => fills.push(fill));
    }
  }

  /** After the commit that holds their fills: from here a repeated fill is recognised by its stored trade id. */
  #unwatch(orders: readonly Order[]): void {
    for (const { clientOrderId } of orders) {
      if (clientOrderId === null) continue;
      this.#streamed.delete(clientOrderId);
      this.#deps.book.unwatchOrder(clientOrderId);
    }
  }

  async #tellUnknown(order: Order): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#commit({
      orders: [
        {
          ...order,
          error: 'the venue has not answered; asking what became of the order',
          errorCode: 'UNKNOWN_OUTCOME',
          updatedAt: now,
        },
      ],
      events: orderEvents([order], now),
    });
  }

  #retryable(execution: Execution, job: Job, folds: readonly OrderFold[]): readonly OrderFold[] {
    if (execution.onLegFailure !== ('RETRY' satisfies LegFailurePolicy) || this.#signal.stopping) return [];
    return folds.filter(({ order, settlement }) => {
      if (isTerminalOrder(order) || settlement.kind !== 'done' || order.attempt > RETRY_ATTEMPTS)
        return false;
      const instrument = this.#deps.market.instrument(job.account.connector, order.symbol);
      const value = remainingQuantity(order).mul(order.limitPrice ?? '0');
      return instrument !== undefined && (order.reduceOnly || value.gte(instrument.minNotional));
    });
  }

  /** Records what the attempt did and the next one's client order ids, in one unit, before the next one is sent. */
  async #commitNextAttempt(
    execution: Execution,
    folds: readonly OrderFold[],
    retry: readonly OrderFold[],
  ): Promise<{ readonly execution: Execution; readonly sent: readonly Order[] }> {
    const again = new Set(retry.map((fold) => fold.order.id));
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) =>
      again.has(fold.order.id)
        ? nextAttempt(fold.order, this.#repriced(execution, fold.order), now)
        : fold.order,
    );
    const progressed: Execution = { ...execution, orders, updatedAt: now };
    const changed = orders.filter((order, index) => order !== execution.orders[index]);
    await this.#commitWithPosition(execution, folds, (position) => ({
      executions: [{ ...progressed, positionId: position?.id ?? progressed.positionId }],
      orders: changed,
      events: orderEvents(changed, now),
    }));
    this.#unwatch(folds.map((fold) => fold.order));
    return { execution: progressed, sent: orders.filter((order) => again.has(order.id)) };
  }

  /** The mark of now ± slippage, but never worse than the bound that the trade was placed with. */
  #repriced(execution: Execution, order: Order): string {
    const first = order.limitPrice ?? '0';
    const quote = this.#deps.market.quote(execution.connector, order.symbol);
    const instrument = this.#deps.market.instrument(execution.connector, order.symbol);
    if (quote === undefined || instrument === undefined) return first;
    const fresh = limitPrice(dec(quote.mark), order.side, dec(execution.slippage), instrument);
    const better = order.side === 'BUY' ? fresh.lt(first) : fresh.gt(first);
    // A fresh limit on the near side of the book would only miss it again: then the old bound stays.
    const reaches = order.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
    return better && reaches ? text(fresh) : first;
  }

  async #conclude(execution: Execution, job: Job, folds: readonly OrderFold[]): Promise<void> {
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) => endUnfilled(fold, now));
    const ended = orThrow(concludeExecution({ ...execution, orders }, now));
    const changed = orders.filter((order, index) => order !== execution.orders[index]);
    const created = execution.intent === 'OPEN';
    let unwind: Execution | null = null;
    await this.#commitWithPosition(execution, folds, (position) => {
      const positionId = position?.id ?? execution.positionId;
      const final: Execution = { ...ended, positionId };
      unwind = unwindExecution(this.#deps, final, job);
      const touched = position !== null && orders.some((order) => order.filledQuantity !== '0');
      return {
        executions: [final],
        orders: changed,
        ...(unwind === null ? {} : { newExecutions: [unwind] }),
        events: [
          ...orderEvents(changed, now),
          executionEvent(final, now),
          ...(touched ? [positionEvent(position, created, now)] : []),
        ],
      };
    });
    this.#unwatch(orders);
    if (unwind !== null) await this.#runUnwind(unwind, job);
  }

  async #runUnwind(unwind: Execution, job: Job): Promise<void> {
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
      await this.#commit({
        ...rest(position),
        fills,
        ...(position !== null && fills.length > 0 ? { positions: [position] } : {}),
      });
      if (position !== null && fills.length > 0) book.putPosition(position);
    });
  }

  async #knownTradeIds(execution: Execution, resumed: boolean): Promise<Set<string>> {
    if (!resumed) return new Set();
    const fills = await this.#deps.store.fillsOfExecution(execution.id);
    return new Set(fills.map((fill) => fill.tradeId));
  }

  #commit(unit: UnitOfWork): Promise<void> {
    return commitDurably(this.#deps, unit, this.#signal);
  }
}

/** The ask of an execution whose legs are all quantities (closes, unwinds, adjustments). */
export function askOf(execution: Execution): BasketAsk {
  return {
    legs: execution.orders.map((order) => ({
      symbol: order.symbol,
      side: order.side,
      mode: order.mode,
      amount: order.amount,
    })),
    totalUsd: null,
    slippage: execution.slippage,
  };
}

function orThrow<T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly kind: string } },
): T {
  if (!result.ok) throw new Error(`illegal step of an execution: ${JSON.stringify(result.error)}`);
  return result.value;
}

function executionEvent(execution: Execution, now: number): NewEvent {
  return {
    tradeAccountId: execution.tradeAccountId,
    event: `execution.${execution.status === 'COMPLETED' ? 'completed' : 'failed'}`,
    entityId: execution.id,
    timestamp: now,
  };
}

function positionEvent(position: Position, created: boolean, now: number): NewEvent {
  const event = position.status === 'CLOSED' ? 'closed' : created ? 'created' : 'updated';
  return {
    tradeAccountId: position.tradeAccountId,
    event: `position.${event}`,
    entityId: position.id,
    timestamp: now,
  };
}

function orderEvents(orders: readonly Order[], now: number): readonly NewEvent[] {
  return orders.map((order) => ({
    tradeAccountId: order.tradeAccountId,
    event: 'order.updated',
    entityId: order.id,
    timestamp: now,
  }));
}
