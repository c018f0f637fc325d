/** Displayed name of a basket as plain text. */
import { useTicker } from '../../api/market.ts';
import { basketName, type NamedLeg } from './basket-name.ts';

/** Name of the basket: `BTC + SOL / ETH` */
export function useBasketText(legs: readonly NamedLeg[]): string {
  return basketName(legs, useTicker()).text;
}
