/** Recorded answers of the venue are read. Answers with one place changed: `mutated-readers`. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { z } from 'zod';
import { read } from '../../../../../gateway/venues/live/kit/wire.ts';
import { readingOf } from '../../../../../gateway/venues/live/lighter/account-books.ts';
import { fillOf, outcomeOf, sidesOf } from '../../../../../gateway/venues/live/lighter/answers.ts';
import { EMPTY_LISTING, listingOf } from '../../../../../gateway/venues/live/lighter/listing.ts';
import { MarketData } from '../../../../../gateway/venues/live/lighter/market-data.ts';
import * as wire from '../../../../../gateway/venues/live/lighter/wire.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { unwrap } from '../../../../support/unwrap.ts';

const DATA = new URL('../../../../data/live/lighter/payloads/', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, DATA), 'utf8');

/** Recordings of what the adapter asks for or hears. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'http_account.json': wire.accounts,
  'http_next_nonce.json': wire.nextNonce,
  'http_order_book_details.json': wire.markets,
  'http_orders.json': wire.orders,
  'http_recent_trades.json': wire.trades,
  'http_recent_trades_missing.json': wire.trades,
  'http_recent_trades_null.json': wire.trades,
  'http_recent_trades_unordered.json': wire.trades,
  'ws_account_all_positions_update.json': wire.positionsNews,
  'ws_account_all_trades_update.json': wire.tradesNews,
  'ws_account_orders_update.json': wire.ordersNews,
  'ws_height_update.json': wire.timed,
  'ws_market_stats_subscribed_single.json': wire.statsNews,
  'ws_market_stats_update_all.json': wire.statsNews,
  'ws_market_stats_update_single.json': wire.statsNews,
  'ws_order_book_subscribed.json': wire.bookNews,
  'ws_order_book_subscribed_empty.json': wire.bookNews,
  'ws_order_book_update.json': wire.bookNews,
  'ws_ticker_subscribed.json': wire.tickerNews,
  'ws_ticker_subscribed_empty.json': wire.tickerNews,
  'ws_ticker_update.json': wire.tickerNews,
  'ws_user_stats_update.json': wire.userStatsNews,
  'ws_user_stats_with_position.json': wire.userStatsNews,
};
/** Payloads of channels and requests that the adapter does not use. */
const OTHERS = /candle|funding|order_book_(depth|orders)|order_books|spot|ws_trade|all_assets/;

function told<S extends z.ZodType>(schema: S, name: string): z.output<S> {
  return unwrap(read(schema, text(name)));
}

describe('recorded answers of Lighter', () => {
  it('are all read, or are of something that is not used', () => {
    const left = readdirSync(DATA).filter((name) => SCHEMAS[name] === undefined && !OTHERS.test(name));
    expect(left).to.deep.equal([]);
  });

  for (const [name, schema] of Object.entries(SCHEMAS))
    it(`${name} is read`, () => {
      told(schema, name);
    });

  const { items } = told(wire.markets, 'http_order_book_details.json').order_book_details;
  const markets = { order_book_details: items };
  const listing = listingOf('lighter', markets);

  it('the list of markets is ETH-PERP with its steps, minimum, leverage and maintenance', () => {
    expect(listing.instruments).to.deep.equal([
      {
        ...{ id: 'ETH-PERP', symbol: 'ETH', connector: 'lighter', type: 'perp' },
        ...{ venueSymbol: 'ETH', multiplier: '1', minQuantity: '0.005', maxQuantity: null, priceBand: null },
        ...{ tickSize: '0.01', stepSize: '0.0001', minNotional: '10', maxLeverage: 50 },
        ...{ marginModes: ['cross', 'isolated'], fundingIntervalHours: 1, maxSignificantFigures: null },
        tradeability: { status: 'tradable', reason: null },
        leverageTiers: [{ maxNotional: null, maxLeverage: 50, maintenanceRate: '0.012' }],
      },
    ]);
  });

  it('a market whose index went to another coin is another instrument, and the first name is not given away', () => {
    const [eth] = markets.order_book_details;
    if (eth === undefined) throw new Error('no market');
    const renamed = {
      order_book_details: [
        { ...eth, symbol: 'XYZ' },
        { ...eth, market_id: 9 },
      ],
    };
    const later = listingOf('lighter', renamed, listing.symbols);
    expect(later.byIndex(0)?.instrument.id).to.equal('XYZ-PERP');
    expect(later.bySymbol('ETH-PERP')?.index ?? null).to.equal(null);
  });

  it('a market of unknown units, or in a state that nobody knows, is there but not traded', () => {
    const [eth] = markets.order_book_details;
    if (eth === undefined) throw new Error('no market');
    const of = (change: object) =>
      listingOf('lighter', { order_book_details: [{ ...eth, ...change }] }).instruments[0]?.tradeability
        .status;
    expect([of({ multiplier: '10' }), of({ status: 'frozen' }), of({})]).to.deep.equal([
      ...['not_tradable', 'not_tradable', 'tradable'],
    ]);
  });

  it('a trade is the fill of each of its sides, with the fee of that side', () => {
    const [trade] = told(wire.tradesNews, 'ws_account_all_trades_update.json').trades.items;
    if (trade === undefined) throw new Error('no trade');
    const [side] = sidesOf(trade, 1_234);
    if (side === undefined) throw new Error('no side');
    expect(side).to.deep.equal({ isAsk: false, clientIndex: 7_001_011_966, orderId: '562947905631053' });
    // 196 millionths of 314.324728 USDC.
    expect(fillOf(listing, trade, side, 'ours')).to.include({
      ...{ tradeId: '19209006902', symbol: 'ETH-PERP', side: 'BUY', price: '2352.73', quantity: '0.1336' },
      ...{ fee: '0.061608', liquidity: 'TAKER', isLiquidation: false, timestamp: 1_777_941_384_181 },
    });
    const [maker] = sidesOf(trade, 91_249);
    expect(maker && fillOf(listing, trade, maker, null)).to.include({
      side: 'SELL',
      liquidity: 'MAKER',
      fee: '0.008801',
    });
    expect(sidesOf(trade, 5)).to.deep.equal([]);
    const own = { ...trade, ask_account_id: '1234' };
    const ids = sidesOf(own, 1_234).map((one) => fillOf(listing, own, one, null)?.tradeId);
    expect(ids).to.deep.equal(['19209006902:ask', '19209006902:bid']);
  });

  it('a trade of a market that is not listed is no fill, and its order has no outcome', () => {
    const [order] = told(wire.ordersNews, 'ws_account_orders_update.json').orders.items;
    if (order === undefined) throw new Error('no order');
    expect(outcomeOf(listing, order, 'ours')).to.include({ kind: 'resting', filledQuantity: '0.002' });
    expect(outcomeOf(EMPTY_LISTING, order, 'ours')).to.include({ kind: 'listed' });
  });

  it('an initial margin fraction is a percentage or, below 1, a fraction', () => {
    const account = told(wire.accounts, 'http_account.json').accounts[0];
    const positions = Object.values(
      told(wire.positionsNews, 'ws_account_all_positions_update.json').positions,
    );
    if (account === undefined) throw new Error('no account');
    const leverage = (change: object) =>
      readingOf(listing, { ...account, positions: positions.map((one) => ({ ...one, ...change })) })
        .positions[0];
    expect(leverage({})).to.include({ leverage: 20, quantity: '1.5', entryPrice: '2350.1' });
    expect(leverage({ initial_margin_fraction: '33.34' })).to.include({ leverage: 3 });
    expect(leverage({ initial_margin_fraction: '100' })).to.include({ leverage: 1 });
    expect(leverage({ sign: -1 })).to.include({ quantity: '-1.5' });
    expect(leverage({ symbol: 'BTC' })).to.equal(undefined);
    expect(leverage({ position: '0' })).to.equal(undefined);
  });

  it('statistics are prices, an hourly rate of percent as a fraction, and what there was a day ago', () => {
    const market = new MarketData('lighter', createFakeClock());
    market.use(listing);
    expect(
      market.takeStats(told(wire.statsNews, 'ws_market_stats_update_single.json').market_stats),
    ).to.equal(true);
    market.takeTicker(0, 'ETH', '2064.3', '2064.48');
    market.takeTicker(0, 'BTC', '1', '2');
    const updates: unknown[] = [];
    market.follow((update) => updates.push(update))();
    market.stop();
    expect(updates[0]).to.deep.include({
      funding: [
        {
          ...{ id: 'ETH-PERP', symbol: 'ETH', rate: '0.00000001', intervalHours: 1 },
          nextFundingTime: (updates[0] as { funding: { nextFundingTime: number }[] }).funding[0]
            ?.nextFundingTime,
        },
      ],
    });
    const [quote] = (updates[0] as { quotes: object[] }).quotes;
    expect(quote).to.include({
      mark: '2064.47',
      index: '2064.48',
      bid: '2064.3',
      ask: '2064.48',
      last: '2064.5',
    });
    expect(quote).to.include({ price24hAgo: '2061.03' });
    expect(
      market.takeStats(told(wire.statsNews, 'ws_market_stats_subscribed_single.json').market_stats),
    ).to.equal(false);
    market.stop();
  });
});
