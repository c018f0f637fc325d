/** Wire forms of markets, orders, trades and books. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { FundingPayment } from '../../shared/world/parts.ts';
import type { Trade } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';
import { type Order, TIMES_IN_FORCE, TYPES } from '../state/orders.ts';
import type { TxRecord } from '../state/sequencer.ts';
import type { World } from '../state/world.ts';

const USD = 6;
const RATE = 4;

export function usd(amount: Decimal): string {
  return amount.toFixed(USD);
}

export function sizeText({ sizeDecimals }: Market, size: Decimal): string {
  return size.toFixed(sizeDecimals);
}

export function priceText({ priceDecimals }: Market, price: Decimal): string {
  return price.toFixed(priceDecimals);
}

function units(decimals: number, value: Decimal): number {
  return Number(value.mul(10 ** decimals).toFixed(0));
}

export function bookForm(market: Market) {
  return {
    ...{
      symbol: market.name,
      market_id: market.index,
      market_type: 'perp',
      base_asset_id: 0,
      quote_asset_id: 0,
    },
    ...{ status: market.status, taker_fee: '0.0000', is_taker_fee_enabled: true },
    ...{ maker_fee: '0.0000', is_maker_fee_enabled: true, liquidation_fee: '1.0000' },
    ...{ min_base_amount: sizeText(market, market.minBase), min_quote_amount: usd(market.minQuote) },
    order_quote_limit: '281474976.710655',
    ...{ supported_size_decimals: market.sizeDecimals, supported_price_decimals: market.priceDecimals },
    supported_quote_decimals: USD,
  };
}

/** The market's last day. */
function dayForm({ mark, prevDay, dayBase, dayQuote }: Market) {
  const [low, high] = mark.lt(prevDay) ? [mark, prevDay] : [prevDay, mark];
  return {
    ...{ daily_base_token_volume: dayBase.toNumber(), daily_quote_token_volume: dayQuote.toNumber() },
    ...{ daily_price_low: low.toNumber(), daily_price_high: high.toNumber() },
    daily_price_change: mark.div(prevDay).minus(1).mul(100).toNumber(),
  };
}

export function detailForm(market: Market) {
  return {
    ...bookForm(market),
    ...{ created_at: '1737000000', multiplier: '1' },
    ...{ size_decimals: market.sizeDecimals, price_decimals: market.priceDecimals, quote_multiplier: 1 },
    default_initial_margin_fraction: market.defaultInitial[0],
    min_initial_margin_fraction: market.minInitial,
    maintenance_margin_fraction: market.maintenance[0],
    closeout_margin_fraction: market.closeout,
    ...{ mark_price: priceText(market, market.mark), index_price: priceText(market, market.oracle) },
    ...{ last_trade_price: market.last.toNumber(), daily_trades_count: market.dayTrades },
    ...dayForm(market),
    ...{ open_interest: market.openInterest.toNumber(), daily_chart: {} },
    market_config: {
      ...{
        market_margin_mode: market.onlyIsolated ? 1 : 0,
        insurance_fund_account_index: 281_474_976_710_655,
      },
      ...{ liquidation_mode: 0, force_reduce_only: market.forceReduceOnly, trading_hours: '' },
      ...{ funding_fee_discounts_enabled: false, hidden: false, rfq_enabled: true },
    },
    ...{ strategy_index: 2, market_flags: 0, funding_premium_multiplier: 100 },
    ...{ funding_clamp_small: '0.0500', funding_clamp_big: '4.0000', base_interest_rate: '0.0100' },
  };
}

/** Rates are percent here. */
export function percent(rate: Decimal): string {
  return rate.mul(100).toFixed(RATE);
}

export function statsForm(world: World, market: Market) {
  const [bid, ask] = [world.book(market).levels(true)[0]?.px, world.book(market).levels(false)[0]?.px];
  const mid = bid === undefined || ask === undefined ? market.mark : bid.plus(ask).div(2);
  return {
    ...{ symbol: market.name, market_id: market.index, index_price: priceText(market, market.oracle) },
    ...{ mark_price: priceText(market, market.mark), mid_price: priceText(market, mid) },
    open_interest: usd(market.openInterest.mul(market.mark)),
    open_interest_limit: '72057594037927936.000000',
    ...{ funding_clamp_small: '0.0500', funding_clamp_big: '4.0000', base_interest_rate: '0.0100' },
    last_trade_price: priceText(market, market.last),
    ...{ current_funding_rate: percent(market.fundingRate), funding_rate: percent(market.fundingRate) },
    funding_timestamp: Math.floor(world.now() / 3_600_000) * 3_600_000 + 1,
    ...dayForm(market),
  };
}

export function levelForms(world: World, market: Market, isBid: boolean) {
  return world
    .book(market)
    .levels(isBid)
    .map(({ px, sz }) => ({ price: priceText(market, px), size: sizeText(market, sz) }));
}

export function orderForm(order: Order) {
  const { market, oid } = order;
  const client = order.client ?? 0;
  const [taker, maker] = order.integratorFees;
  return {
    ...{
      order_index: oid,
      client_order_index: client,
      order_id: `${oid}`,
      client_order_id: `${client}`,
    },
    ...{ market_index: market.index, owner_account_index: order.owner.index },
    initial_base_amount: sizeText(market, order.origSz),
    ...{ price: priceText(market, order.limitPx), nonce: order.nonce },
    ...{ remaining_base_amount: sizeText(market, order.sz), is_ask: !order.isBuy },
    base_size: units(market.sizeDecimals, order.origSz),
    base_price: units(market.priceDecimals, order.limitPx),
    filled_base_amount: sizeText(market, order.filledBase),
    filled_quote_amount: usd(order.filledQuote),
    ...{ side: order.isBuy ? 'buy' : 'sell', type: TYPES[order.type] ?? '' },
    ...{ time_in_force: TIMES_IN_FORCE[order.timeInForce] ?? 'Unknown', reduce_only: order.reduceOnly },
    ...{ trigger_price: priceText(market, order.limitPx.minus(order.limitPx)), order_expiry: order.expiry },
    ...{
      status: order.status,
      trigger_status: 'na',
      trigger_time: 0,
      parent_order_index: 0,
      parent_order_id: '0',
    },
    ...{ to_trigger_order_id_0: '0', to_trigger_order_id_1: '0', to_cancel_order_id_0: '0' },
    integrator_fee_collector_index: `${order.integrator}`,
    ...{ integrator_taker_fee: `${taker}`, integrator_maker_fee: `${maker}`, order_flags: 0 },
    ...{ block_height: order.block, timestamp: order.createdAt, created_at: order.createdAt },
    ...{ updated_at: order.updatedAt, transaction_time: order.createdAt * 1000 },
  };
}

export function tradeForm(trade: Trade) {
  const { market, ask, bid, id } = trade;
  const [maker, taker] = trade.isMakerAsk ? [ask, bid] : [bid, ask];
  const fee = (name: string, value: number) => (value === 0 ? {} : { [name]: value });
  return {
    ...{
      trade_id: id,
      trade_id_str: `${id}`,
      tx_hash: trade.hash,
      type: trade.type,
      market_id: market.index,
    },
    ...{ size: sizeText(market, trade.size), price: priceText(market, trade.price) },
    usd_amount: usd(trade.size.mul(trade.price)),
    ...{ ask_id: ask.orderIndex, ask_id_str: `${ask.orderIndex}` },
    ...{ bid_id: bid.orderIndex, bid_id_str: `${bid.orderIndex}` },
    ...{ ask_client_id: ask.clientIndex, ask_client_id_str: `${ask.clientIndex}` },
    ...{ bid_client_id: bid.clientIndex, bid_client_id_str: `${bid.clientIndex}` },
    ...{ ask_account_id: ask.account, bid_account_id: bid.account, is_maker_ask: trade.isMakerAsk },
    ...{ block_height: trade.block, timestamp: trade.time },
    // A fee of nothing is left out.
    ...fee('taker_fee', taker.fee),
    taker_position_size_before: sizeText(market, taker.sizeBefore),
    taker_entry_quote_before: usd(taker.costBefore.abs()),
    taker_initial_margin_fraction_before: taker.fractionBefore,
    taker_position_sign_changed: taker.signChanged,
    ...fee('maker_fee', maker.fee),
    maker_position_size_before: sizeText(market, maker.sizeBefore),
    maker_entry_quote_before: usd(maker.costBefore.abs()),
    maker_initial_margin_fraction_before: maker.fractionBefore,
    maker_position_sign_changed: maker.signChanged,
    transaction_time: trade.time * 1000,
    ...{ ask_account_pnl: usd(ask.pnl), bid_account_pnl: usd(bid.pnl) },
    ...{ integrator_taker_fee: taker.integratorFee, integrator_taker_fee_collector_index: taker.integrator },
    ...{ integrator_maker_fee: maker.integratorFee, integrator_maker_fee_collector_index: maker.integrator },
    taker_allocated_margin_usdc_before: units(USD, taker.allocatedBefore),
    taker_allocated_margin_usdc_after: units(USD, taker.allocatedAfter),
    maker_allocated_margin_usdc_before: units(USD, maker.allocatedBefore),
    maker_allocated_margin_usdc_after: units(USD, maker.allocatedAfter),
  };
}

export function fundingForm({ id, time, market, change, rate, size }: FundingPayment<Market>) {
  return {
    ...{ timestamp: Math.floor(time / 1000), market_id: market.index, funding_id: id, change: usd(change) },
    ...{ rate: percent(rate), position_size: sizeText(market, size.abs()) },
    ...{ position_side: size.isNegative() ? 'short' : 'long', discount: '0.000000' },
  };
}

export function txForm(world: World, { tx, index, status, queuedAt, executedAt, block, refusal }: TxRecord) {
  return {
    ...{ hash: tx.hash, type: tx.type, info: tx.info },
    // `ae` is what the sequencer has against it.
    event_info: JSON.stringify({ ae: refusal === null ? '' : JSON.stringify(refusal) }),
    ...{ status, transaction_index: 0, l1_address: world.find(tx.account)?.l1Address ?? '' },
    ...{ account_index: tx.account, nonce: tx.nonce, expire_at: tx.expiredAt, block_height: block },
    ...{ queued_at: queuedAt, executed_at: executedAt, sequence_index: index, parent_hash: '' },
    ...{ api_key_index: tx.apiKey, transaction_time: executedAt * 1000 },
  };
}

/** Lists by the index of their market. */
export function byMarket<T extends { readonly market: Market }, Form>(
  list: readonly T[],
  form: (one: T) => Form,
): Record<string, Form[]> {
  const found: Record<string, Form[]> = {};
  for (const one of list) {
    const index = `${one.market.index}`;
    found[index] = [...(found[index] ?? []), form(one)];
  }
  return found;
}
