import type { BasketOpens } from '../../domain/basket.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/** A row per trader, so that the number of rows is the number of traders; a write adds to `opened`. */
export const basketOpenerEntity: TableEntity<BasketOpens> = {
  name: 'basket_opener',
  tableName: 'basket_openers',
  columns: {
    basketKey: key(text('basket_key')),
    connector: key(text('connector')),
    userId: key(text('user_id')),
    opened: integer('opened'),
  },
};
