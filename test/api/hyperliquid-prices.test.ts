/** A live account at an emulated Hyperliquid whose prices stop in part: nothing trades on old marks, and stops fire. */
import { expect } from 'chai';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type LiveAccount, LiveGateway } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: marks that stop while best prices go on', () => {
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

  it('are said to be missing, nothing opens on them, and a stop that they hid fires when they are back', async () => {
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
    await until('the stop has closed it', () => Object.keys(bot.held()).length === 0);
  });
});
