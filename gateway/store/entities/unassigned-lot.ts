import type { UnassignedLot } from '../../domain/unassigned.ts';
import { fixed, integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/** A lot that nothing is left of keeps its row, with quantity '0'. */
export const unassignedLotEntity: TableEntity<UnassignedLot> = {
  name: 'unassigned_lot',
  tableName: 'unassigned_lots',
  columns: {
    id: key(text('id')),
    tradeAccountId: fixed(text('trade_account_id')),
    connector: fixed(text('connector')),
    symbol: fixed(text('symbol')),
    source: fixed(text('source')),
    quantity: text('quantity'),
    price: fixed(text('price')),
    timestamp: fixed(integer('timestamp')),
  },
};
