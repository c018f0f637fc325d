/**
 * One half of a transfer: a fill that the venue did not make. The other half has the same quantity and price on the
 * other side, so that the account's equity is unchanged at any price. No fee, no volume.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { Fill, TransferCause } from '../../../domain/model.ts';

type Owned = 'id' | 'tradeAccountId' | 'connector' | 'tradeId' | 'positionId';
type Traded = 'symbol' | 'side' | 'quantity' | 'price' | 'timestamp';
type TransferHalf = Pick<Fill, Owned | Traded> &
  Partial<Pick<Fill, 'executionId' | 'orderId' | 'realizedPnl'>> & { readonly cause: TransferCause };

/**
 * @param half `tradeId` is unique per account: `x:` and the ids of the transfer's source, ending in `:a` or `:b`;
 * `positionId` null: this half belongs to the lots in no basket
 */
export function transferFill(half: TransferHalf): Fill {
  return {
    executionId: null,
    orderId: null,
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
