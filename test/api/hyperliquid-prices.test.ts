/** A live account at an emulated Hyperliquid whose prices stop in part or contradict each other: nothing trades on such marks. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type LiveAccount, LiveGateway } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: marks', () => {
  let live: LiveGateway;
  let bot: LiveAccount;

  before(async () => {
    live = await LiveGateway.start(await temporaryFolder());
    bot = await live.account();
  });
  after(async () => {
    await live.close();
    await removeTemporaryFolders();
  });

  afterEach(() => bot.script.setMark('BTC', '100000'));

  for (const [what, mark] of [
    ['far below', '0.1'],
    ['far above', '250000'],
    ['of nothing below', '0'],
  ] as const) {
    it(`${what} what is bid and asked size no order`, async () => {
      // A mark of nothing has no book of its own.
      bot.script.setMark('BTC', mark, { size: '1', depth: mark === '0' ? 0 : 1 });
      bot.script.setBook('BTC', [['99990', '100']], [['100010', '100']], true);
      await until(live.gateway.clock, 'the price is old', async () => {
        const { json } = await bot.tryOpen([['BTC', 'SELL', '100']], { dryRun: true });
        return json.plan?.problems.some(({ code }: Json) => code === 'PRICE_STALE');
      });
      const sent = bot.orderIds().length;
      expect((await bot.open([['BTC', 'SELL', '100']])).errorCode).to.equal('PRICE_STALE');
      expect(bot.orderIds()).to.have.length(sent);
      bot.script.setMark('BTC', '100000');
      await until(live.gateway.clock, 'the price is there', async () => {
        const { json } = await bot.tryOpen([['BTC', 'SELL', '100']], { dryRun: true });
        return json.plan?.problems.length === 0;
      });
    });
  }

  it('that stop while best prices go on are said to be missing, nothing opens on them, and a stop that they hid fires when they are back', async () => {
    const { positionId } = await bot.open([['BTC', 'BUY', '200']]);
    const stop = { stopLoss: { type: 'PERCENTAGE', value: '5' } };
    expect((await bot.ask('PUT', `/positions/${positionId}/brackets`, stop)).status).to.equal(200);
    bot.script.streamFaults({ silent: ['allDexsAssetCtxs'] });
    bot.script.setMark('BTC', '90000');
    await live.untilStatus('DEGRADED');
    const { errorCode } = await bot.open([['ETH', 'BUY', '100']]);
    expect(errorCode).to.equal('PRICE_STALE');
    expect(bot.held()).to.deep.equal({ BTC: '0.002' });
    bot.script.streamFaults({});
    await until(live.gateway.clock, 'the stop has closed it', () => Object.keys(bot.held()).length === 0);
  });
});
