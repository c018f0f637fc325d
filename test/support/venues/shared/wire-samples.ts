/** A message or answer for each schema by which an adapter of a live venue reads one. */
import { readFileSync } from 'node:fs';
import type { Json } from '../../json.ts';

const DATA = new URL('../../../data/live/', import.meta.url);
const json = (name: string): Json => JSON.parse(readFileSync(new URL(name, DATA), 'utf8'));
const ofHyperliquid = (name: string) => json(`hyperliquid/payloads/${name}.json`);
const ofLighter = (name: string) => json(`lighter/payloads/${name}.json`);

const ADDRESS = `0x${'a'.repeat(40)}`;
const TIME = 1_700_000_000_000;

const contexts = ofHyperliquid('ws_all_dexs_asset_ctxs').data.ctxs[0][1];
const meta = { ...ofHyperliquid('http_meta_perp_sample'), marginTables: [[50, { marginTiers: [] }]] };
const fill = { ...ofHyperliquid('ws_user_fill_liquidation').data.fills[0], startPosition: '1.0' };
const order = {
  ...{ coin: 'BTC', side: 'B', limitPx: '1', sz: '0.0', origSz: '1.0', oid: 7, timestamp: TIME },
  cloid: `0x${'b'.repeat(32)}`,
};
const orderWithStatus = { order, status: 'filled', statusTimestamp: TIME };
const payment = { coin: 'BTC', usdc: '-0.1', szi: '1.0', fundingRate: '0.0000125' };

export const HYPERLIQUID: Readonly<Record<string, Json>> = {
  meta,
  keptMeta: { ...meta, symbols: { BTC: 'BTC-PERP' } },
  assetContext: contexts[0],
  contexts,
  metaAndContexts: [meta, contexts],
  clearinghouseState: ofHyperliquid('http_clearinghouse_state_negative_total_raw_usd'),
  spotState: ofHyperliquid('http_spot_clearinghouse_state'),
  orderWithStatus,
  orderStatus: { status: 'order', order: orderWithStatus },
  openOrders: [order, order],
  historicalOrders: [orderWithStatus, orderWithStatus],
  orderNews: [orderWithStatus, orderWithStatus],
  fill,
  barestFill: fill,
  bookedFills: ['7:1:2:3:4'],
  fills: [fill, fill],
  fillNews: { isSnapshot: false, user: ADDRESS, fills: [fill, fill] },
  barestEntry: { time: TIME, coin: 'BTC', delta: { type: 'funding', coin: 'BTC' } },
  funding: [{ time: TIME, delta: { type: 'funding', ...payment } }],
  fundingNews: { isSnapshot: false, user: ADDRESS, fundings: [{ time: TIME, ...payment }] },
  exchangeAnswer: { status: 'ok', response: { type: 'order', data: { statuses: ['success'] } } },
  legStatus: { filled: { totalSz: '1.0', avgPx: '25.585', oid: 7 } },
  role: { role: 'agent', data: { user: ADDRESS } },
  agents: [{ name: 'x', address: ADDRESS, validUntil: TIME }],
  abstraction: 'unifiedAccount',
  contextsNews: ofHyperliquid('ws_all_dexs_asset_ctxs').data,
  fees: { userCrossRate: '0.00045', userAddRate: '0.00015' },
  requestLimit: { nRequestsUsed: 1, nRequestsCap: 10_000 },
  exchangeStatus: { time: TIME, specialStatuses: null },
  book: ofHyperliquid('http_l2_book_btc'),
  accountFacts: { master: ADDRESS, isSub: false, mode: { word: 'default', changedAt: TIME } },
};

const markets = ofLighter('http_order_book_details');
const lighterPayment = {
  ...{ timestamp: 1_700_000_000, market_id: 1, funding_id: 5, change: '-0.1', rate: '0.001' },
  ...{ position_size: '1', position_side: 'long' },
};
const tx = { hash: 'ab', status: 0, event_info: '{"ae":"{}"}' };

export const LIGHTER: Readonly<Record<string, Json>> = {
  status: { status: 1, network_id: 1, timestamp: 1_700_000_000 },
  nextNonce: ofLighter('http_next_nonce'),
  markets,
  keptMarkets: { ...markets, symbols: { 1: 'BTC-PERP' } },
  marketStats: ofLighter('ws_market_stats_update_single').market_stats,
  statsNews: ofLighter('ws_market_stats_update_all'),
  tickerNews: ofLighter('ws_ticker_update'),
  bookNews: ofLighter('ws_order_book_update'),
  accounts: ofLighter('http_account'),
  positionsNews: ofLighter('ws_account_all_positions_update'),
  userStatsNews: ofLighter('ws_user_stats_update'),
  apiKeys: { code: 200, api_keys: [{ api_key_index: 4, public_key: 'ab', nonce: 1 }] },
  limits: { user_tier: 'standard', current_maker_fee_tick: 0, current_taker_fee_tick: 0 },
  orders: ofLighter('http_orders'),
  foundOrders: ofLighter('http_orders'),
  ordersNews: ofLighter('ws_account_orders_update'),
  trades: ofLighter('http_recent_trades'),
  tradesNews: ofLighter('ws_account_all_trades_update'),
  barestEntry: { trade_id: 7 },
  payments: { position_fundings: [lighterPayment, lighterPayment], next_cursor: 'x' },
  accountNews: { funding_histories: { 1: [lighterPayment] } },
  enrichedTx: tx,
  txNews: { txs: [tx, tx] },
  txEvent: { ae: '{"code":21739,"message":"x"}' },
  txRefusal: { code: 21_739, message: 'x' },
  result: { code: 200, message: 'x' },
  sent: { code: 200, tx_hash: ['ab'] },
  timed: ofLighter('ws_height_update'),
  news: ofLighter('ws_height_update'),
  socketError: { error: { code: 30_009, message: 'x' } },
};

export const LIGHTER_SETUP: Readonly<Record<string, Json>> = {
  ownedAccounts: { sub_accounts: [{ index: 7 }, { index: 8 }] },
  tier: { user_tier: 'standard', user_tier_last_update: 1_700_000_000 },
  pool: { to_account_index: 1, withdraw_limit: '5', max_withdrawal_amount: '5' },
  transferFee: { transfer_fee_usdc: 1 },
  networks: { networks: [{ name: 'x', chain_id: '1' }] },
  intent: { intent_address: ADDRESS },
  deposit: {
    ...{ source_chain_id: '1', amount: '5', intent_address: ADDRESS, fast_bridge_tx_hash: 'x' },
    ...{ batch_claim_tx_hash: '', cctp_burn_tx_hash: '', status: 'done', created_at: 1_700_000_000 },
  },
  done: { code: 200 },
};
