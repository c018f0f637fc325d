/** Public market routes of the venue. */
import { z } from 'zod';
import { REFUSALS } from '../state/refusals.ts';
import { bookForm, detailForm, restingForm, tradeForm } from '../wire/forms.ts';
import { answered, get, type Route, refused, whole } from './route.ts';

const ALL = 255;
const MS_FROM = 100_000_000_000;
const market = { market_id: whole };
const kinds = z.enum(['all', 'spot', 'perp']).default('all');
const RESOLUTIONS = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w'] as const;

/** Epoch seconds and milliseconds are both taken. */
function ms(time: number): number {
  return time < MS_FROM ? time * 1000 : time;
}

export const MARKET_ROUTES: Readonly<Record<string, Route>> = {
  orderBooks: get(
    z.strictObject({ market_id: whole.default(ALL), filter: kinds }),
    ({ world }, { fields }) => {
      const shown = world.markets.filter(
        ({ index }) => fields.market_id === ALL || index === fields.market_id,
      );
      if (shown.length === 0) return refused(REFUSALS.market);
      return answered({ order_books: fields.filter === 'spot' ? [] : shown.map(bookForm) });
    },
  ),
  orderBookDetails: get(
    z.strictObject({ market_id: whole.default(ALL), filter: kinds }),
    ({ world }, { fields }) => {
      const shown = world.markets.filter(
        ({ index }) => fields.market_id === ALL || index === fields.market_id,
      );
      if (shown.length === 0) return refused(REFUSALS.market);
      const order_book_details = fields.filter === 'spot' ? [] : shown.map(detailForm);
      return answered({ order_book_details, spot_order_book_details: [] });
    },
  ),
  orderBookOrders: get(
    z.strictObject({ ...market, limit: whole.pipe(z.number().min(1).max(250)) }),
    ({ world }, { fields }) => {
      const found = world.at(fields.market_id);
      if (found === undefined) return refused(REFUSALS.market);
      const book = world.book(found);
      const [asks, bids] = [false, true].map((isBid) =>
        book
          .levels(isBid)
          .slice(0, fields.limit)
          .map((level, at) =>
            restingForm(found, level, (isBid ? 562_947_905_000_000 : 281_476_929_000_000) + at),
          ),
      );
      return answered({ total_asks: asks?.length, asks, total_bids: bids?.length, bids });
    },
  ),
  recentTrades: get(
    z.strictObject({ ...market, limit: whole.pipe(z.number().min(1).max(100)) }),
    ({ world }, { fields }) => {
      const found = world.at(fields.market_id);
      if (found === undefined) return refused(REFUSALS.market);
      const trades = world.trades
        .filter((trade) => trade.market === found)
        .slice(-fields.limit)
        .toReversed();
      return answered({ trades: trades.map(tradeForm) });
    },
    600,
  ),
  candles: get(
    z.strictObject({
      ...market,
      resolution: z.enum(RESOLUTIONS),
      ...{ start_timestamp: whole, end_timestamp: whole, count_back: whole.pipe(z.number().min(0).max(500)) },
      set_timestamp_to_end: z.string().optional(),
    }),
    ({ world }, { fields }) => {
      if (world.at(fields.market_id) === undefined) return refused(REFUSALS.market);
      const all = world.candles.get(`${fields.market_id} ${fields.resolution}`);
      if (all === undefined) return { json: { code: 200, message: null, r: fields.resolution, c: null } };
      const within = all.filter(({ t }) => t >= ms(fields.start_timestamp) && t <= ms(fields.end_timestamp));
      const most = fields.count_back === 0 ? 500 : fields.count_back;
      return answered({ r: fields.resolution, c: within.slice(-most) });
    },
  ),
  fundings: get(
    z.strictObject({
      ...market,
      resolution: z.enum(['1h', '1d']),
      ...{ start_timestamp: whole, end_timestamp: whole, count_back: whole.pipe(z.number().min(0).max(100)) },
    }),
    ({ world }, { fields }) => {
      const found = world.at(fields.market_id);
      if (found === undefined) return refused(REFUSALS.market);
      const [from, to] = [ms(fields.start_timestamp), ms(fields.end_timestamp)];
      const most = fields.count_back === 0 ? 100 : fields.count_back;
      const fundings = world.fundings
        .filter((one) => one.market === found && one.time >= from && one.time <= to)
        .slice(-most)
        .map(({ time, value, rate, direction }) => ({
          ...{ timestamp: Math.floor(time / 1000), value, rate, direction },
        }));
      return answered({ resolution: fields.resolution, fundings });
    },
  ),
  'funding-rates': get(z.strictObject({}), ({ world }) =>
    answered({
      funding_rates: world.markets.map(({ index, symbol, fundingRate }) => ({
        ...{ market_id: index, exchange: 'lighter', symbol, rate: fundingRate.toNumber() },
      })),
    }),
  ),
  exchangeStats: get(z.strictObject({}), ({ world }) =>
    answered({
      total: world.markets.length,
      order_book_stats: world.markets.map((one) => ({
        ...{ symbol: one.symbol, last_trade_price: one.last.toNumber(), daily_trades_count: one.dayTrades },
        daily_base_token_volume: one.dayBase.toNumber(),
        ...{ daily_quote_token_volume: one.dayQuote.toNumber(), daily_price_change: 0 },
      })),
      daily_usd_volume: world.markets.reduce((total, one) => total + one.dayQuote.toNumber(), 0),
      daily_trades_count: world.markets.reduce((total, one) => total + one.dayTrades, 0),
    }),
  ),
  currentHeight: get(z.strictObject({}), ({ world }) => answered({ height: world.height })),
  systemConfig: get(z.strictObject({}), () =>
    answered({
      ...{ liquidity_pool_index: 281_474_976_710_654, staking_pool_index: 281_474_976_624_800 },
      ...{ funding_fee_rebate_account_index: 281_474_976_624_240 },
      ...{ liquidity_pool_cooldown_period: 300_000, staking_pool_lockup_period: 300_000 },
      ...{ max_integrator_spot_taker_fee: 10_000, max_integrator_spot_maker_fee: 10_000 },
      ...{ max_integrator_perps_taker_fee: 1_000, max_integrator_perps_maker_fee: 1_000 },
    }),
  ),
  layer1BasicInfo: get(z.strictObject({}), () =>
    answered({
      ...{
        l1_providers: [{ chainId: 1, networkId: 1, latestBlockNumber: 24_000_000 }],
        l1_providers_health: true,
      },
      validator_info: [{ address: '0x0000000000000000000000000000000000000001', is_active: true }],
      contract_addresses: [{ name: 'ZkLighter', address: '0x0000000000000000000000000000000000000002' }],
      ...{ latest_l1_generic_block: 24_000_000, latest_l1_governance_block: 24_000_000 },
      latest_l1_desert_block: 24_000_000,
    }),
  ),
};
