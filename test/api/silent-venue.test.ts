/** A venue that has taken an order and answers nothing about it: the trader is told, and the basket goes on afterwards. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: an order for which the venue does not answer', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  it('is told within half a minute, and ends as it did once the venue answers', async () => {
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '200'],
      ['ETH', 'SELL', '200'],
    ]);
    bot.script.streamFaults({ silent: ['orderUpdates', 'userFills'] });
    bot.script.fault({ on: 'order', do: 'lose_answer' });
    for (const on of ['orderStatus', 'userFillsByTime', 'historicalOrders'] as const)
      bot.script.fault({ on, do: 'status', code: 503, times: null });
    const id = await bot.beginClose(positionId);
    await live.gateway.clock.advance(35_000);
    expect(bot.held()).to.deep.equal({});
    const { status, orders } = await bot.execution(id);
    expect(status).to.equal('ACTIVE');
    expect(orders.map(({ errorCode }: Json) => errorCode)).to.deep.equal(['NEEDS_REVIEW', 'NEEDS_REVIEW']);
    const { notifications } = (await bot.ask('GET', '/notifications')).json;
    const told = notifications.filter(({ category }: Json) => category === 'ORDER_NEEDS_REVIEW');
    expect(told).to.have.length(1);
    expect(told[0].parameters.reason).to.contain('does not answer for the order');
    bot.script.clearFaults();
    bot.script.streamFaults({});
    expect(await bot.ended(id)).to.include({ status: 'COMPLETED', error: null });
  });
});
