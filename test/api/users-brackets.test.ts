/**
 * Take-profit, stop-loss and rebalancing that come along with an order of the user: those that an agent has set on the same
 * basket before give way, whatever the order is and whatever the agent did to them.
 */
import { expect } from 'chai';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const percent = (value: string) => ({ type: 'PERCENTAGE', value });
const SMALL = [usd('SOL', 'BUY', '20')];
const LARGE = [usd('SOL', 'BUY', '600')];
const PAIR = (amount: string) => [usd('SOL', 'BUY', amount), usd('ETH', 'SELL', amount)];
const USERS = { stopLoss: percent('3') };

describe('brackets of the user, where an agent has set some before', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'OWN' }));
  beforeEach(() => desk.asksWhen('never'));

  const stopOf = async (id: string) => {
    const { triggerId, status, value, pausedBy } = (await desk.position(id)).stopLoss;
    const { authority } = (await desk.user('GET', `/triggers/${triggerId}`)).json;
    return { status, value, pausedBy, by: authority.kind };
  };
  const EXPECTED = { status: 'ACTIVE', value: '3', pausedBy: null, by: 'session' };
  const ended = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await desk.user('POST', path, body);
    expect(status, text).to.equal(202);
    await desk.asked.bot.ended(json.execution.id);
    return json;
  };
  const pause = async ({ stopLoss }: Json) => {
    await desk.expect('rest', 'POST', `/triggers/${stopLoss.triggerId}/pause`);
  };

  for (const [what, agents, isPaused] of [
    ['far away', percent('80'), false],
    ['paused', percent('80'), true],
    ['close to the market', percent('0.5'), false],
  ] as const)
    it(`a market order sets its stop-loss in the place of one ${what}, and says so`, async () => {
      const own = await desk.opened({ stopLoss: agents }, SMALL);
      if (isPaused) await pause(own);
      const order = { type: 'MARKET', legs: LARGE, ...USERS };
      const dryRun = (await desk.user('POST', '/trade/open', { ...order, dryRun: true })).json;
      expect(dryRun.brackets.replaced.map((one: Json) => one.triggerId)).to.deep.equal([
        own.stopLoss.triggerId,
      ]);
      expect(dryRun.protection[0].firesAt).to.equal('-3');
      const { brackets } = await ended('/trade/open', order);
      expect(brackets.kept).to.deep.equal([]);
      expect(await stopOf(own.id)).to.deep.equal(EXPECTED);
    });

  it('a trigger that fires does so too, also where the agent came after it', async () => {
    const { json: mark } = await desk.user('GET', '/prices?connector=paper');
    const price = Number(mark.prices.find((one: Json) => one.id === 'SOL-PERP').mark);
    const condition = {
      type: 'PRICE',
      symbol: 'SOL-PERP',
      direction: 'MORE_THAN',
      value: `${(price * 1.1).toFixed(2)}`,
    };
    const made = await desk.expect('user', 'POST', '/triggers/open', { legs: LARGE, condition, ...USERS });
    const own = await desk.opened({ stopLoss: percent('80') }, SMALL);
    await pause(own);
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 1.15);
    const read = async () => (await desk.user('GET', `/triggers/${made.id}`)).json;
    await until(guarded.gateway.clock, 'it has fired', async () => (await read()).status === 'COMPLETED');
    expect(await stopOf(own.id)).to.deep.equal(EXPECTED);
    await venue.shock('SOL-PERP', 1 / 1.15);
  });

  it('slices of a TWAP do so too', async () => {
    const own = await desk.opened({ stopLoss: percent('80') }, SMALL);
    const slices = { durationSeconds: 600, intervalSeconds: 300 };
    await desk.expect('user', 'POST', '/schedules', { legs: LARGE, ...slices, ...USERS });
    await until(
      guarded.gateway.clock,
      'its stop-loss is set',
      async () => (await stopOf(own.id)).value === '3',
    );
    expect(await stopOf(own.id)).to.deep.equal(EXPECTED);
  });

  it('a reversal carries its stop-loss over to the opposite position', async () => {
    const { id } = await desk.openedByUser(LARGE, USERS);
    const opposite = await desk.opened({ stopLoss: percent('80') }, [usd('SOL', 'SELL', '20')]);
    await pause(opposite);
    const plan = await desk.user('POST', `/positions/${id}/reverse/plan`, {});
    expect(plan.json.brackets.dropped, plan.text).to.deep.equal([]);
    await ended(`/positions/${id}/reverse`, {});
    await until(
      guarded.gateway.clock,
      'it is reversed',
      async () => (await stopOf(opposite.id)).value === '3',
    );
    expect(await stopOf(opposite.id)).to.deep.equal(EXPECTED);
  });

  it('its rebalancing takes the place of the agent’s', async () => {
    const terms = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };
    const { id } = await desk.opened({ autoRebalance: terms }, PAIR('30'));
    const users = { ...terms, action: 'TRADE', minimumDrift: '0.02' };
    await ended('/trade/open', { type: 'MARKET', legs: PAIR('500'), autoRebalance: users });
    const kept = (await desk.user('GET', `/positions/${id}/auto-rebalance`)).json;
    expect(kept).to.include({ action: 'TRADE', minimumDrift: '0.02', status: 'ACTIVE' });
  });

  for (const mode of ['KEEP', 'REPLACE'])
    it(`a take-profit of an agent close to the market gives way to an order with a stop-loss alone, ${mode}`, async () => {
      const own = await desk.opened({ takeProfit: percent('0.2') }, SMALL);
      const { triggerId } = own.takeProfit;
      const order = { type: 'MARKET', legs: LARGE, ...USERS, brackets: mode };
      const dryRun = (await desk.user('POST', '/trade/open', { ...order, dryRun: true })).json;
      expect(dryRun.protection.map((one: Json) => one.kind)).to.deep.equal(['STOP_LOSS']);
      const { brackets } = await ended('/trade/open', order);
      expect([brackets.kept, brackets.replaced.map((one: Json) => one.triggerId)]).to.deep.equal([
        [],
        [triggerId],
      ]);
      expect((await desk.position(own.id)).takeProfit).to.equal(null);
      expect(await stopOf(own.id)).to.deep.equal(EXPECTED);
    });

  it('a take-profit of an agent stays where the fills of the order are closed again', async () => {
    const own = await desk.opened({ takeProfit: percent('20') }, PAIR('30'));
    const venue = guarded.gateway.gateway.paperVenue('paper');
    const action = { kind: 'reject', reason: 'other', message: 'not today' } as const;
    venue.setFaults({ rules: [{ match: { symbol: 'ETH-PERP' }, action }] });
    const order = { type: 'MARKET', legs: PAIR('500'), onLegFailure: 'UNWIND', ...USERS };
    const { execution } = await ended('/trade/open', order);
    await until(guarded.gateway.clock, 'its fills are closed again', async () => {
      const { executions } = (await desk.user('GET', '/executions')).json;
      return executions.some(
        ({ parentId, status }: Json) => parentId === execution.id && status === 'COMPLETED',
      );
    });
    const { takeProfit, stopLoss } = await desk.position(own.id);
    expect([takeProfit.triggerId, takeProfit.status]).to.deep.equal([own.takeProfit.triggerId, 'ACTIVE']);
    // It had none of the user, so that which the order brought stays.
    expect(stopLoss).to.include({ status: 'ACTIVE' });
    venue.setFaults({ rules: [] });
  });

  it('a stop-loss of an agent stays where the order brings none, and the answer says whose it is', async () => {
    const own = await desk.opened({ takeProfit: percent('0.5'), stopLoss: percent('80') }, SMALL);
    const whose = ({ brackets }: Json) =>
      brackets.kept.map((one: Json) => [one.bracketType, one.value, one.authority.kind]);
    const order = { type: 'MARKET', legs: LARGE };
    const dryRun = (await desk.user('POST', '/trade/open', { ...order, dryRun: true })).json;
    const both = [
      ['TAKE_PROFIT', '0.5', 'api_key'],
      ['STOP_LOSS', '80', 'api_key'],
    ];
    expect(whose(dryRun)).to.have.deep.members(both);
    const brought = await ended('/trade/open', { ...order, takeProfit: percent('9') });
    expect(whose(brought)).to.deep.equal([both[1]]);
    const { takeProfit, stopLoss } = await desk.position(own.id);
    expect([takeProfit.value, stopLoss.value]).to.deep.equal(['9', '80']);
  });

  it('a stop-loss that the user leaves on what remains of an agent stays the user’s', async () => {
    const { id, stopLoss } = await desk.openedByUser(LARGE, USERS);
    await desk.opened({}, [usd('SOL', 'BUY', '40')]);
    const { legs } = await desk.position(id);
    const { quantity } = legs[0];
    const [{ mark }] = (await desk.user('GET', '/prices?connector=paper')).json.prices.filter(
      (one: Json) => one.id === 'SOL-PERP',
    );
    // All but what the agent has added.
    const fraction = (1 - 39 / (Number(quantity) * Number(mark))).toFixed(4);
    await ended(`/positions/${id}/close`, { type: 'MARKET', fraction });
    const refusals = [
      () => desk.rest('PUT', `/positions/${id}/brackets`, { stopLoss: percent('60') }),
      () => desk.rest('PUT', `/positions/${id}/brackets`, { stopLoss: null }),
      () =>
        desk.rest('POST', '/trade/open', {
          ...{ type: 'MARKET', legs: SMALL, brackets: 'REPLACE', stopLoss: percent('60') },
        }),
    ];
    for (const ask of refusals) {
      const { status, json, text } = await ask();
      expect([status, json.errorCode], text).to.deep.equal([403, 'AGENT_LIMIT']);
    }
    for (const what of ['pause', 'cancel'])
      expect((await desk.rest('POST', `/triggers/${stopLoss.triggerId}/${what}`)).status).to.equal(404);
    const preview = await desk.tool('preview_change', {
      ...{ account: desk.accountId, position_id: id, action: 'protect' },
      ...{ stop_loss_metric: 'PERCENTAGE', stop_loss_value: '60' },
    });
    expect(preview.data, preview.text).to.deep.include({ verdict: 'REFUSED', preview_id: null });
    expect(await stopOf(id)).to.deep.equal(EXPECTED);
    // Nearer it may be at any time, and it stays the user's.
    await desk.expect('rest', 'PUT', `/positions/${id}/brackets`, { stopLoss: percent('2') });
    expect(await stopOf(id)).to.include({ value: '2', by: 'session' });
  });

  it('its rebalancing that is paused or changed while an approval waits asks anew', async () => {
    const terms = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };
    const { id } = await desk.openedByUser(PAIR('500'), USERS);
    desk.bind({ manage: 'ALL' });
    desk.asksWhen('always');
    await desk.rest('POST', '/trade/open', { type: 'MARKET', legs: PAIR('300') });
    const [shown] = await desk.questions();
    await desk.expect('user', 'PUT', `/positions/${id}/auto-rebalance`, terms);
    const refused = await desk.approve(shown);
    expect([refused.status, refused.json.details?.changed], refused.text).to.deep.equal([409, ['rebalance']]);
    const [anew] = await desk.questions();
    expect((await desk.approve(anew)).status).to.equal(200);
  });

  it('a trigger of the user that an agent of all changes stays the user’s', async () => {
    desk.bind({ manage: 'ALL' });
    const never = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '1000000' };
    const made = await desk.user('POST', '/triggers/open', { legs: LARGE, condition: never });
    const path = `/triggers/${made.json.id}`;
    await desk.expect('rest', 'PATCH', path, { condition: { value: '2000000' } });
    expect((await desk.user('GET', path)).json.authority.kind).to.equal('session');
  });

  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/pause'],
  ] as const)
    it(`its rebalancing that keeps the hedge ends with its yes alone: ${method} ${path}`, async () => {
      const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
      const { id } = await desk.openedByUser(PAIR('500'), USERS);
      const config = `/positions/${id}/auto-rebalance`;
      expect((await desk.user('PUT', config, terms)).status).to.equal(200);
      desk.bind({ manage: 'ALL' });
      desk.asksWhen('always');
      const asked = await desk.rest(method, `${config}${path}`);
      expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
      expect((await desk.user('GET', config)).json.status).to.equal('ACTIVE');
      const [question] = await desk.questions();
      expect(question.plan.loosens).to.deep.equal(['Automatic rebalancing stopped']);
      expect((await desk.approve(question)).status).to.equal(200);
      const left = await desk.user('GET', config);
      expect(left.json.status ?? left.json.errorCode).to.not.equal('ACTIVE');
    });

  const nearer = { stopLoss: percent('2.9'), takeProfit: percent('7'), brackets: 'REPLACE' };
  const GUEST_WAYS: Readonly<Record<string, (id: string) => Promise<void>>> = {
    async order() {
      await desk.opened(nearer, PAIR('20'));
    },
    async trigger() {
      const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '1' };
      const order = { legs: PAIR('20'), condition, allowImmediate: true, ...nearer };
      const made = await desk.expect('rest', 'POST', '/triggers/open', order);
      const { id } = made;
      const read = async () => (await desk.user('GET', `/triggers/${id}`)).json.status;
      await until(guarded.gateway.clock, 'it has fired', async () => (await read()) === 'COMPLETED');
    },
    async reversal(id) {
      await desk.execute('rest', `/positions/${id}/reverse`, {});
      await guarded.gateway.pass();
    },
  };
  for (const [way, take] of Object.entries(GUEST_WAYS))
    it(`an agent that brings it nearer or carries it over does not become its owner: ${way}`, async () => {
      desk.bind({ manage: 'ALL' });
      desk.asksWhen('above', { aboveUsd: '5000' });
      const legs = PAIR('500');
      const { id } = await desk.openedByUser(legs, { ...USERS, takeProfit: percent('8') });
      await take(id);
      const [position] = (await desk.user('GET', '/positions?status=OPEN')).json.positions;
      const owners = await Promise.all(
        [position.stopLoss, position.takeProfit].map(async ({ triggerId }) => {
          const { authority } = (await desk.user('GET', `/triggers/${triggerId}`)).json;
          return authority.kind;
        }),
      );
      expect(owners).to.deep.equal(['session', 'session']);
      const same = position.legs.map(({ ticker, side }: Json) => usd(ticker, side, '500'));
      const order = { type: 'MARKET', legs: same, stopLoss: percent('10'), dryRun: true };
      const { brackets } = (await desk.user('POST', '/trade/open', order)).json;
      expect(brackets.replaced).to.deep.equal([]);
      for (const body of [{ stopLoss: null }, { takeProfit: null }]) {
        const removed = await desk.rest('PUT', `/positions/${position.id}/brackets`, body);
        expect(removed.json.details?.reason, removed.text).to.equal('APPROVAL');
      }
    });

  const AWAY = { stopLoss: percent('60'), takeProfit: percent('90') };
  for (const way of ['PUT', 'order'])
    it(`one that an agent has moved away, as it may, gives way to the user’s next order: ${way}`, async () => {
      const { id } = await desk.openedByUser(PAIR('500'), { ...USERS, takeProfit: percent('4') });
      desk.bind({ manage: 'ALL' });
      if (way === 'PUT')
        expect((await desk.rest('PUT', `/positions/${id}/brackets`, AWAY)).status).to.equal(200);
      else await desk.opened({ ...AWAY, brackets: 'REPLACE' }, PAIR('20'));
      expect((await stopOf(id)).value).to.equal('60');
      await ended('/trade/open', { type: 'MARKET', legs: PAIR('100'), ...USERS, takeProfit: percent('4') });
      expect(await stopOf(id)).to.deep.equal(EXPECTED);
    });

  it('a reversal that would end its rebalancing asks, and is refused of an agent that manages its own', async () => {
    const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
    const { id } = await desk.openedByUser(PAIR('100'), USERS);
    expect((await desk.user('PUT', `/positions/${id}/auto-rebalance`, terms)).status).to.equal(200);
    desk.bind({ manage: 'ALL' });
    desk.asksWhen('above', { aboveUsd: '5000' });
    const asked = await desk.rest('POST', `/positions/${id}/reverse`, {});
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    const pair = await desk.opened({}, [usd('BTC', 'BUY', '40'), usd('ETH', 'SELL', '40')]);
    expect((await desk.user('PUT', `/positions/${pair.id}/auto-rebalance`, terms)).status).to.equal(200);
    desk.bind({ manage: 'OWN' });
    desk.asksWhen('never');
    const refused = await desk.rest('POST', `/positions/${pair.id}/reverse`, {});
    expect([refused.status, refused.json.errorCode], refused.text).to.deep.equal([403, 'AGENT_LIMIT']);
  });

  it('one that the user has set himself stays, for the user and for an agent', async () => {
    desk.bind({ manage: 'ALL' });
    const { id } = await desk.openedByUser(LARGE, USERS);
    await ended('/trade/open', { type: 'MARKET', legs: SMALL, stopLoss: percent('9') });
    await desk.opened({ stopLoss: percent('2') }, SMALL);
    expect(await stopOf(id)).to.deep.equal(EXPECTED);
  });

  it('a plan shows no level of a paused stop-loss: it fires nowhere', async () => {
    const { stopLoss } = await desk.openedByUser(LARGE, USERS);
    expect((await desk.user('POST', `/triggers/${stopLoss.triggerId}/pause`)).status).to.equal(200);
    const order = { type: 'MARKET', legs: SMALL, dryRun: true };
    const dryRun = (await desk.user('POST', '/trade/open', order)).json;
    expect(dryRun.protection[0]).to.include({ kind: 'STOP_LOSS', firesAt: null, resultUsd: null });
  });
});
