/** A basket that a trade outside Tandem reduces: its trader is notified of the change, not of the trade alone. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const NOTHING_YET = 'more fills of the order may follow; no basket has changed yet';

describe('API: Hyperliquid, emulated: a leg that is sold outside Tandem', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  async function reasons(): Promise<readonly string[]> {
    const { notifications } = (await bot.ask('GET', '/notifications')).json;
    return notifications
      .filter(({ category, parameters }: Json) => {
        return category === 'EXTERNAL_CLOSE' && parameters.tradeAccountId === bot.id;
      })
      .map(({ parameters }: Json) => parameters.reason);
  }

  for (const [sold, left] of [
    ['0.001', '0.001'],
    ['0.002', '0'],
  ] as const) {
    it(`${sold} of 0.002: once the basket has changed, a notification says what changed`, async () => {
      const { positionId } = await bot.open([
        ['BTC', 'BUY', '200'],
        ['ETH', 'SELL', '200'],
      ]);
      await live.gateway.clock.advance(10_000);
      bot.script.tradeElsewhere(bot.address, 'BTC', 'sell', sold, '100000');
      const isReduced = async () => (await bot.position(positionId)).legs[0].quantity === left;
      await live.until('the basket has changed', isReduced, 600_000);
      await live.gateway.clock.advance(60_000);
      const told = (await reasons()).filter((reason) => !reason.includes(NOTHING_YET));
      expect(told).to.have.length(1);
      expect(told[0]).to.contain(`${sold} BTC-PERP`);
    });
  }

  it('both legs whole: the last notification says that the basket is closed', async () => {
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '200'],
      ['ETH', 'SELL', '200'],
    ]);
    const [btc, eth] = (await bot.position(positionId)).legs.map(({ quantity }: Json) => quantity);
    await live.gateway.clock.advance(10_000);
    bot.script.tradeElsewhere(bot.address, 'BTC', 'sell', btc, '100000');
    bot.script.tradeElsewhere(bot.address, 'ETH', 'buy', eth, '4000');
    const isClosed = async () => (await bot.position(positionId)).status === 'CLOSED';
    await live.until('the basket is closed', isClosed, 600_000);
    await live.gateway.clock.advance(60_000);
    const told = (await reasons()).filter((reason) => !reason.includes(NOTHING_YET));
    expect(told.map((reason) => reason.endsWith('none is left. The basket is closed.'))).to.have.members([
      false,
      true,
    ]);
  });
});
