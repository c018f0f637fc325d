/** Alerts over HTTP: told once and trading nothing, watched as triggers are, over restarts too. */
import { expect } from 'chai';
import { ALERTS_OF_AGENT, ALERTS_OF_KEY, MOST_ALERTS } from '../../gateway/contract/alerts.ts';
import { fail } from '../../gateway/domain/result.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { type Caller, callerWith, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { settled } from '../support/outstanding.ts';
import { paperAlone } from '../support/paper-alone.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { PAIR, type Trader, trader, traderOn } from '../support/trader.ts';
import { until, untilSettled } from '../support/until.ts';

const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY' },
  { symbol: 'ETH-PERP', side: 'SELL' },
];
/** Never met. */
const FAR = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'ETH-PERP' };

describe('alerts over HTTP', () => {
  let clock: FakeClock;
  let gateway: TestGateway;
  let bot: Trader;
  /** The process dies before it can write down that one was told. */
  let cannotTell = false;
  /** The row of no account can be deleted. */
  let cannotRemove = false;
  /** Commits of alerts of this status wait for what it answers. */
  let held: { readonly status: string; readonly until: Promise<void> } | null = null;
  /** The record of one, also of an account that is gone. */
  let stored: (id: string) => ReturnType<Store['trigger']>;
  /** True while a commit waits in `held`. */
  let isHeld = false;

  const start = () =>
    startTestGateway({
      clock,
      overrides: {
        venues: [paperAlone],
        async openStore(options) {
          const store = await openStore(options);
          stored = (id) => store.trigger(bot.accountId, id);
          return {
            ...store,
            async commit(unit) {
              const isOf = (wanted: string) =>
                unit.triggers?.some(({ status }) => status === wanted) ?? false;
              if (cannotTell && isOf('COMPLETED')) return fail({ kind: 'unavailable', message: 'full' });
              if (cannotRemove && unit.deletes?.some(({ from }) => from === 'accounts'))
                return fail({ kind: 'unavailable', message: 'full' });
              if (held !== null && isOf(held.status)) {
                isHeld = true;
                await held.until;
              }
              return store.commit(unit);
            },
          };
        },
      },
    });

  beforeEach(async () => {
    cannotTell = false;
    cannotRemove = false;
    held = null;
    isHeld = false;
    clock = createFakeClock();
    gateway = await start();
    bot = await trader(gateway);
  });
  afterEach(async () => {
    await gateway.close();
  });

  const made = (body: object) => bot.expect('POST', '/alerts', body);
  const read = async (id: string): Promise<Json> => (await bot.call('GET', `/alerts/${id}`)).json;
  const untilStatus = (id: string, status: string) =>
    until(clock, `alert ${id} is ${status}`, async () => (await read(id)).status === status);
  const told = async (category = 'ALERT_HIT'): Promise<Json[]> =>
    (await bot.call('GET', '/notifications')).json.notifications.filter(
      (one: Json) => one.category === category,
    );
  const mark = async (id: string): Promise<number> => {
    const { prices } = (await bot.call('GET', '/prices?connector=paper')).json;
    return Number(prices.find((one: Json) => one.id === id)?.mark);
  };
  const shock = (symbol: string, factor: number) => gateway.gateway.paperVenue('paper').shock(symbol, factor);
  const ethAbove = async (factor: number) => ({
    ...FAR,
    value: String(Math.round((await mark('ETH-PERP')) * factor)),
  });

  it('tells once that a price is passed, also while trading is paused, and orders nothing', async () => {
    const condition = await ethAbove(1.05);
    const created = await made({ condition });
    expect(created).to.deep.include({
      status: 'ACTIVE',
      condition,
      legs: [{ symbol: 'ETH-PERP', side: 'BUY', weight: '1' }],
      triggeredAt: null,
    });
    expect((await bot.call('POST', '/safety/pause', {})).status).to.equal(200);
    expect(Number((await read(created.id)).lastValue)).to.equal(await mark('ETH-PERP'));
    await shock('ETH-PERP', 1.1);
    await untilStatus(created.id, 'COMPLETED');
    const done = await read(created.id);
    expect(Number(done.lastValue)).to.be.above(Number(condition.value));
    expect(done.triggeredAt).to.be.a('string');
    const [notification, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(notification?.['parameters']).to.deep.include({
      type: 'alert',
      alertId: created.id,
      instrument: { id: 'ETH-PERP', symbol: 'ETH' },
      metric: 'price',
      level: Number(condition.value),
      direction: 'MORE_THAN',
    });
    await shock('ETH-PERP', 0.5);
    await clock.advance(5_000);
    await shock('ETH-PERP', 2.5);
    await clock.advance(5_000);
    expect(await told()).to.have.length(1);
    expect((await bot.call('GET', '/executions?includeTriggers=true')).json.executions).to.deep.equal([]);
    expect(await bot.positions()).to.deep.equal([]);
  });

  it('is told late after a restart, once, whenever the process died', async () => {
    const { id } = await made({ condition: await ethAbove(1.05) });
    cannotTell = true;
    await shock('ETH-PERP', 1.2);
    await clock.advance(3_000);
    expect((await read(id)).status).to.equal('ACTIVE');
    expect(await told()).to.deep.equal([]);
    await gateway.restart({}, () => {
      cannotTell = false;
    });
    await untilStatus(id, 'COMPLETED');
    const [only, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(only?.['parameters'].reason).to.contain('late');
    await gateway.restart();
    await clock.advance(5_000);
    expect(await told()).to.have.length(1);
    expect((await read(id)).status).to.equal('COMPLETED');
  });

  it('waits over a restart, and one that is not to be told late waits for the next crossing @long', async () => {
    const condition = await ethAbove(1.05);
    const { id } = await made({ condition, onMissed: 'SKIP' });
    cannotTell = true;
    await shock('ETH-PERP', 1.2);
    await clock.advance(1_000);
    await gateway.restart({}, () => {
      cannotTell = false;
    });
    await clock.advance(5_000);
    expect((await read(id)).status).to.equal('ACTIVE');
    await shock('ETH-PERP', 0.7);
    await clock.advance(2_000);
    await shock('ETH-PERP', 1.5);
    await untilStatus(id, 'COMPLETED');
    expect(await told()).to.have.length(1);
  });

  it('goes with its account, which a trigger keeps and an alert does not @long', async () => {
    const alert = await made({ condition: await ethAbove(1.05) });
    const trigger = (await bot.call('POST', '/triggers/open', { legs: PAIR, condition: FAR })).json;
    const remove = () => bot.call('DELETE', `/trade-accounts/${bot.accountId}`);
    expect((await remove()).json).to.include({ errorCode: 'RESOURCE_BUSY' });
    expect((await read(alert.id)).status).to.equal('ACTIVE');
    expect((await bot.call('POST', `/triggers/${trigger.id}/cancel`)).status).to.equal(200);
    cannotRemove = true;
    expect((await remove()).json).to.include({ errorCode: 'DATABASE_ERROR' });
    expect((await read(alert.id)).status).to.equal('ACTIVE');
    cannotRemove = false;
    expect((await remove()).status).to.equal(204);
    expect((await stored(alert.id))?.status).to.equal('CANCELLED');
    await shock('ETH-PERP', 1.1);
    await clock.advance(5_000);
    expect(await told()).to.deep.equal([]);
  });

  it('that is met while its account waits to be removed is told, and not cancelled @long', async () => {
    const alert = await made({ condition: await ethAbove(1.05) });
    const second = await bot.expect('POST', '/trade-accounts', { alias: 'second', connector: 'paper' }, 201);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    held = { status: 'ACTIVE', until: released };
    const making = traderOn(gateway, { ...bot, accountId: second.id }).call('POST', '/alerts', {
      condition: FAR,
    });
    await untilSettled('a commit is held', () => isHeld);
    cannotRemove = true;
    const removing = bot.call('DELETE', `/trade-accounts/${bot.accountId}`);
    // The request arrives, and waits for the alert that is being made.
    await settled();
    await shock('ETH-PERP', 1.1);
    await clock.advance(3_000);
    release();
    expect((await making).status).to.equal(200);
    expect((await removing).json).to.include({ errorCode: 'DATABASE_ERROR' });
    await untilStatus(alert.id, 'COMPLETED');
    expect(await told()).to.have.length(1);
  });

  it('is listed and cancelled by itself: triggers know nothing of it, nor it of them', async () => {
    const alert = await made({ condition: FAR });
    const trigger = (
      await bot.call('POST', '/triggers/open', { legs: PAIR, condition: { ...FAR, symbol: 'BTC-PERP' } })
    ).json;
    const ids = async (path: string, name: string): Promise<string[]> =>
      (await bot.call('GET', path)).json[name].map(({ id }: Json) => id);
    expect(await ids('/alerts', 'alerts')).to.deep.equal([alert.id]);
    expect(await ids('/triggers', 'triggers')).to.deep.equal([trigger.id]);
    for (const [method, path] of [
      ['GET', `/triggers/${alert.id}`],
      ['POST', `/triggers/${alert.id}/cancel`],
      ['POST', `/triggers/${alert.id}/pause`],
      ['GET', `/alerts/${trigger.id}`],
      ['POST', `/alerts/${trigger.id}/cancel`],
    ] as const)
      expect((await bot.call(method, path)).status, path).to.equal(404);
    // Cancelling all triggers keeps alerts, which trade nothing.
    expect((await bot.call('POST', '/triggers/cancel-all', {})).json.cancelled).to.deep.equal([trigger.id]);
    expect((await read(alert.id)).status).to.equal('ACTIVE');
    const cancelled = await bot.call('POST', `/alerts/${alert.id}/cancel`);
    expect([cancelled.status, cancelled.json.status]).to.deep.equal([200, 'CANCELLED']);
    const again = await bot.call('POST', `/alerts/${alert.id}/cancel`);
    expect([again.status, again.json.errorCode]).to.deep.equal([409, 'NOOP_ERROR']);
    expect(await ids('/alerts?status=ACTIVE', 'alerts')).to.deep.equal([]);
    expect(await ids('/alerts?status=CANCELLED', 'alerts')).to.deep.equal([alert.id]);
  });

  it('expires, which is told, and a repeated key makes no second one', async () => {
    const expiresAt = new Date(clock.now() + 5_000).toISOString();
    const body = { condition: FAR, expiresAt };
    const headers = { 'idempotency-key': 'once' };
    const first = await bot.call('POST', '/alerts', body, headers);
    expect((await bot.call('POST', '/alerts', body, headers)).json.id).to.equal(first.json.id);
    await untilStatus(first.json.id, 'EXPIRED');
    expect((await told('ALERT_EXPIRED')).map((one) => one['parameters'].alertId)).to.deep.equal([
      first.json.id,
    ]);
  });

  const change = (id: string, body: object, headers = {}) =>
    bot.call('PATCH', `/alerts/${id}`, body, headers);
  /** Holds the next commit of an alert of this status; the returned function lets it go on. */
  function hold(status: string): () => void {
    let release = () => {};
    held = {
      status,
      until: new Promise((resolve) => {
        release = resolve;
      }),
    };
    return () => {
      held = null;
      release();
    };
  }

  it('tells at the level and until the time that it was changed to, over a restart too @long', async () => {
    const near = await ethAbove(1.05);
    const far = await ethAbove(1.5);
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const { id } = await made({ condition: near, expiresAt });
    const changed = await change(id, { condition: { value: far.value } });
    expect([changed.status, changed.json.condition, changed.json.expiresAt], changed.text).to.deep.equal([
      200,
      far,
      expiresAt,
    ]);
    await gateway.restart();
    await shock('ETH-PERP', 1.2);
    await clock.advance(3_000);
    expect((await read(id)).status).to.equal('ACTIVE');
    expect((await change(id, { expiresAt: null })).json).to.deep.include({ expiresAt: null, condition: far });
    await clock.advance(60_000);
    expect((await read(id)).status).to.equal('ACTIVE');
    await shock('ETH-PERP', 3);
    await untilStatus(id, 'COMPLETED');
    expect((await told()).map((one) => one['parameters'].level)).to.deep.equal([Number(far.value)]);
  });

  it('a change is refused that is met already, in the past, of nothing, or of what has ended', async () => {
    const { id } = await made({ condition: FAR });
    const low = { condition: { value: '1' } };
    for (const [body, path] of [
      [low, 'condition.value'],
      [{ condition: { value: '-1' } }, 'condition.value'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{}, ''],
      [{ condition: { value: '2', direction: 'LESS_THAN' } }, 'condition.direction'],
    ] as const) {
      const answer = await change(id, body);
      expect([answer.status, answer.json.details?.[0]?.path], answer.text).to.deep.equal([400, path]);
    }
    const headers = { 'idempotency-key': 'moved' };
    const moved = await change(id, { condition: { value: '98000000' } }, headers);
    await change(id, { condition: { value: '97000000' } });
    const again = await change(id, { condition: { value: '98000000' } }, headers);
    expect([again.headers.get('idempotency-replayed'), again.json]).to.deep.equal(['true', moved.json]);
    expect((await read(id)).condition.value).to.equal('97000000');
    expect((await change(id, { ...low, allowImmediate: true })).status).to.equal(200);
    await untilStatus(id, 'COMPLETED');
    const over = await change(id, { expiresAt: null });
    expect([over.status, over.json.errorCode, over.json.message]).to.deep.equal([
      409,
      'NOOP_ERROR',
      'The alert is COMPLETED already',
    ]);
    const trigger = await bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { ...FAR, symbol: 'BTC-PERP' },
    });
    expect((await change(trigger.json.id, { expiresAt: null })).status).to.equal(404);
    await bot.expect('PATCH', `/triggers/${id}`, { expiresAt: null }, 404);
  });

  it('met while it is being changed, it is not told of the level that was given up @long', async () => {
    const { id } = await made({ condition: await ethAbove(1.05) });
    const far = await ethAbove(3);
    const release = hold('ACTIVE');
    const changing = change(id, { condition: { value: far.value } });
    await untilSettled('a commit is held', () => isHeld);
    await shock('ETH-PERP', 1.5);
    await clock.advance(2_000);
    release();
    expect((await changing).json.condition).to.deep.equal(far);
    await clock.advance(3_000);
    expect((await read(id)).status).to.equal('ACTIVE');
    expect(await told()).to.deep.equal([]);
    await shock('ETH-PERP', 4);
    await untilStatus(id, 'COMPLETED');
    expect(await told()).to.have.length(1);
  });

  it('a change that comes while it is being told says that it was told @long', async () => {
    const { id } = await made({ condition: await ethAbove(1.05) });
    const release = hold('COMPLETED');
    await shock('ETH-PERP', 1.5);
    await until(clock, 'a commit is held', () => isHeld);
    const changing = change(id, { condition: { value: FAR.value } });
    release();
    const answer = await changing;
    expect([answer.status, answer.json.errorCode, answer.json.message]).to.deep.equal([
      409,
      'NOOP_ERROR',
      'The alert is COMPLETED already',
    ]);
    expect((await told()).map((one) => one['parameters'].alertId)).to.deep.equal([id]);
  });

  it('refuses what cannot be watched, is met already, or is one too many', async () => {
    for (const [body, path] of [
      [{ condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '2' } }, 'condition.type'],
      [{ condition: { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '2' } }, 'legs'],
      [{ condition: { ...FAR, symbol: 'NOPE-PERP' } }, 'legs.0.symbol'],
      [{ legs: LEGS, condition: { ...FAR, symbol: 'SOL-PERP' } }, 'condition.symbol'],
      [{ condition: { ...FAR, value: '1' } }, 'condition.value'],
      [
        {
          legs: [
            { ...LEGS[0], weight: '0.4' },
            { ...LEGS[1], weight: '0.5' },
          ],
          condition: FAR,
        },
        'legs',
      ],
      [{ condition: FAR, expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ condition: FAR, totalUsd: '5' }, 'totalUsd'],
    ] as const) {
      const answer = await bot.call('POST', '/alerts', body);
      expect(answer.status, answer.text).to.equal(400);
      expect(
        answer.json.details.map((one: Json) => one.path),
        answer.text,
      ).to.include(path);
    }
    const many = [409, 'RESOURCE_BUSY', 'TOO_MANY'];
    const refusedOne = async (by: Caller) => {
      const { status, json } = await by.call('POST', '/alerts', { condition: FAR });
      return [status, json.errorCode, json.details?.reason];
    };
    // A key leaves places to its user, who has all that are left.
    for (let count = 0; count < ALERTS_OF_KEY.waiting; count += 1) await made({ condition: FAR });
    expect(await refusedOne(bot)).to.deep.equal(many);
    const user = signedIn(gateway, bot);
    for (let count = ALERTS_OF_KEY.waiting; count < MOST_ALERTS; count += 1)
      expect((await user.call('POST', '/alerts', { condition: FAR })).status).to.equal(200);
    expect(await refusedOne(user)).to.deep.equal(many);
  });

  it('an agent sets no more in a day than a phone bears, though each is told at once, over a restart too @long', async () => {
    const agent = await connectAgent(gateway, bot);
    const met = { condition: { ...FAR, value: '1' }, allowImmediate: true };
    const post = (on: TestGateway) =>
      callerWith(on, { authorization: `Bearer ${agent.accessToken}` }, bot.accountId).call(
        'POST',
        '/alerts',
        met,
      );
    for (let count = 0; count < ALERTS_OF_AGENT.aDay; count += 1) {
      const answer = await post(gateway);
      expect(answer.status, answer.text).to.equal(200);
      await untilStatus(answer.json.id, 'COMPLETED');
    }
    const first = clock.now();
    for (const again of [async () => {}, () => gateway.restart()]) {
      await again();
      const { status, json, text } = await post(gateway);
      expect([status, json.errorCode, json.details?.reason], text).to.deep.equal([
        409,
        'RESOURCE_BUSY',
        'ALERT_RATE',
      ]);
      expect(Date.parse(json.details.retryAt)).to.be.within(first, first + 86_400_000);
    }
    await made(met);
  });

  it('an agent moves and cancels its own on an account outside its mandate, and nobody else’s there', async () => {
    const second = await signedIn(gateway, bot).expect(
      'POST',
      '/trade-accounts',
      {
        alias: 'Second',
        connector: 'paper',
      },
      201,
    );
    const at = (token: string) => callerWith(gateway, { authorization: `Bearer ${token}` }, second.id);
    const users = await at(bot.accessToken).call('POST', '/alerts', { condition: FAR });
    const mandate = smallMandate(bot.accountId, { manage: 'ALL' });
    const agent = await connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
    const there = at(agent.accessToken);
    const its = await there.expect('POST', '/alerts', { condition: FAR });
    const moved = { condition: { value: '98000000' } };
    const change = await there.call('PATCH', `/alerts/${its.id}`, moved);
    expect(change.json.condition, change.text).to.deep.equal({ ...FAR, value: '98000000' });
    const cancelled = await there.call('POST', `/alerts/${its.id}/cancel`);
    expect(cancelled.json.status, cancelled.text).to.equal('CANCELLED');
    const other = await there.call('POST', `/alerts/${users.json.id}/cancel`);
    expect([other.status, other.json.message]).to.deep.equal([404, 'Alert not found']);
    const { refused } = (await signedIn(gateway, bot).call('GET', `/agents/${agent.grantId}/refused`)).json;
    expect(refused).to.deep.equal([]);
    // The agent may also manage alerts of other callers on the accounts of its mandate.
    const here = await made({ condition: FAR });
    expect((await agent.call('POST', `/alerts/${here.id}/cancel`)).json.status).to.equal('CANCELLED');
  });

  it('an agent makes one within any limits, but not with a scope that only reads', async () => {
    const visitor = () => consentVisitor(gateway);
    const mandate = smallMandate(bot.accountId, { maxResting: 1, instruments: ['SOL-PERP'], kinds: ['now'] });
    const agent = await connectAgent(gateway, bot, visitor(), { consent: { mandate } });
    for (let count = 0; count < 2; count += 1) {
      const answer = await agent.expect('POST', '/alerts', { condition: FAR });
      expect(answer.authority.kind).to.equal('oauth_grant');
    }
    const { usage } = (await agent.call('GET', '/agents/me')).json;
    expect(usage).to.include({ resting: 0, ordersLastDay: 0 });
    const own = await made({ condition: FAR });
    const users = await agent.call('POST', `/alerts/${own.id}/cancel`);
    expect([users.status, users.json.message]).to.deep.equal([404, 'Alert not found']);
    const moved = { condition: { value: '98000000' } };
    expect((await agent.call('PATCH', `/alerts/${own.id}`, moved)).status).to.equal(404);
    const [{ id: its }] = (await agent.call('GET', '/alerts')).json.alerts.filter(
      ({ id }: Json) => id !== own.id,
    );
    expect((await agent.call('PATCH', `/alerts/${its}`, moved)).json).to.deep.include({
      authority: { kind: 'oauth_grant', name: 'you' },
      condition: { ...FAR, value: '98000000' },
    });
    for (let count = 2; count < ALERTS_OF_AGENT.waiting; count += 1)
      expect((await agent.call('POST', '/alerts', { condition: FAR })).status).to.equal(200);
    const more = await agent.call('POST', '/alerts', { condition: FAR });
    expect([more.status, more.json.errorCode, more.json.details.reason]).to.deep.equal([
      409,
      'RESOURCE_BUSY',
      'TOO_MANY',
    ]);
    // A change by the user makes the alert the user's. It no longer counts towards the agent's alerts.
    expect((await bot.call('PATCH', `/alerts/${its}`, moved)).json.authority.kind).to.equal('api_key');
    expect((await agent.call('POST', '/alerts', { condition: FAR })).status).to.equal(200);
    await made({ condition: FAR });
    const key = await gateway.request('POST', '/api-keys', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
      body: { label: 'looks', scope: 'read' },
    });
    await gateway.expect(
      'POST',
      '/alerts',
      {
        headers: { 'x-api-key': key.json.key, 'x-trade-account-id': bot.accountId },
        body: { condition: FAR },
      },
      403,
    );
  });
});
