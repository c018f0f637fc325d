/**
 * Saved baskets of a trade account. One change at a time per account, so that no change is lost and no removed basket
 * comes back.
 */
import { canonicalLegs, type MaterializedBasket } from '../../domain/basket.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import {
  nameKey,
  type SavedBasket,
  type SavedBasketLeg,
  weighsOne,
  weightSum,
} from '../../domain/saved-basket.ts';
import type { BasketRegistry } from '../core/basket-registry.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type EngineError, invalid, notFound, storeFailed } from '../core/errors.ts';
import { basketKeyOf } from '../execution/basket-key.ts';
import { checkSymbols } from '../execution/check-symbols.ts';
import type { Page, PageRequest } from '../ports/pages.ts';
import type { StoreError, UnitOfWork } from '../ports/unit-of-work.ts';

export interface SavedBasketChange {
  /** Name, trimmed and composed (NFC). */
  readonly name?: string | undefined;
  /** All legs of the basket; they replace the current ones. */
  readonly legs?: readonly SavedBasketLeg[] | undefined;
}

export type SavedBasketDeps = Pick<EngineDeps, 'store' | 'market' | 'clock' | 'ids' | 'basketKey'> & {
  readonly registry: BasketRegistry;
};

export class SavedBaskets {
  readonly #deps: SavedBasketDeps;
  readonly #queue = new KeyedQueue();

  constructor(deps: SavedBasketDeps) {
    this.#deps = deps;
  }

  /** Saved baskets, most recently updated first. */
  async list(account: TradeAccount, { limit, after }: PageRequest): Promise<Page<SavedBasket>> {
    const all = await this.#deps.store.savedBaskets(account.id);
    const left = after === null ? all : all.filter((basket) => comesAfter(basket, after));
    const rows = left.slice(0, limit);
    const last = rows.at(-1);
    const isMore = last !== undefined && left.length > limit;
    return { rows, next: isMore ? { key: last.updatedAt, id: last.id } : null };
  }

  /** @param most baskets that an account may have; RESOURCE_BUSY with the reason TOO_MANY beyond */
  create(
    account: TradeAccount,
    wanted: { readonly name: string; readonly legs: readonly SavedBasketLeg[] },
    most: number,
  ): Promise<Result<SavedBasket, EngineError>> {
    return this.#queue.run(account.id, async () => {
      const saved = await this.#deps.store.savedBaskets(account.id);
      if (saved.length >= most)
        return busy(`${most} baskets of this account are saved: delete one first`, { reason: 'TOO_MANY' });
      const now = this.#deps.clock.now();
      return this.#save(account, {
        id: this.#deps.ids.next(),
        tradeAccountId: account.id,
        name: wanted.name,
        nameKey: nameKey(wanted.name),
        legs: wanted.legs,
        createdAt: now,
        updatedAt: now,
      });
    });
  }

  change(
    account: TradeAccount,
    id: string,
    change: SavedBasketChange,
  ): Promise<Result<SavedBasket, EngineError>> {
    return this.#queue.run(account.id, async () => {
      const current = await this.#deps.store.savedBasket(account.id, id);
      if (current === null) return notFound('Saved basket');
      const name = change.name ?? current.name;
      return this.#save(account, {
        ...current,
        name,
        nameKey: nameKey(name),
        legs: change.legs ?? current.legs,
        // If the clock was set back, the basket must still not sort behind baskets that were updated earlier.
        updatedAt: Math.max(this.#deps.clock.now(), current.updatedAt),
      });
    });
  }

  remove(account: TradeAccount, id: string): Promise<Result<null, EngineError>> {
    return this.#queue.run(account.id, async () => {
      const current = await this.#deps.store.savedBasket(account.id, id);
      if (current === null) return notFound('Saved basket');
      const committed = await this.#deps.store.commit({ deletes: [{ from: 'savedBaskets', id }] });
      return committed.ok ? ok(null) : storeFailed(committed.error);
    });
  }

  async #save(account: TradeAccount, basket: SavedBasket): Promise<Result<SavedBasket, EngineError>> {
    const known = checkSymbols(this.#deps, account, basket.legs);
    if (!known.ok) return known;
    if (!weighsOne(basket.legs)) {
      return fail<EngineError>({
        code: 'VALIDATION_ERROR',
        message: 'The sum of weights must be exactly 1',
        details: { path: 'legs', sum: weightSum(basket.legs) },
      });
    }
    const materialized: MaterializedBasket = {
      connector: account.connector,
      basketKey: basketKeyOf(this.#deps, basket.legs),
      legs: canonicalLegs(basket.legs),
      createdAt: basket.updatedAt,
    };
    const unit: UnitOfWork = { savedBaskets: [basket], baskets: [materialized] };
    const committed = await this.#deps.store.commit(unit);
    if (!committed.ok) return notSaved(committed.error);
    this.#deps.registry.put(materialized);
    return ok(basket);
  }
}

/** In the order of the list: most recently updated first. */
function comesAfter(
  { updatedAt, id }: SavedBasket,
  { key, id: other }: NonNullable<PageRequest['after']>,
): boolean {
  return updatedAt < key || (updatedAt === key && id < other);
}

/** A conflict is always about the name: the id is new, so only the name can exist already. */
function notSaved(error: StoreError) {
  if (error.kind === 'unavailable') return storeFailed(error);
  return invalid('name', 'A saved basket of this account has this name already', 'not_unique');
}
