/** Lighter has a least quantity for each instrument: what a close leaves because of it stays at the venue, and is told. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/lighter/live-gateway.ts';

describe('API: Lighter, emulated: a rest below the least order', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  it('is in no basket after the close, and its owner is told what it is worth', async () => {
    const { positionId } = await bot.open([
      ['XRP', 'BUY', '80'],
      ['ETH', 'SELL', '80'],
    ]);
    bot.script.tradeElsewhere(bot.index, 'XRP', 'sell', '14', '2.5');
    await live.gateway.clock.advance(60_000);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({ XRP: '18' });
    const { notifications } = (await bot.ask('GET', '/notifications')).json;
    const told = notifications.filter(({ category }: Json) => category === 'LEG_IMBALANCE');
    expect(told.map(({ parameters }: Json) => parameters.reason)).to.deep.equal([
      'Too small for an order of the venue, so it stays open there, in no basket: long 18 XRP ($45.00)',
    ]);
  });
});
