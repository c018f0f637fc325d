/** Sends one attempt of a basket's orders and finds out each order's result. */
import { text } from '../../domain/decimal.ts';
import type { Execution, Order, OrderErrorCode, TradeAccount } from '../../domain/model.ts';
import { orderReviewNotification } from '../../domain/notification.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, type StopSignal } from '../core/durable.ts';
import { ordersUpdated } from '../core/events.ts';
import { isCutOff, shutFor } from '../core/may-open.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { noticeOf } from '../notices/notify.ts';
import type { OrderOutcome } from '../ports/venue.ts';
import { venueAccount, venueOf } from './ask-venue.ts';
import { type BasketJob, reducesPosition } from './basket-job.ts';
import { foldSettlement, type OrderFold } from './fold-outcome.ts';
import { heldByMandate } from './mandate-limits.ts';
import { OrderEvidence } from './order-evidence.ts';
import { attemptIds } from './order-ref.ts';
import { type EndedOrder, settleOrders } from './settle-orders.ts';
import type { Settlement } from './settling-order.ts';
import { silenceNotice } from './silence-notice.ts';

const NOTHING_ELSE: ReadonlyMap<string, string> = new Map();
const NOT_ONE: ReadonlyMap<string, LegProblem | null> = new Map();

export interface Sent {
  /** The venue's answers. */
  readonly outcomes: readonly OrderOutcome[];
  /** Orders that were not sent, with the reason. */
  readonly heldBack: ReadonlyMap<string, LegProblem | null>;
}

export interface Settled {
  /** With the fills that were booked while orders were still open. */
  readonly execution: Execution;
  /** Results of all its orders, with the fills that are not booked yet. */
  readonly folds: readonly OrderFold[];
}

export class OrderAttempts {
  readonly #deps: EngineDeps;
  readonly #signal: StopSignal;
  readonly #evidence: OrderEvidence;
  /** Base units of attempts below the open quantity, by order. A resend uses the same quantity. */
  readonly #quantities = new Map<string, string>();

  /** @param pull reads the account's history from the venue; false: the venue did not answer */
  constructor(deps: EngineDeps, signal: StopSignal, pull: (account: TradeAccount) => Promise<boolean>) {
    this.#deps = deps;
    this.#signal = signal;
    this.#evidence = new OrderEvidence(deps, pull);
  }

  /**
   * Sends orders of one account whose client order ids are on disk already. Orders cancelled meanwhile by the trader
   * are not sent. If a basket would exceed the account's limits, none of its orders is sent.
   * @param opening the opening execution; null: a close, which is never limited
   * @param quantities base units of an order's attempt, for orders of which less than the open quantity is sent
   */
  async send(
    account: TradeAccount,
    orders: readonly Order[],
    opening: Execution | null,
    quantities: ReadonlyMap<string, string> = NOTHING_ELSE,
  ): Promise<Sent> {
    const { cancels } = this.#deps;
    const heldBack = withinCaps(this.#deps, account, orders, opening, quantities);
    if (heldBack !== null) return { outcomes: [], heldBack };
    const unsent: Order[] = [];
    const leaving: Order[] = [];
    for (const order of orders) (cancels.isWanted(order.id) ? unsent : leaving).push(order);
    for (const order of leaving) cancels.leaves(order);
    // Subscribed before sending: the account stream may be faster than the venue's answer.
    this.watch(leaving);
    for (const [id, quantity] of quantities) this.#quantities.set(id, quantity);
    const outcomes = leaving.length === 0 ? [] : await this.#place(account, leaving, quantities);
    return { outcomes: [...outcomes, ...unsent.map(neverLeft)], heldBack: NOT_ONE };
  }

  #place(
    account: TradeAccount,
    orders: readonly Order[],
    quantities: ReadonlyMap<string, string>,
  ): Promise<readonly OrderOutcome[]> {
    return venueOf(this.#deps, account.connector).placeBatch(
      venueAccount(account),
      orders.map((order) => ({
        clientOrderId: sent(order.clientOrderId),
        symbol: order.symbol,
        side: order.side,
        quantity: quantities.get(order.id) ?? text(remainingQuantity(order)),
        limitPrice: sent(order.limitPrice),
        timeInForce: 'IOC',
        reduceOnly: order.reduceOnly,
        expiresAt: sent(order.expiresAt),
      })),
    );
  }

  /**
   * Asks the venue about every order of the execution until each has a result; null: the gateway stopped before that.
   * @param outcomes the venue's answer to sending; undefined after a restart
   * @param known trade ids already recorded for the execution; new ones are added to it
   * @param book records fills of orders that end long before the others, and returns the recorded execution
   * @param heldBack orders that were not sent, with the reason unless the order itself has it
   */
  async settle(
    job: BasketJob,
    execution: Execution,
    outcomes: readonly OrderOutcome[] | undefined,
    known: Set<string>,
    book: (execution: Execution, folds: readonly OrderFold[]) => Promise<Execution>,
    heldBack: ReadonlyMap<string, LegProblem | null> = NOT_ONE,
  ): Promise<Settled | null> {
    // With the fills booked so far.
    let current = execution;
    // An execution's row is written as a whole, so the mark of one order must be kept when the next order is marked.
    let told = execution;
    const tell = async (orders: readonly Order[], mark: OrderMark): Promise<void> => {
      const ids = new Set(orders.map(({ id }) => id));
      told = marked(told, ids, mark, this.#deps.clock.now());
      await this.#commitMarked(told, ids, mark);
    };
    const foldOf = (order: Order, settlement: Settlement): OrderFold => {
      const streamed = attemptIds(order).flatMap((id) => this.#deps.state.liveOrders.report(id).fills);
      return foldSettlement(order, settlement, streamed, known, this.#deps.clock.now());
    };
    const bookEnded = async (ended: readonly EndedOrder[]): Promise<void> => {
      const folds = ended.map(({ order, settlement }) => foldOf(order, settlement));
      told = await book(told, folds);
      const booked = new Map(folds.map(({ order }) => [order.id, order]));
      current = { ...current, orders: current.orders.map((order) => booked.get(order.id) ?? order) };
      for (const fill of folds.flatMap(({ fills }) => fills)) known.add(fill.tradeId);
    };
    // Orders held back by the caller, and orders that the account's limits exclude from a resend.
    const unsent = new Map(heldBack);
    const byClientId = new Map((outcomes ?? []).map((outcome) => [outcome.clientOrderId, outcome]));
    const isHeldBack = ({ id }: Order) => heldBack.has(id);
    const open = execution.orders.filter(
      (order) => !isTerminalOrder(order) && order.clientOrderId !== null && !isHeldBack(order),
    );
    const settlements = await settleOrders(this.#deps, {
      venue: venueOf(this.#deps, job.account.connector),
      account: venueAccount(job.account),
      orders: open.map((order) => ({ order, outcome: byClientId.get(order.clientOrderId ?? '') })),
      onUnknown: (orders) => tell(orders, ASKING),
      resend: (orders) => this.#resend(job, orders, unsent),
      evidence: (orders) => this.#evidence.of(job.account, orders, known),
      onReview: (orders, error) => tell(orders, { error, errorCode: 'NEEDS_REVIEW' }),
      onEnded: bookEnded,
      onWaiting: async () => {
        const notice = silenceNotice(this.#deps, current);
        if (notice !== null) await commitDurably(this.#deps, notice, this.#signal);
      },
      signal: this.#signal,
    });
    if (settlements === null) return null;
    const results = new Map(open.map(({ id }, index) => [id, settlements[index]]));
    const folds = current.orders.map((order): OrderFold => {
      if (isTerminalOrder(order)) return ended(order);
      const heldBackNow: Settlement = { kind: 'held_back', problem: unsent.get(order.id) ?? null };
      const settlement = unsent.has(order.id) ? heldBackNow : (results.get(order.id) ?? heldBackNow);
      const fold = foldOf(order, settlement);
      for (const fill of fold.fills) known.add(fill.tradeId);
      return fold;
    });
    return { execution: current, folds };
  }

  /**
   * Resends orders that the venue cannot have. They are not sent if the trader has meanwhile cancelled them, stopped
   * trading or disarmed the account, or if the venue accepts only closing orders.
   * @param unsent receives the orders that the account's limits no longer admit, with the reason
   */
  async #resend(
    job: BasketJob,
    orders: readonly Order[],
    unsent: Map<string, LegProblem | null>,
  ): Promise<readonly OrderOutcome[]> {
    const { cancels, tradingPause } = this.#deps;
    const opening = reducesPosition(job.execution) ? null : job.execution;
    const wanted = orders.filter(({ id }) => !cancels.isWanted(id));
    const beyond = withinCaps(this.#deps, job.account, wanted, opening, this.#quantities);
    for (const [id, problem] of beyond ?? []) unsent.set(id, problem);
    const isStopped =
      beyond !== null ||
      (opening !== null &&
        (tradingPause.holds(opening.userId) ||
          isCutOff(this.#deps, opening) ||
          shutFor(this.#deps, job.account) !== null));
    const leaving = isStopped ? [] : wanted;
    const outcomes = leaving.length === 0 ? [] : await this.#place(job.account, leaving, this.#quantities);
    return orders.map((order) => {
      const index = leaving.indexOf(order);
      const outcome = outcomes[index];
      if (outcome !== undefined) return outcome;
      return cancels.isWanted(order.id) ? neverLeft(order) : stopped(order);
    });
  }

  async #commitMarked(execution: Execution, ids: ReadonlySet<string>, mark: OrderMark): Promise<void> {
    const orders = execution.orders.filter(({ id }) => ids.has(id));
    const events = ordersUpdated(orders, execution.updatedAt);
    const about = { legs: orders, positionId: execution.positionId, executionId: execution.id };
    const news =
      mark.errorCode === 'NEEDS_REVIEW'
        ? noticeOf(this.#deps, execution, about, (subject) => orderReviewNotification(subject, mark.error))
        : {};
    await commitDurably(this.#deps, oneUnit({ executions: [execution], events }, news), this.#signal);
  }

  watch(orders: readonly Order[]): void {
    for (const order of orders) {
      for (const id of attemptIds(order)) this.#deps.state.liveOrders.watch(id);
    }
  }

  /**
   * Called after the commit of the orders' fills. A continuing order stays watched with all its attempts, because a
   * venue may report a fill of an attempt that it had denied. After the order's end, its stored trade id identifies a
   * repeated fill.
   */
  unwatch(orders: readonly Order[]): void {
    for (const order of orders) {
      this.#quantities.delete(order.id);
      if (!isTerminalOrder(order)) continue;
      for (const id of attemptIds(order)) this.#deps.state.liveOrders.unwatch(id);
    }
  }
}

/** Orders of a basket that would exceed the account's limits, with the reason; null: all may be sent. */
function withinCaps(
  deps: EngineDeps,
  account: TradeAccount,
  orders: readonly Order[],
  opening: Execution | null,
  quantities: ReadonlyMap<string, string>,
): Sent['heldBack'] | null {
  if (opening === null) return null;
  const problem =
    deps.limits.withinCaps(account, opening, orders, quantities) ??
    heldByMandate(deps, account, opening, orders);
  return problem === null ? null : new Map(orders.map(({ id }) => [id, problem]));
}

/** Result of an opening order that was not sent again, because trading was stopped in between. */
function stopped(order: Order): OrderOutcome {
  return {
    kind: 'rejected',
    clientOrderId: sent(order.clientOrderId),
    reason: 'other',
    message: 'trading was stopped before the venue took it',
  };
}

/** Result of an order that was not sent: as if the venue had cancelled all of it. */
function neverLeft(order: Order): OrderOutcome {
  return {
    kind: 'done',
    state: 'cancelled',
    clientOrderId: sent(order.clientOrderId),
    venueOrderId: '',
    filledQuantity: '0',
    fills: [],
  };
}

function ended(order: Order): OrderFold {
  return {
    order,
    fills: [],
    settlement: { kind: 'done', venueOrderId: order.venueOrderId ?? '', fills: [] },
  };
}

interface OrderMark {
  readonly error: string;
  readonly errorCode: OrderErrorCode;
}

const ASKING: OrderMark = {
  error: 'the venue has not answered; asking what became of the order',
  errorCode: 'UNKNOWN_OUTCOME',
};

/** The execution with a reason on some of its open orders. */
function marked(execution: Execution, ids: ReadonlySet<string>, mark: OrderMark, now: number): Execution {
  return {
    ...execution,
    updatedAt: now,
    orders: execution.orders.map((order) =>
      ids.has(order.id) ? { ...order, ...mark, updatedAt: now } : order,
    ),
  };
}

function sent<T>(value: T | null): T {
  if (value === null) throw new Error('an order is sent without an attempt');
  return value;
}
