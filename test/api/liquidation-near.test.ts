/** A liquidation that comes near on a paper account is told before it happens: once a crossing, over a restart too. */
import { expect } from 'chai';
import { notification } from '../../gateway/contract/notifications.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';
import { LiveGateway as LighterGateway } from '../support/venues/lighter/live-gateway.ts';

describe('API: a liquidation that comes near', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock });
  const bot = traderForEachTest(gateway);
  const phone = openForEachTest(() => HookReceiver.open());

  const told = async (): Promise<Json[]> => {
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    return notifications.filter(({ category }: Json) => category === 'LIQUIDATION_NEAR').toReversed();
  };
  const distance = async () => {
    const [basket] = (await bot.call('GET', '/positions/risk')).json.baskets;
    return Math.abs(Number(basket.ratioMove));
  };
  /** Moves SOL until its liquidation is that far below it. */
  async function bring(to: number): Promise<void> {
    const now = await distance();
    await gateway.gateway.paperVenue('paper').shock('SOL-PERP', (1 - now) / (1 - to));
    await until(gateway.clock, 'the price is there', async () => Math.abs((await distance()) - to) < 0.005);
  }
  const looks = (count: number) => clock.advance(count * 1_000);

  it('is a notification, its event and a message, once below 10 % and once below 5 %', async () => {
    const to = { service: 'NTFY', server: phone.url, topic: 'tandem-x1' };
    await bot.call('POST', '/notification-channels', { to, kinds: ['TROUBLE'] });
    await bot.call('PUT', '/leverage', { symbol: 'SOL-PERP', leverage: 4, marginMode: 'isolated' });
    const { positionId } = await bot.open([usd('SOL', 'BUY', '8000')]);
    expect(await distance()).to.be.within(0.15, 0.3);
    await looks(3);
    expect(await told()).to.deep.equal([]);

    await bring(0.085);
    await until(gateway.clock, 'it is told', async () => (await told()).length === 1);
    const [first] = await told();
    notification.parse(first);
    expect(first.parameters).to.deep.include({
      type: 'liquidation_near',
      tradeAccountId: bot.accountId,
      connector: 'paper',
      positionId,
      legs: [{ id: 'SOL-PERP', symbol: 'SOL', side: 'BUY' }],
      instrument: { id: 'SOL-PERP', symbol: 'SOL' },
    });
    expect(Number(first.parameters.distance)).to.be.within(0.075, 0.095);
    expect(first.parameters.reason).to.match(
      /^SOL: price [78]\.\d % from liquidation\. Add margin or reduce$/,
    );
    await until(gateway.clock, 'the message has come', async () => phone.received.length > 0);
    expect(phone.received[0]?.json.message).to.match(
      /^Liquidation is near: long SOL, paper\. SOL: price [78]\.\d % from liquidation\./,
    );

    await bring(0.112);
    await looks(3);
    await bring(0.085);
    await looks(3);
    expect(await told(), 'between a threshold and two points above it').to.have.length(1);

    await gateway.restart();
    await looks(4);
    expect(await told(), 'after a restart').to.have.length(1);

    await bring(0.035);
    await until(gateway.clock, 'it is told again', async () => (await told()).length === 2);
    const margin = await bot.call('POST', `/positions/${positionId}/margin`, {
      symbol: 'SOL-PERP',
      amount: '2000',
    });
    expect(margin.status, margin.text).to.be.within(200, 202);
    await looks(3);
    expect(await distance()).to.be.above(0.13);
    await bring(0.085);
    await until(
      gateway.clock,
      'it is told anew after margin was added',
      async () => (await told()).length === 3,
    );
  });
});

describe('API: a liquidation that comes near on a live account', () => {
  const live = liveGatewayForSuite();

  it('is told within seconds, between two readings of its equity too', async () => {
    const bot = await live.account();
    const { positionId } = await bot.open([['BTC', 'BUY', '900']]);
    const told = async (): Promise<Json[]> => {
      const { notifications } = (await live.ask('GET', '/notifications')).json;
      return notifications.filter(({ category }: Json) => category === 'LIQUIDATION_NEAR').toReversed();
    };
    const risk = async () => (await live.ask('GET', '/positions/risk', undefined, bot.id)).json;
    bot.script.deposit(bot.address, '-9880');
    await live.until('the withdrawal has been read', async () => Number((await risk()).equity) < 200);
    expect(Math.abs(Number((await risk()).baskets[0].ratioMove))).to.be.within(0.11, 0.14);
    expect(await told()).to.deep.equal([]);
    bot.script.setMark('BTC', '95000');
    await live.until('it is told', async () => (await told()).length === 1);
    expect((await told())[0].parameters).to.deep.include({ tradeAccountId: bot.id, positionId });
    expect((await told())[0].parameters.reason).to.match(
      /^Cross margin, BTC first: price \d\.\d % from liquidation\. Deposit or reduce$/,
    );
    bot.script.setMark('BTC', '100000');
  });
});

describe('API: a liquidation that comes near on a venue whose equity follows the marks', () => {
  const live = openForSuite(async () => LighterGateway.start(await temporaryFolder()));

  it('is told at its true distance: a loss is counted once', async () => {
    const bot = await live.account();
    const { positionId } = await bot.open([['BTC', 'BUY', '900']]);
    const told = async (): Promise<Json[]> => {
      const { notifications } = (await live.ask('GET', '/notifications')).json;
      return notifications.filter(({ category }: Json) => category === 'LIQUIDATION_NEAR').toReversed();
    };
    const distance = async () =>
      Math.abs(Number((await bot.ask('GET', '/positions/risk')).json.baskets[0].ratioMove));
    bot.script.withdraw(bot.index, '9820');
    await live.until('the withdrawal has been read', async () => (await distance()) < 0.21);
    bot.script.setMark('BTC', '92000');
    await live.until('the price is there', async () => (await distance()) < 0.15);
    await live.gateway.clock.advance(4_000);
    expect(await distance()).to.be.within(0.11, 0.13);
    expect(await told()).to.deep.equal([]);

    bot.script.setMark('BTC', '88000');
    await live.until('it is told', async () => (await told()).length === 1);
    const [{ parameters }] = (await told()) as [Json];
    expect(parameters).to.deep.include({ tradeAccountId: bot.id, positionId });
    expect(Number(parameters.distance)).to.be.within(0.07, 0.09);
    bot.script.setMark('BTC', '100000');
    await bot.close(positionId);
  });

  it('of an isolated position counts what has become of its margin', async () => {
    const bot = await live.account();
    const setting = { symbol: 'SOL-PERP', leverage: 5, marginMode: 'isolated' };
    await bot.expect('PUT', '/leverage', setting);
    const { positionId } = await bot.open([['SOL', 'BUY', '900']]);
    const mark = Number((await bot.position(positionId)).legs[0].markPrice);
    bot.script.setMark('SOL', String(mark * 0.9));
    const leg = async (): Promise<Json> => (await bot.position(positionId)).legs[0];
    await live.until('the price is there', async () => Number((await leg()).unrealizedPnl) < -85);
    // 180 was paid in, and a tenth of 900 is lost.
    await live.until('its margin is told', async () => Number((await leg()).marginUsed) < 100);
    expect(Number((await leg()).marginUsed)).to.be.within(80, 100);
    const [basket] = (await bot.ask('GET', '/positions/risk')).json.baskets;
    expect(basket.cause).to.equal('ISOLATED');
    const far = 1 - Number((await leg()).liquidationPrice) / (mark * 0.9);
    expect(Math.abs(Number(basket.ratioMove))).to.be.closeTo(far, 0.003);
  });
});
