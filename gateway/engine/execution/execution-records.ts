/**
 * Commits each step of a running execution before anything else can see it: an attempt's fills folded into the
 * position, the next attempt, the end, and the consequences. One unit per step, with the position's queue held.
 */
import type { MaterializedBasket } from '../../domain/basket.ts';
import { concludeExecution } from '../../domain/execution.ts';
import { venueTradeId } from '../../domain/fill-review.ts';
import type { Execution, Order, Position } from '../../domain/model.ts';
import { orderReviewNotification } from '../../domain/notification.ts';
import { fillEndedOrder } from '../../domain/order.ts';
import { lotOf } from '../../domain/unassigned.ts';
import { openedBasket } from '../core/basket-registry.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, type StopSignal } from '../core/durable.ts';
import { executionEnded, ordersUpdated, positionChanged } from '../core/events.ts';
import { type FollowUp, together } from '../core/follow-ups.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { noticeOf } from '../notices/notify.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import type { VenueFill } from '../ports/venue.ts';
import { endUnfilled, foldPosition, type OrderFold } from './fold-outcome.ts';
import { legal } from './legal-step.ts';
import type { OrderAttempts } from './order-attempts.ts';
import { nextAttempt } from './prepare.ts';
import { repricedLimit } from './retry-policy.ts';
import { unwindExecution } from './unwind.ts';

export class ExecutionRecords {
  readonly #deps: EngineDeps;
  readonly #signal: StopSignal;
  readonly #attempts: OrderAttempts;
  readonly #startChild: (child: Execution) => void;

  /** @param startChild runs an execution that was committed IDLE as a consequence of an end */
  constructor(
    deps: EngineDeps,
    signal: StopSignal,
    attempts: OrderAttempts,
    startChild: (child: Execution) => void,
  ) {
    this.#deps = deps;
    this.#signal = signal;
    this.#attempts = attempts;
    this.#startChild = startChild;
  }

  /** Ends an execution without any sent order. */
  async endUnsent(ended: Execution): Promise<void> {
    const { state } = this.#deps;
    const { orders, updatedAt } = ended;
    await state.positions.queue.run(`${ended.tradeAccountId} ${ended.basketKey}`, async () => {
      const position = state.positions.ofBasket(ended.tradeAccountId, ended.basketKey) ?? null;
      const followUp = this.#deps.followUps.ofEnd(ended, position);
      await this.commit(
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
      this.followed(ended, followUp);
    });
  }

  /** Records the attempt's fills and the next attempt's client order ids, in one unit, before the next is sent. */
  async nextAttempt(
    execution: Execution,
    folds: readonly OrderFold[],
    retry: readonly OrderFold[],
  ): Promise<{ readonly execution: Execution; readonly sent: readonly Order[] }> {
    const again = new Set(retry.map((fold) => fold.order.id));
    const now = this.#deps.clock.now();
    // An order that is not tried again ends here, so that the next attempt does not ask the venue about it.
    const orders = folds.map((fold) =>
      again.has(fold.order.id)
        ? nextAttempt(fold.order, repricedLimit(this.#deps, execution, fold.order), now)
        : this.#endUnfilled(fold, now),
    );
    this.#deps.state.flights.enter(
      orders.filter((order) => again.has(order.id)),
      true,
    );
    const progressed = await this.#commitProgress(execution, folds, orders, now);
    return { execution: progressed, sent: orders.filter((order) => again.has(order.id)) };
  }

  /** Records fills of orders that have ended, while others of the attempt have not. */
  bookEnded(execution: Execution, folds: readonly OrderFold[]): Promise<Execution> {
    const ended = new Map(folds.map(({ order }) => [order.id, order]));
    const orders = execution.orders.map((order) => ended.get(order.id) ?? order);
    return this.#commitProgress(execution, folds, orders, this.#deps.clock.now());
  }

  /** Records a closing attempt's fills. Orders outside `goingOn` end; the others are planned again before sending. */
  async recordFolds(
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

  /** @returns the unwinds that close the filled quantities again, committed in the same unit as the end */
  async conclude(execution: Execution, folds: readonly OrderFold[]): Promise<readonly Execution[]> {
    const now = this.#deps.clock.now();
    const orders = folds.map((fold) => this.#endUnfilled(fold, now));
    const ended = legal(concludeExecution({ ...execution, orders }, now));
    const changed = changedOrders(execution, orders);
    const filledSome = orders.some((order) => order.filledQuantity !== '0');
    const unwinds: Execution[] = [];
    const materialized: MaterializedBasket[] = [];
    await this.#commitWithPosition(execution, folds, (position) => {
      const final: Execution = { ...ended, positionId: position?.id ?? execution.positionId };
      const unwind = unwindExecution(this.#deps, final);
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
    return unwinds;
  }

  /** Books a fill that the venue reported after the execution's end, and notifies the trader. */
  async lateFill(execution: Execution, order: Order, fill: VenueFill): Promise<void> {
    const now = this.#deps.clock.now();
    const late = fillEndedOrder(order, fill, now);
    const reason = `${fill.side} ${fill.quantity} ${fill.symbol} at ${fill.price} filled after the venue had said that the order had ended; the basket has it now`;
    const marked: Execution = {
      ...execution,
      orders: execution.orders.map((one) => (one.id === late.id ? late : one)),
      error: reason,
      errorCode: 'NEEDS_REVIEW',
      updatedAt: now,
    };
    const settlement = { kind: 'done', venueOrderId: fill.venueOrderId ?? '', fills: [fill] } as const;
    this.#deps.warden.reservations.usage.filledLate(marked);
    await this.#withSetup(execution, () => this.#bookLate(marked, late, { fill, settlement, reason }));
  }

  /** Sets the brackets of the order if a late fill opens a position, to protect it. */
  async #withSetup(execution: Execution, run: () => Promise<void>): Promise<void> {
    const { state, store } = this.#deps;
    const isOpen = state.positions.ofBasket(execution.tradeAccountId, execution.basketKey) !== undefined;
    const setup = isOpen ? null : await store.positionSetup(execution.id);
    if (setup !== null) state.setups.set(execution.id, setup);
    try {
      await run();
    } finally {
      if (setup !== null) state.setups.delete(execution.id);
    }
  }

  async #bookLate(
    execution: Execution,
    late: Order,
    {
      fill,
      settlement,
      reason,
    }: Pick<OrderFold, 'settlement'> & { readonly fill: VenueFill; readonly reason: string },
  ): Promise<void> {
    const folds = [{ order: late, fills: [fill], settlement }];
    const alongside = (position: Position | null) =>
      this.#deps.followUps.ofLateFill(execution, fill, position);
    await this.#commitWithPosition(
      execution,
      folds,
      (position) => {
        const positionId = position?.id ?? execution.positionId;
        const about = { legs: execution.orders, positionId, executionId: execution.id };
        return {
          unit: oneUnit(
            {
              executions: [{ ...execution, positionId }],
              events: [
                ...ordersUpdated([late], execution.updatedAt),
                ...(position === null ? [] : [positionChanged(position, isNew(execution, position))]),
              ],
            },
            noticeOf(this.#deps, execution, about, (subject) => orderReviewNotification(subject, reason)),
          ),
        };
      },
      alongside,
    );
  }

  /** The venue's trade ids of the fills recorded for the execution. */
  async tradeIds(execution: Execution): Promise<Set<string>> {
    const fills = await this.#deps.store.fillsOfExecution(execution.id);
    return new Set(fills.map((fill) => venueTradeId(fill.tradeId)));
  }

  /** Called after the commit of a follow-up: updates memory, then starts the child executions it contains. */
  followed(ended: Execution | null, followUp: FollowUp): void {
    if (ended !== null) this.#deps.state.setups.delete(ended.id);
    followUp.committed?.();
    for (const child of followUp.children ?? []) this.#startChild(child);
  }

  commit(unit: UnitOfWork): Promise<void> {
    return commitDurably(this.#deps, unit, this.#signal);
  }

  #endUnfilled(fold: OrderFold, now: number): Order {
    return endUnfilled(fold, now, this.#deps.cancels.isWanted(fold.order.id));
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

  /**
   * Folds fills into the position and commits them with `rest` and its follow-ups, with the position's queue held.
   */
  async #commitWithPosition(
    execution: Execution,
    folds: readonly OrderFold[],
    rest: (position: Position | null) => { readonly unit: UnitOfWork; readonly ended?: Execution },
    alongside: (position: Position | null) => Promise<FollowUp | null> = async () => null,
  ): Promise<void> {
    const { state, ids, clock, logger, market, followUps, warden } = this.#deps;
    await state.positions.queue.run(`${execution.tradeAccountId} ${execution.basketKey}`, async () => {
      const current = state.positions.ofBasket(execution.tradeAccountId, execution.basketKey);
      const facts = {
        mark: (symbol: string) => market.quote(execution.connector, symbol)?.mark,
        planned: followUps.plannedShares(execution),
        isGuest: current !== undefined && warden.shares.isGuest(execution, current),
      };
      const folded = foldPosition(execution, current, folds, facts, () => ids.next(), clock.now());
      if (!folded.ok) {
        // The venue filled more than the basket holds: the fills stay provisional, and reconciliation shows them.
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
        await alongside(open),
      ]);
      await this.commit(
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
      if (changed !== null) state.positions.put(changed);
      state.unassigned.put(unassignedLots);
      state.flights.land(folds.map(({ order }) => order));
      this.followed(ended ?? null, followUp);
    });
  }
}

function changedOrders(execution: Execution, orders: readonly Order[]): readonly Order[] {
  return orders.filter((order, index) => order !== execution.orders[index]);
}

/** True: the commit makes a new position; also for an ADJUST whose basket was liquidated meanwhile. */
function isNew(execution: Execution, position: Position): boolean {
  return execution.intent === 'OPEN' || execution.positionId !== position.id;
}
