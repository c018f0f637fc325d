/** The basket behind a row of any of the lists. */
import {
  type Basket,
  type BasketLeg,
  bareBasket,
  inOrder,
  normalised,
  savedBasket,
} from '../../features/basket/basket.ts';
import type { SavedBasket } from './saved-basket-draft.ts';

/** A basket with its legs ordered, longs first, then shorts. */
export interface OpenedBasket extends Basket {
  /** Key of the row in its list. */
  readonly key: string;
  /** Given name of the basket; null: it has none. */
  readonly name: string | null;
}

const longsFirst = (basket: Basket): Basket => ({ ...basket, legs: inOrder(basket) });

export function unweighedBasket(key: string, legs: readonly Pick<BasketLeg, 'id' | 'side'>[]): OpenedBasket {
  return { key, name: null, ...longsFirst(bareBasket(legs)) };
}

export function weighedBasket({ id, name, legs }: SavedBasket): OpenedBasket {
  return { key: id, name, ...normalised(longsFirst(savedBasket(legs))) };
}
