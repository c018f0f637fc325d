/** The machine's clock is set while the gateway runs, and nobody tells it so. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { PAIR, traderForEachTest, usd } from '../support/trader.ts';
import { untilSettled } from '../support/until.ts';

const HOUR = 3_600_000;

for (const [way, byMs] of [
  ['back', -HOUR],
  ['ahead', HOUR],
] as const) {
  describe(`a clock that is set an hour ${way}`, () => {
    const gateway = timedGatewayForEachTest();
    const bot = traderForEachTest(gateway);

    const read = async (path: string): Promise<Json> => (await bot.call('GET', path)).json;
    const clockCheck = async () =>
      (await read('/ready')).checks.find(({ name }: Json) => name === 'clock') as Json;
    const marks = async () =>
      (await read('/prices?connector=paper')).prices.map(({ mark }: Json) => mark).join();
    async function open(symbol: string): Promise<Json> {
      return gateway.trade(bot, '/trade/open', { type: 'MARKET', legs: [usd(symbol, 'BUY', '500')] });
    }

    it(`opens nothing on prices from before, says so, and goes on when they have arrived anew${way === 'back' ? '' : ' @long'}`, async () => {
      await gateway.clock.advance(3_000);
      expect(await clockCheck()).to.deep.equal({ name: 'clock', ok: true, detail: null });
      expect((await open('BTC')).status).to.equal('COMPLETED');
      gateway.clock.jump(byMs);
      expect((await bot.execute('/trade/open', { type: 'MARKET', legs: PAIR })).errorCode).to.equal(
        'PRICE_STALE',
      );
      const check = await clockCheck();
      expect(check.ok).to.equal(false);
      expect(check.detail).to.contain('1 h').and.to.contain(way);
      expect((await read('/ready')).ready).to.equal(false);
      await gateway.clock.advance(2_500);
      expect((await clockCheck()).ok).to.equal(true);
      expect((await clockCheck()).detail).to.contain('1 h');
      expect((await read('/ready')).ready).to.equal(true);
      expect((await open('ETH')).status).to.equal('COMPLETED');
      await untilSettled('a notification tells of the change', async () =>
        (await read('/notifications')).notifications.some(
          ({ category }: Json) => category === 'CLOCK_CHANGED',
        ),
      );
    });

    it(`keeps the market moving, and its orders filling at prices that move${way === 'back' ? '' : ' @long'}`, async () => {
      await gateway.clock.advance(3_000);
      gateway.clock.jump(byMs);
      await gateway.clock.advance(3_000);
      const before = await marks();
      await gateway.clock.advance(3_000);
      expect(await marks()).to.not.equal(before);
      expect((await read('/connectors')).connectors.map(({ status }: Json) => status)).to.deep.equal(['UP']);
    });

    it(`leaves nothing out of the sums that was written before${way === 'back' ? '' : ' @long'}`, async () => {
      await gateway.clock.advance(3_000);
      const { positionId } = await open('BTC');
      const close = { type: 'MARKET' };
      await gateway.trade(bot, `/positions/${positionId}/close`, close);
      const sums = async () => {
        const { realizedPnl, fees, volume } = await read('/portfolio');
        return { realizedPnl, fees, volume };
      };
      const before = await sums();
      expect(before.volume).to.not.equal('0');
      gateway.clock.jump(byMs);
      await gateway.clock.advance(3_000);
      expect(await sums()).to.deep.equal(before);
      const { assets } = await read('/portfolio/analytics?startDate=2020-01-01');
      expect(assets.map(({ volume }: Json) => volume)).to.deep.equal([before.volume]);
    });

    if (byMs > 0) {
      it('ends a trigger that is past its time within a second, without being told of the jump', async () => {
        const { json } = await bot.call('POST', '/triggers/open', {
          legs: PAIR,
          condition: { type: 'PRICE', direction: 'MORE_THAN', value: '10000000', symbol: 'BTC-PERP' },
          expiresAt: new Date(gateway.clock.now() + HOUR / 2).toISOString(),
        });
        gateway.clock.jump(byMs);
        await gateway.clock.advance(1_000);
        const status = async () => (await read(`/triggers/${json.id}`)).status;
        await untilSettled('the trigger has expired', async () => (await status()) === 'EXPIRED');
      });
    }
  });
}
