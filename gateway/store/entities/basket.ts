import type { MaterializedBasket } from '../../domain/basket.ts';
import { fixed, integer, json, key, type TableEntity, text } from '../rows/table-entity.ts';

export const basketEntity: TableEntity<MaterializedBasket> = {
  name: 'basket',
  tableName: 'baskets',
  columns: {
    connector: key(text('connector')),
    basketKey: key(text('basket_key')),
    legs: fixed(json('legs')),
    createdAt: fixed(integer('created_at')),
  },
};
