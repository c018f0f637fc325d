/** What a basket is called, in a line of text. */
import { useTicker } from '../../api/market.ts';
import { basketName, type NamedLeg } from './basket-name.ts';

/** `BTC + SOL / ETH` */
export function useBasketText(legs: readonly NamedLeg[]): string {
  return basketName(legs, useTicker()).text;
}
