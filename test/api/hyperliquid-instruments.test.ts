/** Instruments of a live venue that are listed, delisted and changed while the gateway runs, and after it starts again. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { connectRealtime, type RealtimeClient } from '../support/realtime-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { whileTimePasses } from '../support/until.ts';
import { type LiveAccount, LiveGateway } from '../support/venues/hyperliquid/live-gateway.ts';

describe('API: Hyperliquid, instruments that change while the gateway runs', () => {
  let live: LiveGateway;
  let bot: LiveAccount;
  const clients: RealtimeClient[] = [];

  beforeEach(async () => {
    live = await LiveGateway.start(await temporaryFolder());
    bot = await live.account();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.end();
    await live.close();
  });

  const instruments = async (): Promise<readonly Json[]> =>
    (await live.ask('GET', '/instruments?connector=hyperliquid')).json.instruments;
  const instrument = async (id: string): Promise<Json> =>
    (await instruments()).find((one) => one.id === id) ?? null;
  const pairs = async (): Promise<number> =>
    (await live.ask('GET', '/markets/baskets?connector=hyperliquid&limit=1')).json.count;
  const listings = () => live.emulator.script.traffic().counts['metaAndAssetCtxs'] ?? 0;
  /** The venue says nothing of some changes: they are seen with a new connection at the latest. */
  async function reconnected(): Promise<void> {
    const before = listings();
    live.emulator.script.cutStreams();
    await live.until('the list is read again', () => listings() > before, 30_000);
  }
  const notices = async (): Promise<readonly Json[]> =>
    (await bot.ask('GET', '/notifications')).json.notifications.filter(
      ({ category }: Json) => category === 'INSTRUMENT_RESTRICTED',
    );

  it('one that is new is listed, paired, streamed and traded, and takes no other one’s name', async () => {
    const before = await pairs();
    const { script } = live.emulator;
    const read = listings();
    const client = await connectRealtime(`ws://127.0.0.1:${live.gateway.port}/ws`);
    clients.push(client);
    await client.ask({ op: 'subscribe', channels: ['prices:hyperliquid'] });
    script.list({ name: 'NEW', szDecimals: 1, maxLeverage: 10, mark: '8' });
    // The venue calls another coin what this gateway calls kPEPE.
    script.list({ name: 'PEPE', szDecimals: 0, maxLeverage: 3, mark: '7' });
    await live.until('it is listed', async () => (await instrument('NEW-PERP')) !== null);
    expect(await instrument('NEW-PERP')).to.include({ symbol: 'NEW', stepSize: '0.1', maxLeverage: 10 });
    expect(await instrument('PEPE-PERP')).to.include({
      ...{ venueSymbol: 'kPEPE', multiplier: '1000', maxLeverage: 10 },
      ...{ stepSize: '1000', minQuantity: '1000', maxQuantity: null, priceBand: '0.8' },
    });
    expect(await pairs()).to.be.greaterThan(before);
    await client.next(
      ({ channel, data }) =>
        channel === 'prices:hyperliquid' && (data as Json[]).some(({ id }) => id === 'NEW-PERP'),
    );
    const watch = { type: 'PRICE', direction: 'LESS_THAN', value: '7', symbol: 'NEW-PERP' };
    await bot.expect('POST', '/triggers/open', {
      condition: watch,
      legs: [{ symbol: 'NEW-PERP', side: 'BUY', mode: 'USD', amount: '50' }],
    });
    expect((await bot.open([['NEW', 'BUY', '50']])).status).to.equal('COMPLETED');
    script.setMark('NEW', '6.5');
    await live.until('the trigger has bought too', () => Number(bot.held()['NEW']) > 10);
    expect(listings() - read).to.be.at.most(2);
  });

  it('a fill of an instrument that was listed a moment ago is booked as soon as the list is read @long', async () => {
    const { script } = live.emulator;
    const known = script.coins().length;
    // Nothing tells that there is a new one before the fill does.
    const change = (message: Json): Json =>
      message.channel === 'allDexsAssetCtxs'
        ? { ...message, data: { ctxs: [['', message.data.ctxs[0][1].slice(0, known)]] } }
        : message;
    script.streamFaults({ change });
    script.list({ name: 'FRESH', szDecimals: 1, maxLeverage: 10, mark: '8' });
    script.tradeElsewhere(bot.address, 'FRESH', 'buy', '2', '8');
    const fills = async () => (await bot.fills()).filter(({ symbol }: Json) => symbol === 'FRESH-PERP');
    await live.until('it is booked', async () => (await fills()).length > 0, 30_000);
    script.streamFaults({});
    expect(await fills()).to.have.length(1);
    expect((await fills())[0]).to.include({ side: 'BUY', quantity: '2', price: '8' });
    expect(await instrument('FRESH-PERP')).to.include({ symbol: 'FRESH' });
    script.tradeElsewhere(bot.address, 'FRESH', 'sell', '2', '8');
    await live.until('the rest is booked', async () => (await fills()).length === 2);
    expect(await bot.unexplained()).to.deep.equal([]);
  });

  it('other rules are followed with the next reading @long', async () => {
    live.emulator.script.setRules('SOL', { szDecimals: 1, maxLeverage: 5 });
    await reconnected();
    await live.until('they are', async () => (await instrument('SOL-PERP')).stepSize === '0.1');
    expect(await instrument('SOL-PERP')).to.include({ maxLeverage: 5, tickSize: '0.00001' });
    expect((await bot.open([['SOL', 'BUY', '50']])).status).to.equal('COMPLETED');
    expect(bot.held()['SOL']).to.equal('0.2');
  });

  it('an opening that the venue’s band keeps from the market is refused before anything is sent', async () => {
    live.emulator.script.setOracle('BTC', '40000');
    await live.until('the index is there', async () => {
      const { prices } = (await live.ask('GET', '/prices?connector=hyperliquid')).json;
      return prices.find(({ id }: Json) => id === 'BTC-PERP').index === '40000';
    });
    for (const side of ['BUY', 'SELL'] as const) {
      const refused = await bot.open([['BTC', side, '200']]);
      expect(refused).to.include({ status: 'FAILED', errorCode: 'PRICE_BAND' });
    }
    expect(bot.orderIds()).to.deep.equal([]);
    live.emulator.script.setOracle('BTC', '60000');
    await live.until(
      'it may be',
      async () => (await bot.open([['BTC', 'BUY', '200']])).status === 'COMPLETED',
    );
  });

  it('a limit never leaves the band of 80 % around the index, even where the mark is near its edge @long', async () => {
    const { script } = live.emulator;
    // 56,000 × 1.8 = 100,800: above the mark, below the mark with 1 % slippage.
    script.setOracle('BTC', '56000');
    await live.until('the index is there', async () => {
      const { prices } = (await live.ask('GET', '/prices?connector=hyperliquid')).json;
      return prices.find(({ id }: Json) => id === 'BTC-PERP').index === '56000';
    });
    const { orders, status } = await bot.open([['BTC', 'BUY', '200']]);
    expect(status, orders[0].error).to.equal('COMPLETED');
    expect(Number(orders[0].limitPrice)).to.be.at.most(100_800);
    script.setOracle('BTC', '100000');
  });

  it('one that is delisted is shown so, paired no more, and told once to whom it concerns, with his baskets', async () => {
    const { script } = live.emulator;
    const { positionId } = await bot.open([
      ['SOL', 'BUY', '200'],
      ['ETH', 'SELL', '200'],
    ]);
    const scheduled = await bot.ask('POST', `/positions/${positionId}/close`, {
      type: 'TWAP',
      fraction: '0.5',
      durationSeconds: 7_200,
      intervalSeconds: 3_600,
    });
    expect(scheduled.status, scheduled.text).to.be.within(200, 202);
    // The next one is due in an hour.
    await live.until('its first slice is done', async () => {
      const { schedules } = (await bot.ask('GET', '/schedules')).json;
      return schedules[0].slicesCompleted === 1;
    });
    const before = await pairs();
    const client = await connectRealtime(`ws://127.0.0.1:${live.gateway.port}/ws`);
    clients.push(client);
    await client.ask({ op: 'subscribe', channels: ['baskets:hyperliquid'] });
    script.delist('SOL', false);
    script.delist('DYDX');
    await reconnected();
    const news = client.next(
      ({ channel, data }) =>
        channel === 'baskets:hyperliquid' &&
        (data as Json[]).some(
          ({ id, tradeability }) => id === 'SOL-PERP' && tradeability.status === 'not_tradable',
        ),
    );
    await whileTimePasses(live.gateway.clock, news);
    const { tradeability } = await instrument('SOL-PERP');
    expect(tradeability).to.deep.equal({ status: 'not_tradable', reason: 'delisted' });
    expect(await pairs()).to.be.lessThan(before);
    const [told, ...more] = await live.until('it is told', async () => {
      const all = await notices();
      return all.length === 0 ? null : all;
    });
    expect(more).to.deep.equal([]);
    expect(told.parameters).to.deep.include({
      type: 'instrument',
      connector: 'hyperliquid',
      tradeAccountId: bot.id,
      positionId,
      reason:
        'SOL-PERP cannot be traded any more (delisted). Baskets: long SOL / short ETH. Waiting: 1 schedule',
    });
    await reconnected();
    expect(await notices()).to.have.length(1);
  });
});
