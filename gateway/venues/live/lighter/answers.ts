/** Lighter's orders, trades and payments in the port's terms and units. */
import { dec, text } from '../../../domain/decimal.ts';
import type { ForcedCause } from '../../../domain/model.ts';
import type { OrderOutcome, VenueFill, VenueFunding } from '../../../engine/ports/venue.ts';
import { wordsOf } from '../kit/words.ts';
import type { Listing } from './listing.ts';
import { meaningOfStatus } from './statuses.ts';
import type { WireOrder, WirePayment, WireTrade } from './wire.ts';

/** Fees are in millionths of the notional, and rounded to the smallest unit of USDC. */
export const FEE_TICK = 1_000_000;
const USDC_DECIMALS = 6;

/** State of an order; its fills come by themselves. `listed`: a word or a market that is not known here. */
export function outcomeOf(listing: Listing, order: WireOrder, clientOrderId: string): OrderOutcome {
  const asset = listing.byIndex(order.market_index);
  const meaning = meaningOfStatus(order.status);
  const { order_id: venueOrderId, status } = order;
  if (asset === undefined || meaning === null)
    return { kind: 'listed', clientOrderId, message: `the venue says ${wordsOf(status)} of the order` };
  if (meaning.kind === 'accepted') return { kind: 'accepted', clientOrderId, venueOrderId };
  const filled = dec(order.filled_base_amount);
  if (meaning.kind === 'refused' && filled.isZero())
    return { kind: 'rejected', clientOrderId, reason: meaning.reason, message: `the venue says ${status}` };
  const told = {
    clientOrderId,
    venueOrderId,
    filledQuantity: asset.listed.units.quantityToOurs(text(filled)),
    fills: [],
  };
  if (meaning.kind === 'resting') return { kind: 'resting', ...told };
  const isWhole = meaning.kind === 'filled' || filled.gte(order.initial_base_amount);
  return { kind: 'done', state: isWhole ? 'filled' : 'cancelled', ...told };
}

const FORCED: Readonly<Record<string, ForcedCause>> = {
  deleverage: 'ADL',
  'market-settlement': 'SETTLEMENT',
};

/** Which side of a trade the account was. */
export interface TradeSide {
  readonly isAsk: boolean;
  /** 0: the order has no index of a client's. */
  readonly clientIndex: number;
  readonly orderId: string;
}

/** The account's sides of a trade: one, or both where it traded with itself. */
export function sidesOf(trade: WireTrade, accountIndex: number): readonly TradeSide[] {
  const own = String(accountIndex);
  const ask = { isAsk: true, clientIndex: trade.ask_client_id ?? 0, orderId: trade.ask_id };
  const bid = { isAsk: false, clientIndex: trade.bid_client_id ?? 0, orderId: trade.bid_id };
  return [...(trade.ask_account_id === own ? [ask] : []), ...(trade.bid_account_id === own ? [bid] : [])];
}

/** null: of a market that is not listed here. */
export function fillOf(
  listing: Listing,
  trade: WireTrade,
  side: TradeSide,
  clientOrderId: string | null,
): VenueFill | null {
  const asset = listing.byIndex(trade.market_id);
  if (asset === undefined) return null;
  const { units } = asset.listed;
  const isMaker = trade.is_maker_ask === side.isAsk;
  const fee = (isMaker ? trade.maker_fee : trade.taker_fee) ?? 0;
  const notional = dec(trade.price).mul(trade.size);
  const forced = FORCED[trade.type];
  const isWithItself = trade.ask_account_id === trade.bid_account_id;
  return {
    tradeId: isWithItself ? `${trade.trade_id}:${side.isAsk ? 'ask' : 'bid'}` : trade.trade_id,
    clientOrderId,
    venueOrderId: side.orderId,
    symbol: asset.instrument.id,
    side: side.isAsk ? 'SELL' : 'BUY',
    price: units.priceToOurs(trade.price),
    quantity: units.quantityToOurs(trade.size),
    fee: text(notional.mul(fee).div(FEE_TICK).toDecimalPlaces(USDC_DECIMALS)),
    feeAsset: 'USDC',
    liquidity: isMaker ? 'MAKER' : 'TAKER',
    // A maker against a liquidation was not liquidated itself.
    isLiquidation: trade.type === 'liquidation' && !isMaker && clientOrderId === null,
    ...(forced === undefined ? {} : { forced }),
    timestamp: trade.timestamp,
  };
}

const MS_FROM = 100_000_000_000;

/** Some of the venue's times are seconds. */
export function toMs(time: number): number {
  return time < MS_FROM ? time * 1_000 : time;
}

/** null: of a market that is not listed here. */
export function paymentOf(listing: Listing, payment: WirePayment): VenueFunding | null {
  const asset = listing.byIndex(payment.market_id);
  if (asset === undefined) return null;
  const { units } = asset.listed;
  const rate = dec(payment.rate).div(100);
  const size = dec(payment.position_size).abs();
  const perUnit = rate.abs().mul(size);
  // The venue pays rate × mark price × quantity and does not name the price.
  const price = perUnit.isZero()
    ? '0'
    : text(dec(payment.change).abs().div(perUnit).toDecimalPlaces(asset.priceDecimals));
  return {
    venueId: `${payment.funding_id}:${payment.market_id}:${payment.timestamp}`,
    symbol: asset.instrument.id,
    rate: text(rate),
    markPrice: units.priceToOurs(price),
    quantity: units.quantityToOurs(text(payment.position_side === 'short' ? size.neg() : size)),
    amount: payment.change,
    timestamp: toMs(payment.timestamp),
  };
}
