import type { Order } from '../../domain/model.ts';
import { fixed, flag, integer, key, nullable, type TableEntity, text } from './table-entity.ts';

export const orderEntity: TableEntity<Order> = {
  name: 'order',
  tableName: 'orders',
  columns: {
    id: key(text('id')),
    executionId: fixed(text('execution_id')),
    tradeAccountId: fixed(text('trade_account_id')),
    legIndex: fixed(integer('leg_index')),
    symbol: fixed(text('symbol')),
    side: fixed(text('side')),
    mode: fixed(text('mode')),
    amount: fixed(text('amount')),
    reduceOnly: flag('reduce_only'),
    quantity: nullable(text('quantity')),
    limitPrice: nullable(text('limit_price')),
    attempt: integer('attempt'),
    clientOrderId: nullable(text('client_order_id')),
    expiresAt: nullable(integer('expires_at')),
    venueOrderId: nullable(text('venue_order_id')),
    status: text('status'),
    filledQuantity: text('filled_quantity'),
    averagePrice: nullable(text('average_price')),
    error: nullable(text('error')),
    errorCode: nullable(text('error_code')),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
