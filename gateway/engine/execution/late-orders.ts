/**
 * Fills of the gateway's own orders that the venue reports after it reported their end or denied them. Such a fill is
 * booked to its order and basket, and a person is notified, because the basket differs from the earlier report.
 */
import type { Execution, Order, TradeAccount } from '../../domain/model.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { PageRequest } from '../ports/pages.ts';
import type { VenueFill } from '../ports/venue.ts';
import type { ExecutionRecords } from './execution-records.ts';
import { clientOrderIdOf, ORDER_LIFETIME_MS } from './prepare.ts';

/** Longest time between an execution's acceptance and its fill. Older executions are not searched. */
const SEARCHED_MS = 6 * 60 * 60 * 1_000;
const PAGE = 200;
/** Form of the gateway's client order ids. */
const OWN_ID = /^0x[0-9a-f]{32}$/;
/** Number of foreign ids kept, so that each is searched for once. */
const MOST_FOREIGN = 10_000;

export type LateFill =
  /** The order is not the gateway's. */
  | 'foreign'
  /** The same, but its client order id has the gateway's form: another program placed it. */
  | 'other_program'
  | 'recorded'
  /** Its execution is still running; the fill must be passed in again. */
  | 'later';

interface Owner {
  readonly execution: Execution;
  readonly order: Order;
}

export class LateOrders {
  readonly #deps: Pick<EngineDeps, 'store' | 'venues'>;
  readonly #records: Pick<ExecutionRecords, 'lateFill'>;
  readonly #foreign = new Set<string>();

  constructor(deps: Pick<EngineDeps, 'store' | 'venues'>, records: Pick<ExecutionRecords, 'lateFill'>) {
    this.#deps = deps;
    this.#records = records;
  }

  /** @param fill not recorded yet, and not of a running order */
  async record(account: TradeAccount, fill: VenueFill): Promise<LateFill> {
    const { venues } = this.#deps;
    const { clientOrderId } = fill;
    // A venue whose answers are final reports nothing late.
    const isTrusted = venues.get(account.connector)?.info.notFound === 'final';
    if (isTrusted || clientOrderId === null || !OWN_ID.test(clientOrderId)) return 'foreign';
    const owner = await this.#findOwner(account, clientOrderId, fill.timestamp);
    if (owner === null) return 'other_program';
    const { execution, order } = owner;
    if (execution.status === 'ACTIVE' || execution.status === 'IDLE') return 'later';
    await this.#records.lateFill(execution, order, fill);
    return 'recorded';
  }

  /** True: another program gave an order its id in the gateway's form. @param at epoch ms at which the order existed */
  async isOtherPrograms(account: TradeAccount, clientOrderId: string, at: number): Promise<boolean> {
    return OWN_ID.test(clientOrderId) && (await this.#findOwner(account, clientOrderId, at)) === null;
  }

  async #findOwner(account: TradeAccount, clientOrderId: string, at: number): Promise<Owner | null> {
    if (this.#foreign.has(clientOrderId)) return null;
    const owner = await this.#ownerOf(account, clientOrderId, at);
    if (owner === null) {
      if (this.#foreign.size >= MOST_FOREIGN) this.#foreign.clear();
      this.#foreign.add(clientOrderId);
    }
    return owner;
  }

  /** The order whose attempt has this id; an order's earlier attempts are found too. */
  async #ownerOf(account: TradeAccount, clientOrderId: string, filledAt: number): Promise<Owner | null> {
    const oldest = filledAt - SEARCHED_MS;
    for (let after: PageRequest['after'] = null; ; ) {
      const page = await this.#deps.store.executions({ tradeAccountId: account.id }, { limit: PAGE, after });
      for (const execution of page.rows) {
        if (execution.createdAt < oldest) return null;
        if (execution.createdAt > filledAt + ORDER_LIFETIME_MS) continue;
        const order = execution.orders.find((one) => isAttemptOf(one, clientOrderId));
        if (order !== undefined) return { execution, order };
      }
      if (page.next === null) return null;
      after = page.next;
    }
  }
}

function isAttemptOf({ executionId, legIndex, attempt }: Order, clientOrderId: string): boolean {
  for (let number = 1; number <= attempt; number += 1)
    if (clientOrderIdOf(executionId, legIndex, number) === clientOrderId) return true;
  return false;
}
