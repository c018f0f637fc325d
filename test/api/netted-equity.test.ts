/** Equity where the venue nets what is kept apart here: it has realised by its one cost what is unrealised by ours. */
import { expect } from 'chai';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite as hyperliquidForSuite } from '../support/venues/hyperliquid/live-gateway.ts';
import { liveGatewayForSuite as lighterForSuite } from '../support/venues/lighter/live-gateway.ts';

const MINUTE = 60_000;

const VENUES = {
  hyperliquid() {
    const live = hyperliquidForSuite();
    const bot = openForEachTest(() => live.account());
    return { live, bot, account: () => bot.address };
  },
  lighter() {
    const live = lighterForSuite();
    const bot = openForEachTest(() => live.account());
    return { live, bot, account: () => bot.index };
  },
};

for (const [name, open] of Object.entries(VENUES))
  describe(`API: equity of netted holdings, ${name}`, () => {
    const { live, bot, account } = open();
    const byHand = (side: 'buy' | 'sell', quantity: string, price: string) =>
      bot.script.tradeElsewhere(account(), 'BTC', side, quantity, price);
    const mark = async (price: string) => {
      bot.script.setMark('BTC', price);
      await live.gateway.clock.advance(5_000);
    };
    const expectVenues = async (when: string) => {
      await live.gateway.clock.advance(MINUTE);
      const { json } = await bot.ask('GET', '/portfolio?includeDay=true');
      expect(Number(json.deposits), `${when}: deposits`).to.be.closeTo(10_000, 0.005);
      expect(Number(json.day.deposits), `${when}: deposits of the day`).to.equal(0);
      expect(Number(json.equity), `${when}: equity`).to.be.closeTo(
        Number(bot.script.state(account()).value),
        0.005,
      );
    };

    it('a short by hand that a basket ends, and both when the basket is closed', async () => {
      await mark('100000');
      byHand('sell', '0.009', '100000');
      await mark('110000');
      await expectVenues('before');
      const { positionId } = await bot.open([['BTC', 'BUY', '990']]);
      await expectVenues('flat at the venue');
      await mark('104321');
      await bot.close(positionId);
      await expectVenues('short again');
      byHand('buy', '0.009', '104000');
      await expectVenues('after');
    });

    // Of Lighter, one of the three: all run the same code.
    const isLong = name === 'lighter' ? ' @long' : '';
    it(`two baskets, one short, one long${isLong}`, async () => {
      await mark('100000');
      await bot.open([['BTC', 'SELL', '900']]);
      await mark('110000');
      await bot.open([
        ['BTC', 'BUY', '990'],
        ['ETH', 'SELL', '100'],
      ]);
      await expectVenues('both');
    });

    it(`two baskets of one side, opened at two prices, of which one is closed${isLong}`, async () => {
      await mark('100000');
      const { positionId } = await bot.open([['BTC', 'BUY', '900']]);
      await mark('110000');
      await bot.open([
        ['BTC', 'BUY', '990'],
        ['ETH', 'SELL', '100'],
      ]);
      await expectVenues('both');
      await bot.close(positionId);
      await expectVenues('one');
    });
  });
