/** Names of baskets: by their legs on every venue, and with their account in the queue of their changes. */
import type { EngineDeps } from '../core/deps.ts';

export function basketKeyOf(
  deps: Pick<EngineDeps, 'basketKey'>,
  legs: readonly { readonly symbol: string; readonly side: string }[],
): string {
  const longs: string[] = [];
  const shorts: string[] = [];
  for (const { symbol, side } of legs) (side === 'BUY' ? longs : shorts).push(symbol);
  return deps.basketKey(longs, shorts);
}

/** Key of the queue (`OpenPositions.queue`) in which all changes of a basket run one after the other. */
export function basketQueueKey(of: { readonly tradeAccountId: string; readonly basketKey: string }): string {
  return `${of.tradeAccountId} ${of.basketKey}`;
}
