/** A live account at an emulated Hyperliquid whose prices stop in part or contradict each other: nothing trades on such marks. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, emulated: marks', () => {
  const live = liveGatewayForSuite();
  const bot = openForSuite(() => live.account());

  afterEach(() => bot.script.setMark('BTC', '100000'));

  for (const [what, mark] of [
    ['far below', '0.1'],
    ['far above', '250000'],
    ['of nothing below', '0'],
  ] as const) {
    it(`${what} what is bid and asked size no order${what === 'far below' ? '' : ' @long'}`, async () => {
      // A mark of nothing has no book of its own.
      bot.script.setMark('BTC', mark, { size: '1', depth: mark === '0' ? 0 : 1 });
      bot.script.setBook('BTC', [['99990', '100']], [['100010', '100']], true);
      await live.until('the price is old', async () => {
        const { json } = await bot.tryOpen([['BTC', 'SELL', '100']], { dryRun: true });
        return json.plan?.problems.some(({ code }: Json) => code === 'PRICE_STALE');
      });
      const sent = bot.orderIds().length;
      expect((await bot.open([['BTC', 'SELL', '100']])).errorCode).to.equal('PRICE_STALE');
      expect(bot.orderIds()).to.have.length(sent);
      bot.script.setMark('BTC', '100000');
      await live.until('the price is there', async () => {
        const { json } = await bot.tryOpen([['BTC', 'SELL', '100']], { dryRun: true });
        return json.plan?.problems.length === 0;
      });
    });
  }

  for (const foreign of [[{ markPx: 'NaN', oraclePx: null }, null], 'halted', [[]]])
    it(`move on beside another builder's exchange whose contexts are ${JSON.stringify(foreign)}, and beside an own one that is none`, async () => {
      const markOf = async (id: string): Promise<string> => {
        const { prices } = (await live.ask('GET', '/prices?connector=hyperliquid')).json;
        return prices.find((one: Json) => one.id === id).mark;
      };
      const sol = live.emulator.script.coins().indexOf('SOL');
      const change = (message: Json): Json => {
        if (message.channel !== 'allDexsAssetCtxs') return message;
        const [[, own]] = message.data.ctxs;
        const broken = own.with(sol, { ...own[sol], markPx: 'NaN' });
        return { ...message, data: { ctxs: [['xyz', foreign], ['', broken], 7] } };
      };
      bot.script.streamFaults({ change });
      const before = await markOf('SOL-PERP');
      bot.script.setMark('SOL', '211');
      bot.script.setMark('BTC', '100100');
      await live.until('the mark of BTC moves', async () => (await markOf('BTC-PERP')) === '100100');
      expect(await markOf('SOL-PERP')).to.equal(before);
      bot.script.streamFaults({});
      await live.until('the mark of SOL moves', async () => (await markOf('SOL-PERP')) === '211');
      bot.script.setMark('SOL', '200');
      await live.until('it is as before', async () => (await markOf('SOL-PERP')) === '200');
    });

  it('an entry of the list of instruments that cannot be read leaves itself as it was, and the others are read', async () => {
    const ids = async (): Promise<string[]> =>
      (await live.ask('GET', '/instruments?connector=hyperliquid')).json.instruments.map(
        ({ id }: Json) => id,
      );
    const before = await ids();
    const json = ([meta, contexts]: Json): Json => [
      {
        ...meta,
        universe: meta.universe.map((one: Json) =>
          one.name === 'ETH' ? { ...one, maxLeverage: 'NaN' } : one,
        ),
      },
      [null, ...contexts.slice(1)],
    ];
    bot.script.fault({ on: 'metaAndAssetCtxs', do: 'change', json, times: null });
    bot.script.list({ name: 'FRESH', szDecimals: 1, maxLeverage: 10, mark: '8' });
    await live.until('the new one is listed', async () => (await ids()).includes('FRESH-PERP'));
    expect(await ids()).to.include.members(before);
    const opened = await bot.open([['ETH', 'BUY', '100']]);
    expect(opened).to.include({ status: 'COMPLETED' });
    bot.script.clearFaults();
    expect(await bot.close(opened.positionId)).to.include({ status: 'COMPLETED' });
  });

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
    await live.until('the stop has closed it', () => Object.keys(bot.held()).length === 0);
  });
});
