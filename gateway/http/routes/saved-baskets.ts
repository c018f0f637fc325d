/** `/saved-baskets`. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  changeSavedBasket,
  createSavedBasket,
  listSavedBaskets,
  MOST_SAVED_BASKETS,
  removeSavedBasket,
  type SavedBasketBody,
} from '../../contract/saved-baskets.ts';
import type { SavedBasket } from '../../domain/saved-basket.ts';
import type { SavedBaskets } from '../../engine/positions/saved-baskets.ts';
import { iso } from '../present/time.ts';
import { unwrap } from '../unwrap.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';

function presentSavedBasket({ id, name, legs, createdAt, updatedAt }: SavedBasket): SavedBasketBody {
  return { id, name, legs: [...legs], createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

export function savedBasketRoutes(savedBaskets: SavedBaskets): readonly BoundRoute[] {
  return [
    bind(listSavedBaskets, async ({ account, query }) => {
      const page = await savedBaskets.list(account, pageAsked(query));
      return { body: { savedBaskets: page.rows.map(presentSavedBasket), ...nextCursorOf(page) } };
    }),

    bind(createSavedBasket, async ({ account, body }) => ({
      body: presentSavedBasket(unwrap(await savedBaskets.create(account, body, MOST_SAVED_BASKETS))),
    })),

    bind(changeSavedBasket, async ({ account, params, body }) => ({
      body: presentSavedBasket(unwrap(await savedBaskets.change(account, params.id.toLowerCase(), body))),
    })),

    bind(removeSavedBasket, async ({ account, params }) => {
      unwrap(await savedBaskets.remove(account, params.id.toLowerCase()));
      return {};
    }),
  ];
}
