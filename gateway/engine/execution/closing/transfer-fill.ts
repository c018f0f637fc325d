/**
 * One half of a transfer: a fill that the venue did not make. The other half has the same quantity and price on the
 * other side, so that the account's equity is unchanged at any price. No fee, no volume.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { Fill, TransferCause } from '../../../domain/model.ts';

type TransferHalf = Pick<
  Fill,
  'id' | 'tradeAccountId' | 'connector' | 'tradeId' | 'symbol' | 'side' | 'quantity' | 'price' | 'timestamp'
> &
  Partial<Pick<Fill, 'executionId' | 'orderId' | 'positionId' | 'realizedPnl'>> & {
    readonly cause: TransferCause;
  };

/**
 * @param half `tradeId` is unique per account: `x:` and the ids of the transfer's source, ending in `:a` or `:b`; a
 * half without `positionId` belongs to the lots in no basket
 */
export function transferFill(half: TransferHalf): Fill {
  return {
    executionId: null,
    orderId: null,
    positionId: null,
    realizedPnl: '0',
    notional: text(dec(half.price).mul(half.quantity)),
    fee: '0',
    feeAsset: 'USD',
    liquidity: 'TAKER',
    venueOrderId: null,
    cloid: null,
    isLiquidation: false,
    isProvisional: false,
    ...half,
  };
}
