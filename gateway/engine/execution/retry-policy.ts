/** `onLegFailure: RETRY`: selection, waits and limits of retried orders. */
import { dec, text } from '../../domain/decimal.ts';
import type { Execution, Order } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import { insideBand, limitPrice } from '../../domain/price-rules.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Clock } from '../ports/system.ts';
import type { RejectionReason } from '../ports/venue.ts';
import type { OrderFold } from './fold-outcome.ts';
import type { Settlement } from './settling-order.ts';

export const MAX_RETRIES = 3;
/** Wait before the first retry, doubled before each next one: an order book needs time to refill. */
const FIRST_WAIT_MS = 250;

export function retryWaitMs(retriesSoFar: number): number {
  return FIRST_WAIT_MS * 2 ** retriesSoFar;
}

/** Longest time that one execution retries orders that cannot be sent, ms. */
const UNSENT_LIMIT_MS = 10_000;
/** The same while the venue accepts only post-only orders, and the wait between two tries, ms. */
const POST_ONLY_LIMIT_MS = 120_000;
const POST_ONLY_WAIT_MS = 2_000;

/**
 * Attempts of one execution that were never sent, because the venue was unreachable or accepts no more requests. They
 * are repeated whatever `onLegFailure` says, since the venue cannot have them, and do not count as attempts.
 */
export class UnsentAttempts {
  readonly #clock: Pick<Clock, 'now' | 'uptime'>;
  readonly #since: number;
  /** Attempts that do not count, by order. */
  readonly #free = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.#clock = clock;
    this.#since = clock.uptime();
  }

  mayRepeat({ settlement }: Pick<OrderFold, 'settlement'>): boolean {
    const limit = isPostOnly(settlement) ? POST_ONLY_LIMIT_MS : UNSENT_LIMIT_MS;
    return neverLeft({ settlement }) && this.#clock.uptime() + this.#waitOf(settlement) < this.#since + limit;
  }

  /** Counts unsent attempts as free. To be called with the folds that are tried again. */
  repeated(folds: readonly OrderFold[]): void {
    for (const { order, settlement } of folds)
      if (settlement.kind === 'not_sent') this.#free.set(order.id, this.freeOf(order) + 1);
  }

  freeOf({ id }: Pick<Order, 'id'>): number {
    return this.#free.get(id) ?? 0;
  }

  /** Ms until the venue takes requests again; 0: at once. */
  waitMs(folds: readonly OrderFold[]): number {
    return Math.max(0, ...folds.map(({ settlement }) => this.#waitOf(settlement)));
  }

  #waitOf(settlement: Settlement): number {
    if (isPostOnly(settlement)) return POST_ONLY_WAIT_MS;
    return settlement.kind === 'not_sent' ? Math.max(0, settlement.retryAt - this.#clock.now()) : 0;
  }
}

/**
 * Opening orders to retry: those that found no more liquidity inside their limit. A rejected order would be rejected
 * again.
 */
export function retryableFolds(
  deps: Pick<EngineDeps, 'market'>,
  execution: Execution,
  folds: readonly OrderFold[],
  unsent: UnsentAttempts,
): readonly OrderFold[] {
  return folds.filter((fold) => {
    const { order, settlement } = fold;
    if (isTerminalOrder(order)) return false;
    if (settlement.kind === 'not_sent') return unsent.mayRepeat(fold);
    if (execution.onLegFailure !== 'RETRY' || settlement.kind !== 'done') return false;
    if (order.attempt - unsent.freeOf(order) > MAX_RETRIES) return false;
    const instrument = deps.market.instrument(execution.connector, order.symbol);
    const left = remainingQuantity(order);
    if (instrument === undefined || left.lt(instrument.minQuantity)) return false;
    return order.reduceOnly || left.mul(order.limitPrice ?? '0').gte(instrument.minNotional);
  });
}

/** Rejections of orders that were outdated on arrival: after a new plan they may be accepted. */
const PLANNED_AGAIN: readonly RejectionReason[] = ['expired', 'reduce_only', 'minimum', 'price', 'post_only'];

/** True: a closing order gets another round. A held-back order gets one only if its reason can pass. */
export function goesOn({ order, settlement }: OrderFold): boolean {
  if (isTerminalOrder(order)) return false;
  switch (settlement.kind) {
    case 'done':
    case 'never_arrived':
      return true;
    // Its quantity may be gone at the venue.
    case 'unresolved':
      return false;
    case 'rejected':
      return PLANNED_AGAIN.includes(settlement.reason);
    // `UnsentAttempts` limits the duration.
    case 'not_sent':
      return true;
    case 'held_back': {
      // null: no reason is recorded, because the order has not been checked yet.
      const code = settlement.problem?.code ?? order.errorCode;
      return code === null || code === 'PRICE_STALE' || code === 'UNDER_REVIEW';
    }
  }
}

/**
 * True: the venue's quantity is smaller than assumed when the order was sized, or on the other side. Nothing executed,
 * and the positions must be read again.
 */
export function wouldHaveOpened({ settlement }: Pick<OrderFold, 'settlement'>): boolean {
  return settlement.kind === 'rejected' && settlement.reason === 'reduce_only';
}

/** True: the order was not sent before its expiry, or the venue currently accepts none of its kind. */
export function neverLeft({ settlement }: Pick<OrderFold, 'settlement'>): boolean {
  return settlement.kind === 'not_sent' || isPostOnly(settlement);
}

function isPostOnly(settlement: Settlement): boolean {
  return settlement.kind === 'rejected' && settlement.reason === 'post_only';
}

/** True: the order reached the venue after its expiry and was refused for that, so nothing executed. */
export function hasExpired({ settlement }: Pick<OrderFold, 'settlement'>): boolean {
  return settlement.kind === 'rejected' && settlement.reason === 'expired';
}

/** True: the attempt did not reach the venue in time. The process was suspended, or the request was lost. */
export function wasLost({ settlement }: OrderFold): boolean {
  return settlement.kind === 'never_arrived' || settlement.kind === 'not_sent' || hasExpired({ settlement });
}

/** Current mark price ± slippage, but never worse than the limit of the previous attempt. */
export function repricedLimit(deps: Pick<EngineDeps, 'market'>, execution: Execution, order: Order): string {
  const first = order.limitPrice ?? '0';
  const quote = deps.market.quote(execution.connector, order.symbol);
  const instrument = deps.market.instrument(execution.connector, order.symbol);
  if (quote === undefined || instrument === undefined) return first;
  const mark = dec(quote.mark);
  const fresh = limitPrice(mark, order.side, dec(execution.slippage), instrument, quote.index);
  const better = order.side === 'BUY' ? fresh.lt(first) : fresh.gt(first);
  // A new limit short of the best opposite quote would not fill either: the old limit stays.
  const reaches = order.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
  if (better && reaches) return text(fresh);
  return text(insideBand(dec(first), order.side, mark, quote.index, instrument));
}
