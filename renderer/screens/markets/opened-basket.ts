/** A row of any of the lists as the basket that it stands for. */
import {
  type Basket,
  type BasketLeg,
  bareBasket,
  inOrder,
  normalised,
  savedBasket,
} from '../../features/basket/basket.ts';
import type { SavedBasket } from './saved-basket-draft.ts';

/** Longs, then shorts. */
export interface OpenedBasket extends Basket {
  /** Of the row, in its list. */
  readonly key: string;
  /** Its given name; null: it has none. */
  readonly name: string | null;
}

const longsFirst = (basket: Basket): Basket => ({ ...basket, legs: inOrder(basket) });

export function unweighedBasket(key: string, legs: readonly Pick<BasketLeg, 'id' | 'side'>[]): OpenedBasket {
  return { key, name: null, ...longsFirst(bareBasket(legs)) };
}

export function weighedBasket({ id, name, legs }: SavedBasket): OpenedBasket {
  return { key: id, name, ...normalised(longsFirst(savedBasket(legs))) };
}
