/** Lighter's stream tells only what changes: a market that stands still is as known as the others while it speaks. */
import { expect } from 'chai';
import { ok } from '../../../../../gateway/domain/result.ts';
import {
  type FundingRecorder,
  startFundingRecorder,
} from '../../../../../gateway/market/funding-recorder.ts';
import { createMarket, type Market } from '../../../../../gateway/market/market.ts';
import { nameListings } from '../../../../../gateway/venues/live/kit/symbols.ts';
import { MarketData } from '../../../../../gateway/venues/live/lighter/market-data.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';
import { createMarketVenue, perp, silentLogger, venuesOf } from '../../../../support/market-venue.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.UTC(2026, 0, 5);
const COINS = ['BTC', 'ETH'];

describe('the funding of a market that stands still at Lighter', () => {
  let clock: FakeClock;
  let board: MarketData;
  let market: Market;
  let recorder: FundingRecorder;

  beforeEach(async () => {
    clock = createFakeClock(START - MINUTE_MS);
    board = new MarketData('lighter', clock);
    const names = nameListings(
      COINS.map((coin, index) => ({ key: `${index}:${coin}`, coin, quote: 'USDC' })),
      { prefixes: {}, defaultQuote: 'USDC' },
      new Map(),
    );
    board.use({
      assets: names.all().map((listed, index) => ({
        ...{ index, sizeDecimals: 4, priceDecimals: 2, listed },
        instrument: perp('lighter', listed.ticker),
      })),
    });
    const instruments = COINS.map((coin) => perp('lighter', coin));
    const venue = createMarketVenue({ id: 'lighter', clock, instruments });
    market = createMarket({
      venues: venuesOf({ ...venue, marketStream: (listener) => board.follow(listener) }),
      ...{ clock, logger: silentLogger },
    });
    market.start();
    const store = {
      commit: () => Promise.resolve(ok([])),
      setting: () => Promise.resolve(null),
      fundingPoints: () => Promise.resolve([]),
    };
    recorder = await startFundingRecorder({ market, store, clock, logger: silentLogger });
  });
  afterEach(async () => {
    await recorder.close();
    market.close();
    board.stop();
  });

  /** @param percent an hour */
  function hear(index: number, percent: string): void {
    board.takeStats([
      {
        ...{ market_id: index, symbol: COINS[index] ?? '', mark_price: '100', index_price: '100' },
        ...{ mid_price: null, last_trade_price: null, open_interest: '1', daily_price_change: null },
        ...{ current_funding_rate: percent, daily_quote_token_volume: '1' },
      },
    ]);
  }
  /** The other market is told twice a minute. */
  async function live(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      await clock.advance(MINUTE_MS / 2);
      hear(0, '0.0001');
      await clock.advance(MINUTE_MS / 2);
    }
  }
  const recorded = async (id: string) =>
    (await recorder.points('lighter', id, 0, clock.now())).map(({ hour, rate: [rate] }) => [
      (hour - START) / HOUR_MS,
      rate,
    ]);

  it('is recorded hour by hour while the venue speaks, and told as of the hour to come', async () => {
    hear(1, '0.0007');
    await live(3 * 60 + 5);
    expect(await recorded('BTC-PERP')).to.deep.equal([0, 1, 2, 3].map((hour) => [hour, '0.000001']));
    const quiet = [0, 1, 2, 3].map((hour) => [hour, '0.000007']);
    expect(await recorded('ETH-PERP')).to.deep.equal(quiet);
    expect(market.funding('lighter', 'ETH-PERP')?.nextFundingTime).to.equal(START + 4 * HOUR_MS);
    // Hours in which the venue says nothing at all have no known rate.
    await clock.advance(2 * HOUR_MS);
    await live(1);
    expect(await recorded('ETH-PERP')).to.deep.equal(quiet);
  });
});
