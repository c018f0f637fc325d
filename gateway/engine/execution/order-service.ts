/**
 * Cancelling orders. An unsent order is not sent; an order at the venue is cancelled there, whatever its time in force.
 * The answer comes once the order's end is on disk, so an answered cancel holds across a restart.
 */
import { placedBy } from '../../domain/authority.ts';
import type { Execution, Principal, TradeAccount } from '../../domain/model.ts';
import { isTerminalOrder } from '../../domain/order.ts';
import { fail, ok } from '../../domain/result.ts';
import type { EngineDeps } from '../core/deps.ts';
import {
  busy,
  type EngineError,
  noop,
  notFound,
  type Refusable,
  storeFailed,
  venueFailed,
} from '../core/errors.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { pauserOf } from '../core/users-pause.ts';
import type { PageRequest } from '../ports/pages.ts';
import type { OrderOfExecution } from '../ports/store.ts';
import { venueAccount, venueOf } from './ask-venue.ts';
import { actorOf, loosenedUnit, mayChangeProtection } from './loosening.ts';
import { kindOf } from './mandate-kind.ts';
import { attemptOf } from './order-ref.ts';

export interface CancelReport {
  readonly cancelled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly error: EngineError }[];
}

export type OrderService = ReturnType<typeof createOrderService>;

/**
 * Maximum wait for an order's end. An order that reached the venue ends much earlier; one that did not expires within
 * this time.
 */
const END_WITHIN_MS = 8_000;
const PAGE = 500;

export function createOrderService(deps: EngineDeps) {
  return {
    /**
     * Cancels one order and returns it after the venue's answer. NOOP_ERROR if the order has ended.
     * @param principal left out: the user
     */
    cancel: (account: TradeAccount, orderId: string, principal?: Principal) =>
      cancelJudged(deps, account, orderId, principal),
    /**
     * Cancels all PENDING and PARTIAL orders; for an agent, only those that could open. NOOP_ERROR if there is none.
     * @param principal left out: the user
     */
    cancelAll: (account: TradeAccount, principal?: Principal) => cancelAll(deps, account, principal),
  };
}

/** True: the order reduces a position, which keeps its size if the order is cancelled. */
function takesOut({ intent }: Pick<Execution, 'intent'>): boolean {
  return intent === 'CLOSE' || intent === 'REDUCE';
}

async function cancelJudged(
  deps: EngineDeps,
  account: TradeAccount,
  orderId: string,
  principal: Principal | undefined,
): Refusable<OrderOfExecution> {
  const bound = principal === undefined ? null : deps.warden.ofPrincipal(principal);
  const found = bound === null ? null : await deps.store.orderWithExecution(account.id, orderId);
  if (principal === undefined || bound === null || found === null || isTerminalOrder(found.order))
    return cancelOrder(deps, account, orderId);
  const { execution } = found;
  const isHis = deps.warden.isHis(bound, execution);
  // The holder's own direct close is its own order. A fired close, or one of the user, protects the position.
  if (!takesOut(execution) || (isHis && execution.origin === 'API'))
    return cancelOrder(deps, account, orderId);
  const loosens = [{ words: `Closing order of ${found.order.symbol} cancelled` }];
  const asked = { account, kind: kindOf(execution), isOwn: isHis, loosens };
  const allowed = mayChangeProtection(deps, principal, asked);
  if (!allowed.ok) return fail(await deps.warden.told(allowed.error));
  const done = await cancelOrder(deps, account, orderId);
  if (!done.ok) return done;
  const about = { ...execution, legs: execution.orders };
  const told = loosenedUnit(deps, actorOf(principal, placedBy(principal)), about, loosens);
  const approved = allowed.value?.approved?.alongside(orderId) ?? {};
  const committed = await deps.store.commit(oneUnit(approved, told));
  return committed.ok ? done : storeFailed(committed.error);
}

async function cancelOrder(
  deps: EngineDeps,
  account: TradeAccount,
  orderId: string,
): Refusable<OrderOfExecution> {
  const found = await deps.store.orderWithExecution(account.id, orderId);
  if (found === null) return notFound('Order');
  if (isTerminalOrder(found.order)) return noop('The order has finished already');
  const ended = endOf(deps, orderId);
  // The order may have ended before `endOf` began to listen; then `ended` would resolve only after its limit.
  const now = await deps.store.orderWithExecution(account.id, orderId);
  if (now !== null && isTerminalOrder(now.order)) {
    deps.cancels.recorded([now.order]);
    return noop('The order has finished already');
  }
  const clientOrderId = deps.cancels.atVenue(orderId);
  if (clientOrderId !== undefined) {
    // The attempt at the venue may be a later one than the row read above names.
    const { ref } = attemptOf({
      ...found.order,
      clientOrderId,
      expiresAt: found.order.expiresAt ?? deps.clock.now(),
    });
    const told = await venueOf(deps, account.connector).cancel(venueAccount(account), ref);
    // A rejected cancel means that the order has ended at the venue or has not arrived: the order's end shows which.
    if (!told.ok && told.error.kind !== 'rejected') return venueFailed(told.error);
  }
  await ended;
  const after = await deps.store.orderWithExecution(account.id, orderId);
  if (after === null || !isTerminalOrder(after.order)) {
    return busy('The order has not ended yet; it is not tried again, and ends when the venue answers');
  }
  return after.order.status === 'FILLED' ? noop('The order filled before it could be cancelled') : ok(after);
}

/** Resolves when the order's end is on disk, or after `END_WITHIN_MS`. */
function endOf(deps: Pick<EngineDeps, 'cancels' | 'clock'>, orderId: string): Promise<void> {
  return new Promise((resolve) => {
    const cancelTimer = deps.clock.after(END_WITHIN_MS, () => {
      stop();
      resolve();
    });
    const stop = deps.cancels.want(orderId, () => {
      cancelTimer();
      resolve();
    });
  });
}

async function cancelAll(
  deps: EngineDeps,
  account: TradeAccount,
  principal: Principal | undefined,
): Refusable<CancelReport> {
  const isAgents = pauserOf(deps, principal) === 'AGENT';
  const open = await openOrders(deps, account, (execution) => !isAgents || !takesOut(execution));
  if (open.length === 0) return noop('No order is open');
  const ends = await Promise.all(
    open.map(async (id) => ({ id, result: await cancelOrder(deps, account, id) })),
  );
  return ok({
    cancelled: ends.flatMap(({ id, result }) => (result.ok ? [id] : [])),
    failed: ends.flatMap(({ id, result }) => (result.ok ? [] : [{ id, error: result.error }])),
  });
}

async function openOrders(
  deps: Pick<EngineDeps, 'store'>,
  account: TradeAccount,
  isMeant: (execution: Execution) => boolean,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: PageRequest['after'] = null; ; ) {
    const filter = { tradeAccountId: account.id, statuses: ['PENDING', 'PARTIAL'] } as const;
    const page = await deps.store.orders(filter, { limit: PAGE, after });
    ids.push(...page.rows.filter(({ execution }) => isMeant(execution)).map(({ order }) => order.id));
    if (page.next === null) return ids;
    after = page.next;
  }
}
