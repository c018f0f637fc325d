/** Events of pending orders on the account's channel: live, for a client that was away, and after a gateway restart. */
import { expect } from 'chai';
import { ackMessage, privateMessage } from '../../gateway/contract/realtime.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { connectRealtime, type RealtimeClient } from '../support/realtime-client.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';

type Told = ReturnType<typeof privateMessage.parse>;

describe('events of what waits', () => {
  const gateway = gatewayForSuite({});
  const bot = traderForSuite(gateway);
  let channel: string;
  let live: RealtimeClient;
  const clients: RealtimeClient[] = [];
  before(async () => {
    channel = `user:${bot.accountId}`;
    live = await subscribed({});
  });
  after(async () => {
    for (const client of clients) client.end();
  });

  async function subscribed(over: object): Promise<RealtimeClient> {
    const client = await connectRealtime(`ws://127.0.0.1:${gateway.port}/ws`, {}, gateway.clock);
    clients.push(client);
    await client.ask({ op: 'auth', apiKey: bot.key });
    ackMessage.parse(await client.ask({ op: 'subscribe', channels: [channel], ...over }));
    return client;
  }
  const told = (client: RealtimeClient): readonly Told[] =>
    client.messages
      .filter((message) => message['channel'] === channel)
      .map((message) => privateMessage.parse(message));
  const next = (event: string, entityId: string) =>
    live.next((message) => {
      const isIt = message['channel'] === channel && message['event'] === event;
      return isIt && privateMessage.parse(message).data.entityId === entityId;
    });
  /** Names of the events of one thing, in order. */
  const of = (id: string) => told(live).flatMap(({ event, data }) => (data.entityId === id ? [event] : []));
  const made = (path: string, body: object) => bot.expect('POST', path, body);
  async function mark(symbol: string): Promise<number> {
    const { prices } = (await bot.call('GET', '/prices?connector=paper')).json;
    return Number(prices.find(({ id }: Json) => id === symbol).mark);
  }
  const shock = (symbol: string, factor: number) => gateway.gateway.paperVenue('paper').shock(symbol, factor);

  it('a trigger: created, changed, fired, completed; its orders, its position, its notification', async () => {
    const value = String(Math.round((await mark('BTC-PERP')) * 1.1));
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'BTC-PERP' };
    const { id } = await made('/triggers/open', { legs: PAIR, condition });
    await next('trigger.created', id);
    expect((await bot.call('POST', `/triggers/${id}/pause`)).status).to.equal(200);
    await next('trigger.updated', id);
    expect((await bot.call('POST', `/triggers/${id}/resume`)).status).to.equal(200);
    await next('trigger.updated', id);
    await shock('BTC-PERP', 1.2);
    await next('trigger.completed', id);
    const trigger = (await bot.call('GET', `/triggers/${id}`)).json;
    const [notification] = (await bot.call('GET', '/notifications')).json.notifications;
    await next('notification.created', notification.id);
    expect(of(id)).to.deep.equal([
      'trigger.created',
      ...Array(3).fill('trigger.updated'),
      'trigger.completed',
    ]);
    expect(of(trigger.executionId)).to.deep.equal(['execution.completed']);
    expect(of(trigger.positionId)).to.deep.equal(['position.created']);
    const { orders } = (await bot.call('GET', `/executions/${trigger.executionId}`)).json.execution;
    for (const order of orders) expect(of(order.id)).to.include('order.updated');
  });

  it('an alert: created, then completed or cancelled, and its notification', async () => {
    const condition = { type: 'BTC_DOM', direction: 'LESS_THAN', value: '99.5' };
    const { id } = await made('/alerts', { condition, allowImmediate: true });
    await next('alert.completed', id);
    const [notification] = (await bot.call('GET', '/notifications')).json.notifications;
    expect(notification).to.deep.include({ category: 'ALERT_HIT' });
    await next('notification.created', notification.id);
    const other = await made('/alerts', { condition: { ...condition, direction: 'MORE_THAN' } });
    const value = { condition: { value: '99.6' } };
    expect((await bot.call('PATCH', `/alerts/${other.id}`, value)).status).to.equal(200);
    await next('alert.updated', other.id);
    expect((await bot.call('POST', `/alerts/${other.id}/cancel`)).status).to.equal(200);
    await next('alert.cancelled', other.id);
    expect(of(id)).to.deep.equal(['alert.created', 'alert.completed']);
    expect(of(other.id)).to.deep.equal(['alert.created', 'alert.updated', 'alert.cancelled']);
  });

  it('one that is cancelled, and one that fails', async () => {
    const above = { type: 'BTC_DOM', direction: 'MORE_THAN', value: '99.5' };
    const { id } = await made('/triggers/open', { legs: PAIR, condition: above });
    expect((await bot.call('POST', `/triggers/${id}/cancel`)).status).to.equal(200);
    await next('trigger.cancelled', id);
    const below = { ...above, direction: 'LESS_THAN' };
    const dear = [usd('SOL', 'BUY', '90000000')];
    const failing = await made('/triggers/open', { legs: dear, condition: below, allowImmediate: true });
    await next('trigger.failed', failing.id);
    expect(of(id)).to.deep.equal(['trigger.created', 'trigger.cancelled']);
    expect(of(failing.id)).to.deep.equal(['trigger.created', 'trigger.updated', 'trigger.failed']);
  });

  it('a schedule: created, updated, completed, or cancelled', async () => {
    const body = { legs: [usd('SOL', 'BUY', '300')], durationSeconds: 60, intervalSeconds: 60 };
    const { id } = await made('/schedules', body);
    await next('schedule.completed', id);
    const told = of(id);
    expect([told[0], told.at(-1)]).to.deep.equal(['schedule.created', 'schedule.completed']);
    expect(new Set(told.slice(1, -1))).to.deep.equal(new Set(['schedule.updated']));
    const other = await made('/schedules', { ...body, durationSeconds: 600 });
    expect((await bot.call('POST', `/schedules/${other.id}/cancel`)).status).to.equal(200);
    await next('schedule.cancelled', other.id);
  });

  it('a ladder: created, updated with each rung, cancelled with the rungs that wait', async () => {
    const now = await mark('ETH-PERP');
    const { id, rungs } = await made('/ladders', {
      legs: [usd('ETH', 'BUY', '900')],
      metric: 'PRICE',
      direction: 'LESS_THAN',
      start: String(Math.round(now * 0.9)),
      end: String(Math.round(now * 0.3)),
      levels: 3,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
    });
    await shock('ETH-PERP', 0.8);
    await next('ladder.updated', id);
    expect((await bot.call('GET', `/ladders/${id}`)).json.filledLevels).to.equal(1);
    expect((await bot.call('POST', `/ladders/${id}/cancel`)).status).to.equal(202);
    await next('ladder.cancelled', id);
    expect(of(id)).to.deep.equal(['ladder.created', 'ladder.updated', 'ladder.cancelled']);
    expect(rungs.map(({ triggerId }: Json) => of(triggerId).at(-1))).to.deep.equal([
      'trigger.completed',
      'trigger.cancelled',
      'trigger.cancelled',
    ]);
  });

  it('one after the other without a hole, and again to whoever was away, restart or not', async () => {
    await live.ask({ op: 'ping' });
    const all = told(live);
    expect(all.map(({ seq }) => seq)).to.deep.equal(all.map((_, index) => index + 1));
    for (const kind of ['trigger', 'schedule', 'ladder', 'order', 'position', 'notification', 'execution']) {
      expect(
        all.some(({ event }) => event.startsWith(`${kind}.`)),
        kind,
      ).to.equal(true);
    }
    const missed = async (from: number) => {
      const client = await subscribed({ resumeFrom: from });
      await client.next((message) => message['seq'] === all.length);
      return told(client);
    };
    expect(await missed(0)).to.deep.equal(all);
    expect(await missed(7)).to.deep.equal(all.slice(7));
    await gateway.restart();
    expect((await missed(7)).slice(0, all.length - 7)).to.deep.equal(all.slice(7));
  });
});
