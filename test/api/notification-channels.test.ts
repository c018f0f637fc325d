/** Messages to ntfy, Telegram and Discord, against stand-ins of their HTTP interfaces on this machine. */
import { expect } from 'chai';
import { gatewayForSuite } from '../support/gateway.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import type { Json } from '../support/json.ts';
import { traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const TOKEN = '123456789:AAE-abcdefghijklmnopqrstuvwxyz012345';
const PAIR = [usd('BTC', 'BUY', '500'), usd('ETH', 'SELL', '500')];

describe('notification channels', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let service: HookReceiver;

  beforeEach(async () => {
    service = await HookReceiver.open();
  });
  afterEach(async () => {
    for (const { id } of (await bot.call('GET', '/notification-channels')).json.notificationChannels)
      await bot.call('DELETE', `/notification-channels/${id}`);
    await bot.call('POST', '/positions/close-all');
    await until(gateway.clock, 'all is closed', async () => (await bot.positions()).length === 0);
    await service.close();
  });

  const make = async (to: Json, kinds: readonly string[]): Promise<Json> => {
    return bot.expect('POST', '/notification-channels', { to, kinds }, 201);
  };
  const first = () =>
    until(gateway.clock, 'a message has come', async () => service.received[0]).then((message) => {
      if (message === undefined) throw new Error('nothing came');
      return message;
    });

  it('ntfy: topic, token and a plain sentence', async () => {
    const channel = await make(
      { service: 'NTFY', server: service.url, topic: 'tandem-x1', token: 'tk_secret' },
      ['FILLED'],
    );
    expect(channel).to.deep.include({ service: 'NTFY', address: `${service.url}/`, kinds: ['FILLED'] });
    expect(JSON.stringify(channel)).to.not.include('tk_secret').and.not.include('tandem-x1');
    await bot.open(PAIR);
    const { json, headers, path } = await first();
    expect([path, headers['authorization'], json.topic]).to.deep.equal([
      '/',
      'Bearer tk_secret',
      'tandem-x1',
    ]);
    expect(json.message).to.match(/^Filled: long BTC \/ short ETH \$(999|1,000), paper$/);
  });

  it('Telegram: the bot of the user, the chat, and what closed', async () => {
    await make({ service: 'TELEGRAM', server: service.url, token: TOKEN, chatId: '-100123' }, ['CLOSED']);
    const { positionId } = await bot.open(PAIR);
    await bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
    const { json, path } = await first();
    expect([path, json.chat_id]).to.deep.equal([`/bot${TOKEN}/sendMessage`, '-100123']);
    expect(json.text).to.match(/^Closed: long BTC \/ short ETH, [+−]\$[\d.,]+, paper$/);
  });

  it('an alert says what it is of, a prediction market too, and its level in plain digits', async () => {
    await make({ service: 'NTFY', server: service.url, topic: 'tandem-x1' }, ['FIRED']);
    const above = { direction: 'MORE_THAN', allowImmediate: true } as const;
    const market = { source: 'paper-predictions', marketKey: 'fed-cut-next-meeting' };
    for (const [condition, legs] of [
      [{ type: 'PREDICTION_MARKET_OUTCOME', ...market, value: '0.001' }, []],
      [{ type: 'PRICE_RATIO', value: '0.00000012' }, PAIR.map(({ symbol, side }) => ({ symbol, side }))],
    ] as const) {
      const { direction, allowImmediate } = above;
      const body = { legs, condition: { ...condition, direction }, allowImmediate };
      await bot.expect('POST', '/alerts', body);
    }
    const said = await until(gateway.clock, 'both were told', async () =>
      service.received.length < 2 ? undefined : service.received.map(({ json }) => json.message).sort(),
    );
    expect(said).to.deep.equal([
      'Alert: long BTC / short ETH, price ratio above 0.00000012, paper',
      'Alert: paper-predictions/fed-cut-next-meeting, probability above 0.001 %, paper',
    ]);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    const told = notifications
      .map(({ parameters }: Json) => parameters)
      .find(({ marketKey }: Json) => marketKey);
    expect(told).to.include({ metric: 'probability', ...market });
  });

  it('Discord: mentions nobody, and the token of its address is in no answer', async () => {
    const webhookUrl = `${service.url}/api/webhooks/99/very-secret_token`;
    const channel = await make({ service: 'DISCORD', webhookUrl }, ['FAILED', 'TROUBLE']);
    service.answers = [
      { status: 400, body: `no such hook: ${webhookUrl}, and no /webhooks/99/very-secret_token` },
    ];
    const tested = await bot.call('POST', `/notification-channels/${channel['id']}/test`);
    expect([tested.json.status, tested.json.responseStatus]).to.deep.equal(['FAILED', 400]);
    expect(tested.text).to.not.include('very-secret');
    const { json, path } = await first();
    expect(path).to.equal('/api/webhooks/99/very-secret_token');
    expect(json).to.deep.equal({
      content: 'Test: Tandem can reach you here.',
      allowed_mentions: { parse: [] },
    });
    service.answers = [{ status: 204 }];
    const order = { type: 'MARKET', legs: [usd('BTC', 'BUY', '500')] };
    await bot.call('POST', `/trade-accounts/${bot.accountId}/paper/faults`, { kind: 'REJECT' });
    await bot.execute('/trade/open', order);
    await until(gateway.clock, 'the failure has come', async () => service.received.length === 2);
    expect(service.received[1]?.json.content).to.match(/^Failed: long BTC, nothing filled, paper: /);
    const lists = await bot.call('GET', '/notification-channels');
    expect(lists.text).to.not.include('very-secret');
    expect((await bot.call('GET', `/notification-channels/${channel['id']}/deliveries`)).text).to.not.include(
      'very-secret',
    );
  });

  it('a reversal is told as what it takes out, then as what it opens', async () => {
    const { positionId } = await bot.open(PAIR);
    await make({ service: 'NTFY', server: service.url, topic: 'tandem-x3' }, ['FILLED']);
    await bot.expect('POST', `/positions/${positionId}/reverse`, {}, 202);
    await until(gateway.clock, 'both have come', async () => service.received.length === 2);
    expect(service.received.map(({ json }) => json.message.replace(/ \$.*/, ''))).to.deep.equal([
      'Filled, reversing: long BTC / short ETH',
      'Filled: long ETH / short BTC',
    ]);
  });

  it('says a notification in words: what fired, and only the kinds that were chosen', async () => {
    await make({ service: 'NTFY', server: service.url, topic: 'tandem-x2' }, ['FIRED']);
    const open = {
      legs: [usd('SOL', 'BUY', '100')],
      condition: { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '0.01' },
      allowImmediate: true,
    };
    await bot.expect('POST', '/triggers/open', open);
    expect((await first()).json.message).to.match(/^Trigger executed: long SOL, paper/);
    expect(service.received.length).to.equal(1);
  });

  it('sends to the services themselves, or to this machine, and nowhere else', async () => {
    const refused = async (to: Json) => {
      const { status, json } = await bot.call('POST', '/notification-channels', { to, kinds: ['FILLED'] });
      return [status, json.details?.[0]?.path];
    };
    const telegram = { service: 'TELEGRAM', token: TOKEN, chatId: '1' };
    expect(await refused({ ...telegram, server: 'https://example.com' })).to.deep.equal([400, 'to.server']);
    expect(await refused({ ...telegram, server: 'http://api.telegram.org' })).to.deep.equal([
      400,
      'to.server',
    ]);
    expect(await refused({ ...telegram, token: 'x' })).to.deep.equal([400, 'to.token']);
    expect(await refused({ service: 'NTFY', topic: 'a b' })).to.deep.equal([400, 'to.topic']);
    expect(await refused({ service: 'NTFY', topic: 'a', server: 'http://ntfy.sh' })).to.deep.equal([
      400,
      'to.server',
    ]);
    expect(
      await refused({ service: 'DISCORD', webhookUrl: 'https://example.com/api/webhooks/1/x' }),
    ).to.deep.equal([400, 'to.webhookUrl']);
    expect(await refused({ service: 'DISCORD', webhookUrl: 'https://discord.com/other' })).to.deep.equal([
      400,
      'to.webhookUrl',
    ]);
  });
});
