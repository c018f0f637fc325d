/** Agents that are suspended, and what no agent may do to its user unasked, whatever it manages. */
import { expect } from 'chai';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const percent = (value: string) => ({ type: 'PERCENTAGE', value });
const SMALL = [usd('SOL', 'BUY', '20')];
const LARGE = [usd('SOL', 'BUY', '600')];
const PAIR = (amount: string) => [usd('SOL', 'BUY', amount), usd('ETH', 'SELL', amount)];
const USERS = { stopLoss: percent('3') };

describe('a suspended agent that manages all', () => {
  const guarded = openForSuite(() => GuardedGateway.open());

  it('touches nothing of its user but what it tightens, reduces or closes', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('never');
    const { id } = await desk.openedByUser(PAIR('500'), USERS);
    const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
    await desk.user('PUT', `/positions/${id}/auto-rebalance`, terms);
    const never = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '1000000' };
    const trigger = (await desk.user('POST', '/triggers/open', { legs: LARGE, condition: never })).json;
    const alert = (await desk.user('POST', '/alerts', { condition: never })).json;
    const own = (await desk.rest('POST', '/triggers/open', { legs: SMALL, condition: never })).json;
    desk.suspend();
    for (const [method, path, body] of [
      ['DELETE', `/positions/${id}/auto-rebalance`],
      ['POST', `/positions/${id}/auto-rebalance/pause`],
      ['POST', `/triggers/${trigger.id}/pause`],
      ['POST', `/triggers/${trigger.id}/cancel`],
      ['POST', '/triggers/cancel-all', {}],
      ['POST', '/orders/cancel-all', {}],
      ['PATCH', `/alerts/${alert.id}`, { condition: { value: '2000000' } }],
      ['POST', `/alerts/${alert.id}/cancel`],
      ['POST', '/alerts', { condition: never }],
      ['POST', '/saved-baskets', { name: 'Mine', legs: [{ symbol: 'SOL-PERP', side: 'BUY', weight: 1 }] }],
      ['POST', '/safety/pause'],
      ['POST', '/safety/panic', { confirm: 'CLOSE ALL' }],
    ] as const) {
      const { status, json, text } = await desk.rest(method, path, body);
      expect([status, json?.errorCode], `${method} ${path}: ${text}`).to.deep.equal([403, 'AGENT_LIMIT']);
    }
    await desk.expect('rest', 'POST', `/triggers/${own.id}/cancel`);
    await desk.expect('rest', 'PUT', `/positions/${id}/brackets`, { stopLoss: percent('2') });
    await desk.execute('rest', `/positions/${id}/close`, { type: 'MARKET', fraction: '0.5' });
    expect((await desk.rest('POST', '/positions/close-all', {})).status).to.equal(202);
  });

  it('tightens, reduces and closes over MCP, too', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('never');
    const { id } = await desk.openedByUser(LARGE, USERS);
    const preview = (name: string, args: object) => desk.tool(name, { account: desk.accountId, ...args });
    const change = (args: object) => preview('preview_change', { position_id: id, ...args });
    desk.suspend();
    const less = [
      await change({ action: 'protect', remove_stop_loss: true }),
      await change({ action: 'protect', stop_loss_value: '90' }),
      await preview('preview_basket', { long: ['SOL-PERP'], long_usd: '100' }),
    ];
    for (const { data, text } of less) expect(data.preview_id, text).to.equal(null);
    for (const args of [
      { action: 'protect', stop_loss_value: '2' },
      { action: 'reduce', pct: '50' },
      { action: 'close' },
    ]) {
      const { data, text } = await change(args);
      const { preview_id, summary } = data;
      const placed = await desk.tool('place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.data?.outcome, `${text} ${placed.text}`).to.be.oneOf(['RESTING', 'FILLED']);
    }
    expect((await desk.position(id)).status).to.equal('CLOSED');
  });

  it('has its closing TWAP held back where a slice takes a hedge away', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('never');
    await desk.openedByUser(PAIR('1000'), USERS);
    const uneven = [usd('SOL', 'SELL', '900'), usd('ETH', 'BUY', '40')];
    const made = await desk.expect('rest', 'POST', '/schedules', {
      ...{ legs: uneven, durationSeconds: 1_200, intervalSeconds: 300, reduceOnly: true },
    });
    const read = async () => (await desk.user('GET', `/schedules/${made.id}`)).json;
    desk.suspend();
    const held = async () => (await read()).pauseReason === 'AGENT_LIMIT';
    await until(guarded.gateway.clock, 'it is held back', held);
    expect((await read()).status).to.equal('PAUSED');
  });

  it('marks no notification as read, suspended or not', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('never');
    const opened = await desk.openedByUser(LARGE, USERS);
    await desk.rest('PUT', `/positions/${opened.id}/brackets`, { stopLoss: percent('9') });
    const [{ id }] = (await desk.user('GET', '/notifications')).json.notifications;
    for (const what of ['read', 'unread']) {
      const { status, text } = await desk.rest('POST', `/notifications/${what}`, { id });
      expect(status, text).to.equal(403);
    }
  });

  it('is not told of what another agent asks for', async () => {
    const desk = await guarded.desk();
    desk.asksWhen('always');
    const asked = await desk.rest('POST', '/trade/open', { type: 'MARKET', legs: SMALL });
    expect(asked.json.details.reason, asked.text).to.equal('APPROVAL');
    expect(await desk.notices('APPROVAL_NEEDED')).to.have.length(1);
    const { notifications } = (await desk.rest('GET', '/notifications')).json;
    expect(notifications.filter(({ category }: Json) => category.startsWith('APPROVAL'))).to.deep.equal([]);
  });

  it('asks before it shares the isolated margin of its user, also by a reversal', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('above', { aboveUsd: '5000' });
    const set = { symbol: 'SOL-PERP', leverage: 20, marginMode: 'isolated' };
    expect((await desk.user('PUT', '/leverage', set)).status).to.equal(200);
    const { id } = await desk.openedByUser(LARGE, USERS);
    await desk.expect('user', 'POST', `/positions/${id}/margin`, { symbol: 'SOL-PERP', amount: '300' });
    for (const [path, body] of [
      ['/trade/open', { type: 'MARKET', legs: SMALL }],
      ['/trade/open', { type: 'MARKET', legs: [usd('SOL', 'SELL', '20')] }],
      ['/trade/open', { type: 'MARKET', legs: [usd('SOL', 'BUY', '20'), usd('ETH', 'SELL', '20')] }],
      [`/positions/${id}/reverse`, {}],
    ] as const) {
      const asked = await desk.rest('POST', path, body);
      expect(asked.json.details?.reason, `${path}: ${asked.text}`).to.equal('APPROVAL');
    }
    await desk.expect('rest', 'POST', `/positions/${id}/close`, { type: 'MARKET', fraction: '0.5' }, 202);
  });

  it('has its waiting order held back where the user has opened on isolated margin since', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('above', { aboveUsd: '5000' });
    const set = { symbol: 'SOL-PERP', leverage: 20, marginMode: 'isolated' };
    expect((await desk.user('PUT', '/leverage', set)).status).to.equal(200);
    const price = (await desk.user('GET', '/prices?connector=paper')).json.prices;
    const { mark } = price.find((one: Json) => one.id === 'SOL-PERP');
    const condition = {
      ...{ type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN' },
      value: (Number(mark) * 1.1).toFixed(2),
    };
    const made = await desk.expect('rest', 'POST', '/triggers/open', { legs: SMALL, condition });
    const slices = { durationSeconds: 600, intervalSeconds: 300 };
    const twap = await desk.expect('rest', 'POST', '/schedules', {
      legs: [usd('SOL', 'BUY', '60')],
      ...slices,
    });
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await desk.openedByUser(LARGE, USERS);
    await venue.shock('SOL-PERP', 1.15);
    const read = async (path: string) => (await desk.user('GET', path)).json.pauseReason;
    for (const path of [`/triggers/${made.id}`, `/schedules/${twap.id}`])
      await until(guarded.gateway.clock, 'it waits', async () => (await read(path)) === 'AGENT_LIMIT');
    await venue.shock('SOL-PERP', 1 / 1.15);
  });

  it('opens nothing by a reversal whose user has opened on isolated margin during the close', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('above', { aboveUsd: '5000' });
    const set = { symbol: 'SOL-PERP', leverage: 20, marginMode: 'isolated' };
    expect((await desk.user('PUT', '/leverage', set)).status).to.equal(200);
    const own = await desk.opened({}, SMALL);
    const venue = guarded.gateway.gateway.paperVenue('paper');
    venue.setFaults({ rules: [{ match: { batch: 1 }, action: { kind: 'delay', delayMs: 4_000 } }] });
    const reversed = await desk.expect('rest', 'POST', `/positions/${own.id}/reverse`, {}, 202);
    const users = await desk.openedByUser(PAIR('600'));
    await desk.asked.bot.ended(reversed.execution.id);
    venue.setFaults({ rules: [] });
    const executions = async () => (await desk.user('GET', '/executions')).json.executions;
    const childOf = (all: Json[]) => all.find(({ parentId }) => parentId === reversed.execution.id);
    await until(guarded.gateway.clock, 'the child ends', async () => {
      const child = childOf(await executions());
      return child !== undefined && child.status === 'FAILED';
    });
    const child = childOf(await executions());
    expect(child?.orders?.[0]?.error ?? child?.error, JSON.stringify(child)).to.match(
      /mandate does not allow/,
    );
    expect((await desk.position(users.id)).status).to.equal('OPEN');
  });

  it('has its waiting closes of the position of its user held back once it manages its own alone', async () => {
    for (const over of [{ manage: 'OWN' }, { accounts: [] }] as const) {
      const desk = await guarded.desk({ manage: 'ALL' });
      desk.asksWhen('never');
      const { id } = await desk.openedByUser(LARGE, USERS);
      const prices = (await desk.user('GET', '/prices?connector=paper')).json.prices;
      const { mark } = prices.find((one: Json) => one.id === 'SOL-PERP');
      const condition = {
        ...{ type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN' },
        value: (Number(mark) * 1.1).toFixed(2),
      };
      const made = await desk.expect('rest', 'POST', `/positions/${id}/close`, {
        type: 'TRIGGER',
        fraction: '0.5',
        condition,
      });
      const twap = await desk.expect('rest', 'POST', '/schedules', {
        ...{
          legs: [usd('SOL', 'SELL', '300')],
          durationSeconds: 600,
          intervalSeconds: 300,
          reduceOnly: true,
        },
      });
      const before = (await desk.user('GET', `/positions/${id}`)).json.legs;
      desk.bind(over);
      const venue = guarded.gateway.gateway.paperVenue('paper');
      await venue.shock('SOL-PERP', 1.15);
      const read = async (path: string) => (await desk.user('GET', path)).json;
      const waiting = [`/triggers/${made.id}`, `/schedules/${twap.id}`];
      for (const path of waiting)
        await until(guarded.gateway.clock, `${path} waits`, async () => {
          return (await read(path)).pauseReason === 'AGENT_LIMIT';
        });
      expect((await read(`/positions/${id}`)).legs[0].quantity).to.equal(before[0].quantity);
      await venue.shock('SOL-PERP', 1 / 1.15);
    }
  });

  it('closes no more than its share where its account was taken away, and by no take-profit of its own', async () => {
    const desk = await guarded.desk({ manage: 'ALL' });
    desk.asksWhen('never');
    const users = await desk.openedByUser(LARGE, USERS);
    await desk.opened({}, SMALL);
    const prices = (await desk.user('GET', '/prices?connector=paper')).json.prices;
    const { mark } = prices.find((one: Json) => one.id === 'SOL-PERP');
    const value = (Number(mark) * 1.1).toFixed(2);
    const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value };
    const close = await desk.expect('rest', 'POST', `/positions/${users.id}/close`, {
      type: 'TRIGGER',
      condition,
    });
    const pair = await desk.openedByUser(PAIR('500'), USERS);
    const near = { takeProfit: { type: 'DOLLAR', value: '10' } };
    await desk.expect('rest', 'PUT', `/positions/${pair.id}/brackets`, near);
    desk.bind({ accounts: [] });
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 1.15);
    const read = async (path: string) => (await desk.user('GET', path)).json;
    await until(guarded.gateway.clock, 'its share is closed', async () => {
      return (await read(`/triggers/${close.id}`)).status === 'COMPLETED';
    });
    const left = Number((await read(`/positions/${users.id}`)).legs[0].quantity);
    expect(left).to.be.closeTo(Number(users.legs[0].quantity), 0.001);
    const profit = async () =>
      (await read('/triggers')).triggers.find(
        (one: Json) => one.positionId === pair.id && one.bracketType === 'TAKE_PROFIT',
      );
    await until(guarded.gateway.clock, 'the take-profit waits', async () => {
      return (await profit())?.pauseReason === 'AGENT_LIMIT';
    });
    expect((await read(`/positions/${pair.id}`)).status).to.equal('OPEN');
    await venue.shock('SOL-PERP', 1 / 1.15);
  });
});
