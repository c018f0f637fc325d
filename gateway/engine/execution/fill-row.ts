/** A venue's fill as the gateway records it. */
import { dec, text } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/model.ts';
import type { FillChange } from '../ports/unit-of-work.ts';
import type { VenueFill } from '../ports/venue.ts';

/** Without a position the fill is provisional. `realizedPnl` is in USD, before the fee. */
export function fillRow(
  fill: VenueFill,
  owner: Pick<Fill, 'id' | 'tradeAccountId' | 'connector' | 'positionId' | 'realizedPnl'> &
    Partial<Pick<Fill, 'executionId' | 'orderId'>>,
): Fill {
  return {
    executionId: null,
    orderId: null,
    symbol: fill.symbol,
    side: fill.side,
    price: fill.price,
    quantity: fill.quantity,
    notional: text(dec(fill.price).mul(fill.quantity)),
    fee: fill.fee,
    feeAsset: fill.feeAsset,
    liquidity: fill.liquidity,
    venueOrderId: fill.venueOrderId,
    tradeId: fill.tradeId,
    cloid: fill.clientOrderId,
    isLiquidation: fill.isLiquidation,
    isProvisional: owner.positionId === null,
    timestamp: fill.timestamp,
    cause: fill.forced ?? null,
    ...owner,
  };
}

/** The stored fill, no longer provisional. */
export function confirmedFill(fill: Fill): FillChange {
  return { fill: { ...fill, isProvisional: false }, realizedBefore: fill.realizedPnl };
}
