/** `onLegFailure: RETRY`: which orders are tried again, when, and at which limit. */
import { dec, text } from '../../domain/decimal.ts';
import type { Execution, Order } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import { limitPrice } from '../../domain/price-rules.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { RejectionReason } from '../ports/venue.ts';
import type { OrderFold } from './fold-outcome.ts';

export const MAX_RETRIES = 3;
/** Wait before the first retry, doubled before each next one: an order book needs time to refill. */
const FIRST_WAIT_MS = 250;

export function retryWaitMs(retriesSoFar: number): number {
  return FIRST_WAIT_MS * 2 ** retriesSoFar;
}

/**
 * Opening orders to retry: those that found no more liquidity inside their limit. A rejected order would be rejected
 * again.
 */
export function retryableFolds(
  deps: Pick<EngineDeps, 'market'>,
  execution: Execution,
  folds: readonly OrderFold[],
): readonly OrderFold[] {
  if (execution.onLegFailure !== 'RETRY') return [];
  return folds.filter(({ order, settlement }) => {
    if (isTerminalOrder(order) || order.attempt > MAX_RETRIES) return false;
    if (settlement.kind !== 'done') return false;
    const instrument = deps.market.instrument(execution.connector, order.symbol);
    const value = remainingQuantity(order).mul(order.limitPrice ?? '0');
    return instrument !== undefined && (order.reduceOnly || value.gte(instrument.minNotional));
  });
}

/** Rejections for an order that was outdated on arrival: planned again, it may be accepted. */
const PLANNED_AGAIN: readonly RejectionReason[] = ['expired', 'reduce_only', 'minimum', 'price'];

/** Whether a closing order gets another round. An order that was held back gets one only if the reason can pass. */
export function goesOn({ order, settlement }: OrderFold): boolean {
  if (isTerminalOrder(order)) return false;
  switch (settlement.kind) {
    case 'done':
    case 'never_arrived':
      return true;
    case 'rejected':
      return PLANNED_AGAIN.includes(settlement.reason);
    case 'not_sent': {
      // null: no reason is recorded, because the order has not been checked yet.
      const code = settlement.problem?.code ?? order.errorCode;
      return code === null || code === 'PRICE_STALE' || code === 'UNDER_REVIEW';
    }
  }
}

/** The order reached the venue after its expiry and was refused for that, so nothing executed. */
export function hasExpired({ settlement }: Pick<OrderFold, 'settlement'>): boolean {
  return settlement.kind === 'rejected' && settlement.reason === 'expired';
}

/** The attempt never reached the venue in time: the process was suspended, or the network lost the request. */
export function wasLost({ settlement }: OrderFold): boolean {
  return settlement.kind === 'never_arrived' || hasExpired({ settlement });
}

/** Present mark price ± slippage, but never worse than the limit of the attempt before. */
export function repricedLimit(deps: Pick<EngineDeps, 'market'>, execution: Execution, order: Order): string {
  const first = order.limitPrice ?? '0';
  const quote = deps.market.quote(execution.connector, order.symbol);
  const instrument = deps.market.instrument(execution.connector, order.symbol);
  if (quote === undefined || instrument === undefined) return first;
  const fresh = limitPrice(dec(quote.mark), order.side, dec(execution.slippage), instrument);
  const better = order.side === 'BUY' ? fresh.lt(first) : fresh.gt(first);
  // A new limit that does not reach the best opposite quote would not fill either: the old limit stays.
  const reaches = order.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
  return better && reaches ? text(fresh) : first;
}
