/** The name of a basket on every venue, from its legs. */
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
