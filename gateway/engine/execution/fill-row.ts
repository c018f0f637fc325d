/** A venue's fill as the gateway records it. */
import { dec, text } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/model.ts';
import type { VenueFill } from '../ports/venue.ts';

/** The fill is provisional while no position owns it. `realizedPnl` in USD, before the fee. */
export function fillRow(
  fill: VenueFill,
  owner: Pick<
    Fill,
    'id' | 'tradeAccountId' | 'connector' | 'executionId' | 'orderId' | 'positionId' | 'realizedPnl'
  >,
): Fill {
  return {
    id: owner.id,
    tradeAccountId: owner.tradeAccountId,
    connector: owner.connector,
    executionId: owner.executionId,
    orderId: owner.orderId,
    positionId: owner.positionId,
    symbol: fill.symbol,
    side: fill.side,
    price: fill.price,
    quantity: fill.quantity,
    notional: text(dec(fill.price).mul(fill.quantity)),
    fee: fill.fee,
    feeAsset: fill.feeAsset,
    realizedPnl: owner.realizedPnl,
    liquidity: fill.liquidity,
    venueOrderId: fill.venueOrderId,
    tradeId: fill.tradeId,
    cloid: fill.clientOrderId,
    isLiquidation: fill.isLiquidation,
    isProvisional: owner.positionId === null,
    timestamp: fill.timestamp,
    cause: null,
  };
}
