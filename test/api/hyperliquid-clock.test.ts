/** A live account at an emulated Hyperliquid and a clock that is wrong, or was: what goes out, and what is read. */
import { expect } from 'chai';
import { openForEachTest } from '../support/open-for-tests.ts';
import { type LiveLeg, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const DAY_MS = 86_400_000;
const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

describe('API: Hyperliquid, emulated: wrong clocks', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  /** The difference between the clocks becomes so, and is measured. */
  async function differ(ms: number): Promise<void> {
    bot.script.setClockOffset(ms);
    bot.script.cutStreams();
    await live.untilStatus('DOWN');
    await live.untilStatus(ms === 0 ? 'UP' : 'DEGRADED');
  }

  /** A return of the streams has the clock measured: until that has ended, a new difference would be found by it. */
  async function measured(): Promise<void> {
    // The test before has cut them.
    await live.untilStatus('UP');
    const asked = () => bot.script.traffic().counts['exchangeStatus'] ?? 0;
    await live.until('the clock is measured', async () => {
      const before = asked();
      await live.gateway.clock.advance(300);
      return asked() === before;
    });
  }

  it('days ahead once: everything closes and opens again when the time is right', async () => {
    const first = await bot.open(LONG);
    const second = await bot.open([['ETH', 'BUY', '200']]);
    await differ(3 * DAY_MS);
    expect(await bot.close(first.positionId)).to.include({ status: 'COMPLETED' });
    await differ(0);
    expect(await bot.close(second.positionId)).to.include({ status: 'COMPLETED' });
    expect(bot.held()).to.deep.equal({});
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
  });

  it('days ahead once: what the stream did not tell is read from the history when the time is right', async () => {
    await bot.open(LONG);
    await differ(3 * DAY_MS);
    expect((await bot.sync()).status).to.equal(200);
    await differ(0);
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.tradeElsewhere(bot.address, 'SOL', 'buy', '1', '200');
    bot.script.streamFaults({});
    bot.script.cutStreams();
    await live.until('it is booked', async () =>
      (await bot.fills()).some(({ symbol }) => symbol === 'SOL-PERP'),
    );
    expect(await bot.unexplained()).to.deep.equal([]);
  });

  it('found wrong by an order that opens: it is not sent again', async () => {
    await measured();
    bot.script.setClockOffset(60_000);
    const execution = await bot.open(LONG);
    expect(execution).to.include({ status: 'FAILED' });
    expect([bot.held(), bot.orderIds()]).to.deep.equal([{}, []]);
    await differ(0);
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
  });
});
