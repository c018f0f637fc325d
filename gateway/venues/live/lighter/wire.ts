/** Lighter's answers, as far as they are used. Unknown fields are ignored; numbers come as the text sent. */
import { z } from 'zod';
import {
  decimalField,
  idField,
  integerField,
  lax,
  numericIdField,
  optional,
  partly,
  readEach,
} from '../kit/wire.ts';

/** A list that may be null or missing where there is nothing. */
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((list) => list ?? []);
}

export const status = z.object({ timestamp: integerField });
export const nextNonce = z.object({ nonce: integerField });

const market = z.object({
  symbol: z.string().min(1).max(64),
  market_id: integerField,
  market_type: z.string().nullish(),
  status: z.string(),
  multiplier: optional(decimalField),
  min_base_amount: decimalField,
  min_quote_amount: decimalField,
  size_decimals: integerField.refine((value) => value >= 0 && value <= 20),
  price_decimals: integerField.refine((value) => value >= 0 && value <= 20),
  min_initial_margin_fraction: integerField.refine((value) => value > 0),
  maintenance_margin_fraction: integerField,
  market_config: z
    .object({
      market_margin_mode: integerField.nullish(),
      force_reduce_only: z.boolean().nullish(),
    })
    .nullish(),
});
export type WireMarket = z.output<typeof market>;
export const markets = z.object({ order_book_details: partly(market) });
/** Our own record of the list: the venue's, and the id that each market was given. */
export const keptMarkets = z.object({
  order_book_details: z.array(market),
  symbols: z.record(z.string(), z.string()).nullish(),
});

export const marketStats = z.object({
  market_id: integerField,
  symbol: z.string(),
  index_price: lax(decimalField),
  mark_price: lax(decimalField),
  mid_price: lax(decimalField),
  last_trade_price: lax(decimalField),
  /** USD. */
  open_interest: lax(decimalField),
  /** Percent an hour. */
  current_funding_rate: lax(decimalField),
  daily_quote_token_volume: lax(decimalField),
  /** Percent. */
  daily_price_change: lax(decimalField),
});
export type WireStats = z.output<typeof marketStats>;
/** One market's, or those of all by their index, each read by itself. */
export const statsNews = z.object({
  market_stats: z.union([
    marketStats.transform((one) => [one]),
    z
      .record(z.string(), z.unknown())
      .transform((all) => readEach(marketStats, Object.values(all)).items)
      .refine((items) => items.length > 0),
  ]),
});

const level = z.object({ price: optional(decimalField) });
export const tickerNews = z.object({
  channel: z.string().regex(/^ticker:\d{1,6}$/),
  ticker: z.object({ s: z.string(), a: level, b: level }),
});

const bookLevels = listOf(z.object({ price: decimalField, size: decimalField }));
/** A whole book, or the levels that changed since the change `begin_nonce`; a size of 0 is a level that is gone. */
export const bookNews = z.object({
  channel: z.string().regex(/^order_book:\d{1,6}$/),
  order_book: z.object({
    asks: bookLevels,
    bids: bookLevels,
    nonce: idField,
    begin_nonce: optional(idField),
  }),
});

const position = z.object({
  market_id: integerField,
  symbol: z.string(),
  /** Percent, or a fraction: a number below 1. */
  initial_margin_fraction: decimalField,
  sign: integerField,
  position: decimalField,
  avg_entry_price: decimalField,
  position_value: decimalField,
  unrealized_pnl: decimalField,
  liquidation_price: lax(decimalField),
  margin_mode: integerField,
  allocated_margin: optional(decimalField),
});
export type WirePosition = z.output<typeof position>;

const account = z.object({
  index: integerField,
  l1_address: z.string(),
  account_trading_mode: integerField.nullish(),
  available_balance: decimalField,
  collateral: decimalField,
  total_asset_value: decimalField,
  total_order_count: integerField.nullish(),
  positions: z.array(position),
});
export type WireAccount = z.output<typeof account>;
export const accounts = z.object({ accounts: z.array(account) });

export const positionsNews = z.object({ positions: z.record(z.string(), position) });
export const userStatsNews = z.object({
  stats: z.object({ available_balance: decimalField, portfolio_value: decimalField }),
});

export const apiKeys = z.object({
  api_keys: listOf(z.object({ api_key_index: integerField, public_key: z.string() })),
});

/** Fees in millionths of the notional. */
export const limits = z.object({
  user_tier: z.string(),
  current_maker_fee_tick: integerField,
  current_taker_fee_tick: integerField,
});

const noneIfMissing = (list: unknown) => list ?? [];
const order = z.object({
  order_id: numericIdField,
  client_order_index: integerField,
  market_index: integerField,
  initial_base_amount: decimalField,
  filled_base_amount: decimalField,
  status: z.string(),
  updated_at: integerField.nullish(),
});
export type WireOrder = z.output<typeof order>;
export const orders = z.object({ orders: listOf(order) });
/** Orders requested by their ids. */
export const foundOrders = z.object({ orders: z.preprocess(noneIfMissing, partly(order)) });
/** Lists by market, each entry read by itself. */
function byMarket<T>(item: z.ZodType<T, unknown>) {
  return z
    .record(z.string(), z.array(z.unknown()).catch([null]))
    .transform((lists) => readEach(item, Object.values(lists).flat()));
}

export const ordersNews = z.object({ orders: byMarket(order) });

const trade = z.object({
  trade_id: numericIdField,
  type: z.string(),
  market_id: integerField,
  size: decimalField,
  price: decimalField,
  usd_amount: optional(decimalField),
  ask_id: numericIdField,
  bid_id: numericIdField,
  ask_client_id: integerField.nullish(),
  bid_client_id: integerField.nullish(),
  ask_account_id: numericIdField,
  bid_account_id: numericIdField,
  is_maker_ask: z.boolean(),
  timestamp: integerField,
  /** Millionths of the notional; missing: none is paid. */
  taker_fee: optional(integerField),
  maker_fee: optional(integerField),
});
export type WireTrade = z.output<typeof trade>;
const page = { next_cursor: z.string().nullish() };
export const trades = z.object({ trades: z.preprocess(noneIfMissing, partly(trade)), ...page });
export const tradesNews = z.object({ trades: z.union([partly(trade), byMarket(trade)]) });
/** Id and time of a history entry that is otherwise not as described. */
export const barestEntry = z.object({ trade_id: lax(numericIdField), funding_id: lax(numericIdField) });

const payment = z.object({
  /** Epoch s, or ms. */
  timestamp: integerField,
  market_id: integerField,
  funding_id: numericIdField,
  change: decimalField,
  /** Percent an hour. */
  rate: decimalField,
  position_size: decimalField,
  position_side: z.string(),
});
export type WirePayment = z.output<typeof payment>;
export const payments = z.object({
  position_fundings: z.preprocess(noneIfMissing, partly(payment)),
  ...page,
});
export const accountNews = z.object({
  funding_histories: z.preprocess((lists) => lists ?? {}, byMarket(payment)),
});

/** 0: refused by the sequencer; 1: waits; 2 and above: executed. */
const tx = z.object({ hash: z.string(), status: integerField, event_info: z.string().nullish() });
export type WireTx = z.output<typeof tx>;
export const enrichedTx = tx;
export const txNews = z.object({ txs: partly(tx) });
/** Sequencer's reason against a transaction, within `event_info`. */
export const txEvent = z.object({ ae: z.string().nullish() });
export const txRefusal = z.object({ code: integerField.nullish(), message: z.string().nullish() });

/** Refusals say so in the body, too. */
export const result = z.object({ code: integerField.nullish(), message: z.string().nullish() });
export const sent = z.object({ tx_hash: z.union([z.string(), z.array(z.string())]) });

export const timed = z.object({ timestamp: integerField });
export const news = z.object({ type: z.string(), channel: z.string().nullish() });
export const socketError = z.object({
  error: z.object({ code: integerField.nullish(), message: z.string().nullish() }),
});
