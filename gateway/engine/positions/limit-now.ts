/** Current price and worst price of an order, for plans. Places nothing. */
import { dec, text } from '../../domain/decimal.ts';
import type { TradeLeg } from '../../domain/model.ts';
import { limitPrice } from '../../domain/price-rules.ts';
import type { EngineDeps } from '../core/deps.ts';

/**
 * @param slippage a fraction
 * @returns `quote` undefined: the price is stale or unknown; `limit` null: there is no worst price
 */
export function limitNow(
  { market }: Pick<EngineDeps, 'market'>,
  connector: string,
  symbol: string,
  side: TradeLeg['side'],
  slippage: string,
) {
  const instrument = market.instrument(connector, symbol);
  const quote = market.isStale(connector, symbol) ? undefined : market.quote(connector, symbol);
  const limit =
    quote === undefined || instrument === undefined
      ? null
      : text(limitPrice(dec(quote.mark), side, dec(slippage), instrument, quote.index));
  return { instrument, quote, limit };
}
