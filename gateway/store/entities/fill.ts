import type { Fill } from '../../domain/model.ts';
import { flag, integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

/** Keyed by (account, time, id): the account's history is the table itself, in order, without an index to hop from. */
export const fillEntity: TableEntity<Fill> = {
  name: 'fill',
  tableName: 'fills',
  columns: {
    id: key(text('id')),
    tradeAccountId: key(text('trade_account_id')),
    connector: text('connector'),
    executionId: nullable(text('execution_id')),
    orderId: nullable(text('order_id')),
    positionId: nullable(text('position_id')),
    symbol: text('symbol'),
    side: text('side'),
    price: text('price'),
    quantity: text('quantity'),
    notional: text('notional'),
    fee: text('fee'),
    feeAsset: text('fee_asset'),
    realizedPnl: text('realized_pnl'),
    liquidity: text('liquidity'),
    venueOrderId: nullable(text('venue_order_id')),
    tradeId: text('trade_id'),
    cloid: nullable(text('cloid')),
    isLiquidation: flag('is_liquidation'),
    isProvisional: flag('is_provisional'),
    timestamp: key(integer('timestamp')),
    cause: nullable(text('cause')),
  },
};
