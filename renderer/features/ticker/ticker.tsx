/** The ticker of an instrument id. */
import { useTicker } from '../../api/market.ts';

export function Ticker({ symbol }: { readonly symbol: string }) {
  return useTicker()(symbol);
}
