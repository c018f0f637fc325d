import type { TradeAccount } from '../../domain/model.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const tradeAccountEntity: TableEntity<TradeAccount> = {
  name: 'trade_account',
  tableName: 'trade_accounts',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    alias: text('alias'),
    connector: fixed(text('connector')),
    mode: fixed(text('mode')),
    exchangeIdentifier: text('exchange_identifier'),
    status: text('status'),
    metadata: nullable(json('metadata')),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
