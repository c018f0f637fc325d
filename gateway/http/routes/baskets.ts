/** Market baskets and their counts. Public. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import { countBasketPositions, listMarketBaskets } from '../../contract/baskets.ts';
import type { AnswerOf, QueryOf } from '../../contract/route.ts';
import type { Store } from '../../engine/ports/store.ts';

export interface BasketRouteDeps {
  readonly market: { has(connector: string): boolean };
  readonly listing: {
    page(
      connector: string,
      filter: Omit<QueryOf<typeof listMarketBaskets>, 'connector'>,
    ): AnswerOf<typeof listMarketBaskets>;
  };
  readonly store: Pick<Store, 'basketCounts'>;
}

export function basketRoutes({ market, listing, store }: BasketRouteDeps): readonly BoundRoute[] {
  return [
    bind(listMarketBaskets, ({ query: { connector, ...filter } }) => {
      if (!market.has(connector)) throw invalid('connector', 'Unknown connector');
      return { body: listing.page(connector, filter) };
    }),

    bind(countBasketPositions, async ({ body }) => {
      const unknown = body.connector?.findIndex((id) => !market.has(id)) ?? -1;
      if (unknown >= 0) throw invalid(`connector.${unknown}`, 'Unknown connector');
      const found = await store.basketCounts(body.basketKeys, body.connector ?? null);
      const byKey = new Map(found.map((count) => [count.basketKey, count]));
      const counts = body.basketKeys.map(
        (basketKey) => byKey.get(basketKey) ?? { basketKey, opened: 0, traders: 0 },
      );
      return { body: { counts } };
    }),
  ];
}
