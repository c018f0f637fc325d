/** Sends one attempt of a basket's orders and finds out the result of each order. */
import type { Placed } from '../../domain/authority.ts';
import { text } from '../../domain/decimal.ts';
import type { Execution, Order, TradeAccount } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import type { LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, type StopSignal } from '../core/durable.ts';
import { ordersUpdated } from '../core/events.ts';
import type { OrderOutcome, VenueFill } from '../ports/venue.ts';
import { venueAccount, venueOf } from './ask-venue.ts';
import type { BasketJob } from './basket-job.ts';
import { foldSettlement, type OrderFold } from './fold-outcome.ts';
import { settleOrder } from './settle-order.ts';

const NOTHING_ELSE: ReadonlyMap<string, string> = new Map();
const NOT_ONE: ReadonlyMap<string, LegProblem | null> = new Map();

export interface Sent {
  /** The venue's answers. */
  readonly outcomes: readonly OrderOutcome[];
  /** Orders that were not sent, with the reason. */
  readonly heldBack: ReadonlyMap<string, LegProblem | null>;
}

export class OrderAttempts {
  readonly #deps: EngineDeps;
  readonly #signal: StopSignal;
  /** Fills of orders in flight that the account stream delivered, by client order id. */
  readonly #streamed = new Map<string, VenueFill[]>();

  constructor(deps: EngineDeps, signal: StopSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /**
   * Sends orders of one account whose client order ids are on disk already. Orders that the trader cancelled
   * meanwhile are not sent, and none of a basket that would leave the account's limits.
   * @param opening who placed the execution that opens; null: it closes, which is never limited
   * @param quantities base units of an order's attempt, for orders of which less than the open quantity is sent
   */
  async send(
    account: TradeAccount,
    orders: readonly Order[],
    opening: Placed | null,
    quantities: ReadonlyMap<string, string> = NOTHING_ELSE,
  ): Promise<Sent> {
    const { cancels } = this.#deps;
    const heldBack = withinCaps(this.#deps, account, orders, opening, quantities);
    if (heldBack !== null) return { outcomes: [], heldBack };
    const [unsent, leaving] = [
      orders.filter(({ id }) => cancels.isWanted(id)),
      orders.filter(({ id }) => !cancels.isWanted(id)),
    ];
    for (const order of leaving) cancels.leaves(order);
    // Subscribed before sending: the account stream may be faster than the venue's answer.
    this.watch(leaving);
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
   * @param heldBack orders that were not sent, with the reason unless the order itself has it
   */
  async settle(
    job: BasketJob,
    execution: Execution,
    outcomes: readonly OrderOutcome[] | undefined,
    known: Set<string>,
    heldBack: ReadonlyMap<string, LegProblem | null> = NOT_ONE,
  ): Promise<readonly OrderFold[] | null> {
    // An execution's row is written as a whole, so the mark of one order must be kept when the next order is marked.
    let told = execution;
    const tellUnknown = async (order: Order): Promise<void> => {
      told = marked(told, order, this.#deps.clock.now());
      await this.#commitAsking(told, order.id);
    };
    const byClientId = new Map((outcomes ?? []).map((outcome) => [outcome.clientOrderId, outcome]));
    const folds = await Promise.all(
      execution.orders.map((order) => {
        const problem = heldBack.get(order.id);
        if (problem !== undefined && !isTerminalOrder(order)) {
          return { order, fills: [], settlement: { kind: 'not_sent', problem } } as const;
        }
        return this.#settleOne(job, order, byClientId.get(order.clientOrderId ?? ''), known, () =>
          tellUnknown(order),
        );
      }),
    );
    return folds.every((fold) => fold !== null) ? folds : null;
  }

  async #settleOne(
    job: BasketJob,
    order: Order,
    outcome: OrderOutcome | undefined,
    known: Set<string>,
    onUnknown: () => Promise<void>,
  ): Promise<OrderFold | null> {
    const { clientOrderId } = order;
    if (isTerminalOrder(order) || clientOrderId === null) {
      return {
        order,
        fills: [],
        settlement: { kind: 'done', venueOrderId: order.venueOrderId ?? '', fills: [] },
      };
    }
    const settlement = await settleOrder(this.#deps, {
      venue: venueOf(this.#deps, job.account.connector),
      account: venueAccount(job.account),
      order,
      outcome,
      streamed: () => this.#streamed.get(clientOrderId) ?? [],
      onUnknown,
      stopping: () => this.#signal.stopping,
    });
    if (settlement === null) return null;
    const fold = foldSettlement(order, settlement, known, this.#deps.clock.now());
    for (const fill of fold.fills) known.add(fill.tradeId);
    return fold;
  }

  async #commitAsking(execution: Execution, orderId: string): Promise<void> {
    const asking = execution.orders.filter(({ id }) => id === orderId);
    const events = ordersUpdated(asking, execution.updatedAt);
    await commitDurably(this.#deps, { executions: [execution], events }, this.#signal);
  }

  watch(orders: readonly Order[]): void {
    for (const { clientOrderId } of orders) {
      if (clientOrderId === null || this.#streamed.has(clientOrderId)) continue;
      const fills: VenueFill[] = [];
      this.#streamed.set(clientOrderId, fills);
      this.#deps.state.liveOrders.watch(clientOrderId, (fill) => fills.push(fill));
    }
  }

  /**
   * Called after the commit of the orders' fills: from now on a repeated fill is recognised by its stored trade id,
   * so the stream's fills need not be collected.
   */
  unwatch(orders: readonly Order[]): void {
    for (const { clientOrderId } of orders) {
      if (clientOrderId === null) continue;
      this.#streamed.delete(clientOrderId);
      this.#deps.state.liveOrders.unwatch(clientOrderId);
    }
  }
}

/** The orders of a basket that would leave the account's limits, with the reason; null: all may be sent. */
function withinCaps(
  { limits }: Pick<EngineDeps, 'limits'>,
  account: TradeAccount,
  orders: readonly Order[],
  opening: Placed | null,
  quantities: ReadonlyMap<string, string>,
): Sent['heldBack'] | null {
  const problem = opening === null ? null : limits.withinCaps(account, opening, orders, quantities);
  return problem === null ? null : new Map(orders.map(({ id }) => [id, problem]));
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

/** The execution with one order marked as having an unknown outcome; the venue is then asked about it. */
function marked(execution: Execution, { id }: Order, now: number): Execution {
  return {
    ...execution,
    updatedAt: now,
    orders: execution.orders.map((order) =>
      order.id === id
        ? {
            ...order,
            error: 'the venue has not answered; asking what became of the order',
            errorCode: 'UNKNOWN_OUTCOME',
            updatedAt: now,
          }
        : order,
    ),
  };
}

function sent<T>(value: T | null): T {
  if (value === null) throw new Error('an order is sent without an attempt');
  return value;
}
