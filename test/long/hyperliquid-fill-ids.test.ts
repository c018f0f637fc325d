/** Fills at an emulated Hyperliquid whose ids are not readable for longer than the history waits for them. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

/** Longer than the history waits. */
const MINUTES = 11;

describe('API: Hyperliquid, emulated: fills without a readable id', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(
    () => live.account(),
    (opened) => opened.script.clearFaults(),
  );

  afterEach(() => {
    bot.script.streamFaults({});
  });

  const withoutIds = () => {
    const json = (fills: Json) => fills.map((fill: Json) => ({ ...fill, tid: 'NaN' }));
    bot.script.fault({ on: 'userFillsByTime', do: 'change', json, times: null });
  };
  const wait = async (minutes = MINUTES) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await live.gateway.clock.advance(60_000);
      await live.signIn();
      await bot.sync();
    }
  };
  const quantities = async () => (await bot.fills()).map(({ quantity }) => quantity);

  it('are booked once, each of two that are otherwise the same, also when their ids are readable again', async () => {
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    withoutIds();
    bot.script.tradeElsewhere(bot.address, 'BTC', 'buy', '0.001', '100010');
    bot.script.tradeElsewhere(bot.address, 'BTC', 'buy', '0.001', '100010');
    await bot.sync();
    expect(await quantities()).to.deep.equal([]);
    await wait();
    expect(await quantities()).to.deep.equal(['0.001', '0.001']);
    bot.script.clearFaults();
    await wait(1);
    expect(await quantities()).to.deep.equal(['0.001', '0.001']);
    await live.restart();
    await wait(1);
    expect(await quantities()).to.deep.equal(['0.001', '0.001']);
    expect(await bot.unexplained()).to.deep.equal([]);
  });

  it('that were booked under their ids before a restart are not booked again', async () => {
    bot.script.tradeElsewhere(bot.address, 'BTC', 'buy', '0.001', '100010');
    await live.until('it is booked', async () => (await quantities()).length === 1);
    withoutIds();
    await live.restart();
    await wait();
    expect(await quantities()).to.deep.equal(['0.001']);
    expect(await bot.unexplained()).to.deep.equal([]);
  });
});
