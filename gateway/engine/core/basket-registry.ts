/**
 * Baskets ever opened or saved on this gateway, in memory, with the basket and the count that a completed open adds.
 * Rebuilt from the store at start; changed only after the commit of the same change.
 */
import { canonicalLegs, type MaterializedBasket } from '../../domain/basket.ts';
import type { Execution, Position } from '../../domain/model.ts';
import type { Store } from '../ports/store.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

const NONE: readonly MaterializedBasket[] = [];

export class BasketRegistry {
  readonly #byConnector = new Map<string, Map<string, MaterializedBasket>>();
  readonly #lists = new Map<string, readonly MaterializedBasket[]>();

  async load(store: Pick<Store, 'baskets'>): Promise<void> {
    for (const basket of await store.baskets()) this.put(basket);
  }

  /** Baskets in the order in which they were added; the same array until another basket is added. */
  of(connector: string): readonly MaterializedBasket[] {
    let list = this.#lists.get(connector);
    if (list === undefined) {
      list = [...(this.#byConnector.get(connector)?.values() ?? NONE)];
      this.#lists.set(connector, list);
    }
    return list;
  }

  /** Adds a basket after its commit. A basket that is there already stays as it is, as on disk. */
  put(basket: MaterializedBasket): void {
    let baskets = this.#byConnector.get(basket.connector);
    if (baskets === undefined) {
      baskets = new Map();
      this.#byConnector.set(basket.connector, baskets);
    }
    if (baskets.has(basket.basketKey)) return;
    baskets.set(basket.basketKey, basket);
    this.#lists.delete(basket.connector);
  }
}

/**
 * Baskets and open counts that an ended execution adds. They are committed in the unit of its end, so that each
 * completed open counts exactly once, also across a crash. null: the execution opened no position, or did not complete.
 *
 * @param position the position as the execution left it
 * @param isNew true: the execution made the position
 */
export function openedBasket(
  ended: Execution,
  position: Position | null,
  isNew: boolean,
): { readonly basket: MaterializedBasket; readonly unit: UnitOfWork } | null {
  const opens = ended.intent === 'OPEN' || ended.intent === 'ADJUST';
  if (ended.status !== 'COMPLETED' || !opens || !isNew || position === null) return null;
  const { basketKey, connector, userId } = ended;
  const basket: MaterializedBasket = {
    connector,
    basketKey,
    legs: canonicalLegs(position.legs),
    createdAt: ended.updatedAt,
  };
  return { basket, unit: { baskets: [basket], basketOpens: [{ basketKey, connector, userId, opened: 1 }] } };
}
