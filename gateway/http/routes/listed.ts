/** Checks that the subjects of a query are listed. */

import { invalid } from '../../call/errors.ts';
import type { MarketData } from '../../engine/ports/market.ts';

/** A 400 on `connector`, or on the parameter `path` that names the instruments, where one of them is not listed. */
export function checkListed(
  market: Pick<MarketData, 'instrument'> & { has(connector: string): boolean },
  connector: string,
  path: string,
  symbols: readonly string[],
): void {
  if (!market.has(connector)) throw invalid('connector', 'Unknown connector');
  for (const symbol of symbols) {
    if (market.instrument(connector, symbol) === undefined)
      throw invalid(path, `Unknown instrument ${symbol}`, 'unknown_instrument');
  }
}
