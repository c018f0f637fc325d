/** `onLegFailure: RETRY`: which orders are tried again, when, and at which limit. */
import { dec, text } from '../domain/decimal.ts';
import type { Execution, Order } from '../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../domain/order.ts';
import { limitPrice } from '../domain/price-rules.ts';
import { reducesPosition } from './basket-job.ts';
import type { EngineDeps } from './deps.ts';
import type { OrderFold } from './fold-outcome.ts';

const MAX_RETRIES = 3;
/** Before the first retry, doubled before each next: a book needs time to refill. */
const FIRST_WAIT_MS = 250;

export function retryWaitMs(retriesSoFar: number): number {
  return FIRST_WAIT_MS * 2 ** retriesSoFar;
}

/**
 * Orders that ran out of liquidity inside their limit; a venue's refusal would only be repeated. Of what closes, also orders
 * that never reached the venue and no longer can: a stop-loss must not end there because the process did.
 */
export function retryableFolds(
  deps: Pick<EngineDeps, 'market'>,
  execution: Execution,
  folds: readonly OrderFold[],
): readonly OrderFold[] {
  // The policy of a reversal is that of its opening half; the close wants to be out, as every close.
  if (execution.onLegFailure !== 'RETRY' && execution.intent !== 'REVERSE') return [];
  return folds.filter(({ order, settlement }) => {
    if (isTerminalOrder(order) || order.attempt > MAX_RETRIES) return false;
    const isLost = settlement.kind === 'never_arrived' && reducesPosition(execution);
    if (settlement.kind !== 'done' && !isLost) return false;
    const instrument = deps.market.instrument(execution.connector, order.symbol);
    const value = remainingQuantity(order).mul(order.limitPrice ?? '0');
    return instrument !== undefined && (order.reduceOnly || value.gte(instrument.minNotional));
  });
}

/** The mark of now ± slippage, but never worse than the bound that the trade was placed with. */
export function repricedLimit(deps: Pick<EngineDeps, 'market'>, execution: Execution, order: Order): string {
  const first = order.limitPrice ?? '0';
  const quote = deps.market.quote(execution.connector, order.symbol);
  const instrument = deps.market.instrument(execution.connector, order.symbol);
  if (quote === undefined || instrument === undefined) return first;
  const fresh = limitPrice(dec(quote.mark), order.side, dec(execution.slippage), instrument);
  const better = order.side === 'BUY' ? fresh.lt(first) : fresh.gt(first);
  // A fresh limit on the near side of the book would only miss it again: then the old bound stays.
  const reaches = order.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
  return better && reaches ? text(fresh) : first;
}
