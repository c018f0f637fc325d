/**
 * One half of a transfer: a fill that the venue did not make. The other half has the same quantity and price on the
 * other side, so that the account's equity is unchanged at any price. No fee, no volume.
 */
import { dec, text } from '../../../domain/decimal.ts';
import type { Fill, Side, TransferCause } from '../../../domain/model.ts';

export interface TransferHalf {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  /** Unique per account: `x:` and the ids of the transfer's source, ending in `:a` or `:b`. */
  readonly tradeId: string;
  readonly cause: TransferCause;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: string;
  readonly price: string;
  readonly executionId: string | null;
  readonly orderId: string | null;
  /** null: this half belongs to the lots in no basket. */
  readonly positionId: string | null;
  readonly realizedPnl: string;
  readonly timestamp: number;
}

export function transferFill(half: TransferHalf): Fill {
  return {
    ...half,
    notional: text(dec(half.price).mul(half.quantity)),
    fee: '0',
    feeAsset: 'USD',
    liquidity: 'TAKER',
    venueOrderId: null,
    cloid: null,
    isLiquidation: false,
    isProvisional: false,
  };
}

export function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}
