import type { SavedBasket } from '../../domain/saved-basket.ts';
import { fixed, integer, json, key, type TableEntity, text } from '../rows/table-entity.ts';

export const savedBasketEntity: TableEntity<SavedBasket> = {
  name: 'saved_basket',
  tableName: 'saved_baskets',
  columns: {
    id: key(text('id')),
    tradeAccountId: fixed(text('trade_account_id')),
    name: text('name'),
    nameKey: text('name_key'),
    legs: json('legs'),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
