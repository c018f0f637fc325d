/** What an order costs on a live account: its own rates, as the venue tells them, or the lowest tier until it has. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { LiveGateway } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: fees', () => {
  let live: LiveGateway;

  before(async () => {
    live = await LiveGateway.start(await temporaryFolder());
  });
  after(async () => {
    await live.close();
    await removeTemporaryFolders();
  });

  const quoted = async (more: string): Promise<string> => {
    const { status, json, text } = await live.ask('GET', `/fee?connector=hyperliquid&notional=1000${more}`);
    expect(status, text).to.equal(200);
    return json.totalFee;
  };

  it('are the account’s own in quotes, dry runs and fills, and the venue’s for everybody else', async () => {
    live.emulator.script.fault({
      on: 'userFees',
      do: 'answer',
      json: { userCrossRate: '0.00032', userAddRate: '0.00008' },
      times: null,
    });
    const bot = await live.account();
    bot.script.setFees(bot.address, '0.00032', '0.00008');
    await until('its rates are known', async () => (await quoted(`&tradeAccountId=${bot.id}`)) === '0.32');
    expect(await quoted('')).to.equal('0.45');

    const planned = await bot.tryOpen([['BTC', 'BUY', '200']], { dryRun: true });
    expect(planned.status, planned.text).to.equal(200);
    const execution = await bot.open([['BTC', 'BUY', '200']]);
    expect(execution.status).to.equal('COMPLETED');
    const [fill] = await bot.fills();
    expect(Number(fill?.fee)).to.be.closeTo(Number(fill?.notional) * 0.00032, 0.00001);
    // The plan counts at the limit, which is at most the slippage away.
    expect(Number((planned.json.plan ?? planned.json).totalFee)).to.be.within(200 * 0.00032, 202.1 * 0.00032);
  });

  it('of an account that is not there, or elsewhere, are refused', async () => {
    const wrong = await live.ask(
      'GET',
      `/fee?connector=hyperliquid&notional=1&tradeAccountId=${randomUUID()}`,
    );
    expect(wrong.status).to.equal(404);
    const { json } = await live.ask('GET', '/trade-accounts');
    const elsewhere = json.tradeAccounts.find(({ mode }: { mode: string }) => mode === 'PAPER');
    const other = await live.ask(
      'GET',
      `/fee?connector=hyperliquid&notional=1&tradeAccountId=${elsewhere.id}`,
    );
    expect(other.status).to.equal(404);
  });
});
