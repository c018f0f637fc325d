/** Market baskets (ever opened or saved here), the traders who opened them, and the saved baskets of an account. */
import type { BasketOpens, MaterializedBasket } from '../domain/basket.ts';
import type { SavedBasket } from '../domain/saved-basket.ts';
import type { Store } from '../engine/ports/store.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, key, table, text } from './rows/table-entity.ts';

export const basketEntity = table<MaterializedBasket>('baskets', {
  connector: key(text('connector')),
  basketKey: key(text('basket_key')),
  legs: fixed(json('legs')),
  createdAt: fixed(integer('created_at')),
});

/** Openings of a basket, one row per trader, so that counting rows counts traders; a write adds to `opened`. */
export const basketOpenerEntity = table<BasketOpens>('basket_openers', {
  basketKey: key(text('basket_key')),
  connector: key(text('connector')),
  userId: key(text('user_id')),
  opened: integer('opened'),
});

export const savedBasketEntity = table<SavedBasket>('saved_baskets', {
  id: key(text('id')),
  tradeAccountId: fixed(text('trade_account_id')),
  name: text('name'),
  nameKey: text('name_key'),
  legs: json('legs'),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

/** Openings and traders of each basket. A row is one trader on one venue, so a trader counts once per venue. */
const BASKET_COUNTS = `
  SELECT basket_key, sum(opened) AS opened, count(*) AS traders FROM basket_openers
  WHERE basket_key IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR connector IN (SELECT value FROM json_each(?2)))
  GROUP BY basket_key`;

export function basketReads({ all, one, select }: Reads) {
  const savedBaskets = select(
    savedBasketEntity,
    'WHERE trade_account_id = ? ORDER BY updated_at DESC, id DESC',
  );
  const savedBasket = one(savedBasketEntity, 'WHERE id = ?');
  return {
    baskets: select(basketEntity, 'ORDER BY connector, basket_key'),
    async basketCounts(basketKeys, connectors) {
      const rows = await all(BASKET_COUNTS, [
        JSON.stringify(basketKeys),
        connectors === null ? null : JSON.stringify(connectors),
      ]);
      return rows.map((row) => ({
        basketKey: String(row['basket_key']),
        opened: Number(row['opened']),
        traders: Number(row['traders']),
      }));
    },
    savedBaskets: (tradeAccountId) => savedBaskets(tradeAccountId),
    savedBasket: async (tradeAccountId, id) => ofAccount(await savedBasket(id), tradeAccountId),
  } satisfies Partial<Store>;
}
