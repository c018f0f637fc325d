/** Fills, and the fees that the venue charges for them. */
import { Decimal, dec, text } from '../../../domain/decimal.ts';
import type { Side } from '../../../domain/model.ts';
import type { PlaceOrder } from '../../../engine/ports/venue.ts';
import type { Effect } from '../accounts/journal-entry.ts';
import { PAPER_ASSET } from '../market/connectors.ts';
import type { BookTrade } from '../market/market-types.ts';
import type { ExchangeContext } from './exchange-context.ts';

/** USDC has six decimals; a venue rounds its fee up to the next unit. */
const FEE_PLACES = 6;

export function feeOf(notional: Decimal, rate: Decimal | string): Decimal {
  return notional.mul(rate).toDecimalPlaces(FEE_PLACES, Decimal.ROUND_UP);
}

export function fillEffect(
  context: ExchangeContext,
  account: string,
  made: {
    readonly order: PlaceOrder;
    readonly venueOrderId: string;
    readonly trade: BookTrade;
    readonly at: number;
    readonly maker: boolean;
  },
): Effect {
  const { order, trade } = made;
  const notional = dec(trade.price).mul(trade.quantity);
  return {
    kind: 'fill',
    account,
    fill: {
      tradeId: nextTradeId(context),
      clientOrderId: order.clientOrderId,
      venueOrderId: made.venueOrderId,
      symbol: order.symbol,
      side: order.side,
      price: trade.price,
      quantity: trade.quantity,
      fee: text(feeOf(notional, made.maker ? context.info.makerRate : context.info.takerRate)),
      feeAsset: PAPER_ASSET,
      liquidity: made.maker ? 'MAKER' : 'TAKER',
      isLiquidation: false,
      timestamp: made.at,
    },
  };
}

/** Fill of a forced closing at mark: without an order, charged with `fee`. */
export function liquidationEffect(
  context: ExchangeContext,
  account: string,
  made: {
    readonly symbol: string;
    readonly side: Side;
    readonly price: Decimal;
    readonly quantity: Decimal;
    readonly fee: Decimal;
    readonly at: number;
  },
): Effect {
  return {
    kind: 'fill',
    account,
    fill: {
      tradeId: nextTradeId(context),
      clientOrderId: null,
      venueOrderId: null,
      symbol: made.symbol,
      side: made.side,
      price: text(made.price),
      quantity: text(made.quantity),
      fee: text(made.fee),
      feeAsset: PAPER_ASSET,
      liquidity: 'TAKER',
      isLiquidation: true,
      timestamp: made.at,
    },
  };
}

function nextTradeId(context: ExchangeContext): string {
  return context.accounts.nextId(context.info.id, 'trade');
}
