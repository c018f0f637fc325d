/** A live account that two data folders trade: a copied one asks before it starts, and beside its original it is noticed. */
import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { tandem } from '../support/command-line.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type LiveLeg, liveGatewayForEachTest } from '../support/venues/hyperliquid/live-gateway.ts';
import { cloidOf, Trader } from '../support/venues/hyperliquid/trader.ts';

const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '400'],
  ['ETH', 'SELL', '400'],
];
const TOLD = 'OTHER_PROGRAM_TRADES';

describe('API: a live account that another program trades', () => {
  const live = liveGatewayForEachTest();
  const bot = openForEachTest(() => live.account());

  beforeEach(async () => {
    await bot.open(PAIR);
  });

  const notices = async () => (await bot.categories()).filter((category) => category === TOLD);
  const copyTo = (folder: string) => {
    const filter = (path: string) => basename(path) !== 'socket';
    cpSync(live.gateway.dataDir, folder, { recursive: true, filter });
  };

  it('sends nothing from a copied folder before it is told to take over', async () => {
    const folder = await temporaryFolder();
    const { dataDir } = live.gateway;
    const { script, url } = live.emulator;
    await live.gateway.close();
    copyTo(folder);
    script.clearTraffic();
    const flags = ['--port', '0', '--vault', 'file', '--log-level', 'silent', '--data-dir', folder];
    const env = { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: url };
    const { code, err } = await tandem(['start', ...flags], { env, interrupted: AbortSignal.abort() });
    expect([code, err]).to.deep.equal([
      1,
      `tandem: the data folder ${folder} was used at ${dataDir} before and holds 1 live account: from two folders it would trade twice. Once the gateway there is stopped for good, start this one with: tandem start --take-over`,
    ]);
    expect(script.traffic().counts).to.deep.equal({});
  });

  it('is told once by the folder that another one trades beside', async () => {
    const folder = await temporaryFolder();
    await live.restart(() => {
      copyTo(folder);
      rmSync(join(folder, 'folder.json'));
    });
    await live.signIn();
    const beside = await live.beside(folder);
    try {
      bot.script.tradeElsewhere(bot.address, 'SOL', 'buy', '1', bot.script.markOf('SOL'));
      await live.gateway.clock.advance(5_000);
      expect(await notices(), 'an order without a client id').to.deep.equal([]);
      const other = bot.on(beside);
      await other.open([['BTC', 'BUY', '300']]);
      await other.open([['SOL', 'BUY', '300']]);
      await live.until('it is told', async () => (await notices()).length > 0);
      await live.gateway.clock.advance(30_000);
      expect(await notices()).to.deep.equal([TOLD]);
    } finally {
      await beside.gateway.close();
    }
  });

  it('is told at the next start of an order that works there with the id of another program @long', async () => {
    const other = new Trader(live.emulator.url, toHex(randomBytes(32)), live.gateway.clock);
    bot.script.addAgent(bot.address, other.address, 'other');
    const far = (Number(bot.script.markOf('BTC')) * 0.9).toFixed(0);
    const order = { px: far, sz: '0.01', tif: 'Gtc' as const };
    const [plain] = await other.order([order]);
    expect(plain.resting, JSON.stringify(plain)).to.be.an('object');
    await live.restart();
    await live.signIn();
    await live.gateway.clock.advance(90_000);
    expect(await notices(), 'an order without a client id').to.deep.equal([]);
    const [named] = await other.order([{ ...order, cloid: cloidOf(7) }]);
    expect(named.resting, JSON.stringify(named)).to.be.an('object');
    await live.restart();
    await live.signIn();
    await live.until('it is told', async () => (await notices()).length > 0, 120_000);
  });
});
