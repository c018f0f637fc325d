/** How baskets are named: by their legs on every venue, and by their account in the queue of what changes them. */
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

/** Key of the queue (`Book.positionQueue`) in which everything of a basket changes, one after the other. */
export function basketQueueKey(of: { readonly tradeAccountId: string; readonly basketKey: string }): string {
  return `${of.tradeAccountId} ${of.basketKey}`;
}
