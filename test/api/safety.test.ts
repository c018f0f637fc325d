/** The brakes through the API: what is refused while paused, what goes on, panic, and a restart in between. */
import { expect } from 'chai';
import { panic, safety } from '../../gateway/contract/safety.ts';
import { gatewayForEachTest, type TestAnswer, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { LADDER } from '../support/resting-calls.ts';
import { PAIR, trader, traderForEachTest, traderOn, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const CONFIRM = { confirm: 'CLOSE ALL' };
/** Never met. */
const FAR = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' };
const SCHEDULE = { legs: PAIR, durationSeconds: 600, intervalSeconds: 60 };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };

describe('safety', () => {
  const gateway = gatewayForEachTest({ hasCross: true });
  const bot = traderForEachTest(gateway);

  const answered = (answer: TestAnswer, status = 200): Json => {
    expect(answer.status, answer.text).to.equal(status);
    return answer.json;
  };
  /** A panic may wait for a venue. */
  const post = async (path: string, body?: object, status = 200) =>
    answered(await whileTimePasses(gateway.clock, bot.call('POST', path, body)), status);
  const state = async () => safety.parse(answered(await bot.call('GET', '/safety')));
  const list = async (path: string, of: string): Promise<Json[]> => answered(await bot.call('GET', path))[of];

  it('running, paused, running: the state, its time, and nothing to do twice', async () => {
    expect(await state()).to.deep.equal({ paused: false, reason: null, pausedAt: null, panic: null });
    const paused = safety.parse(await post('/safety/pause'));
    expect(paused).to.include({ paused: true, reason: 'PAUSE' });
    expect(await state()).to.deep.equal(paused);
    expect((await post('/safety/pause', undefined, 409)).errorCode).to.equal('NOOP_ERROR');
    expect(await post('/safety/resume')).to.deep.equal({
      paused: false,
      reason: null,
      pausedAt: null,
      panic: null,
    });
    expect((await post('/safety/resume', undefined, 409)).errorCode).to.equal('NOOP_ERROR');
  });

  it('while paused whatever could open something is 409 PAUSED and leaves nothing; closing goes on', async () => {
    const { positionId } = await bot.open(PAIR);
    const { positionId: other } = await bot.open([usd('SOL', 'BUY', '500')]);
    await post('/safety/pause');
    const at = `/positions/${positionId}`;
    const opening: readonly (readonly [string, object])[] = [
      ['/trade/open', { type: 'MARKET', legs: PAIR }],
      [`${at}/adjust`, { intent: 'INCREASE', usd: '100' }],
      [`${at}/reverse`, {}],
      ['/triggers/open', { legs: PAIR, condition: FAR }],
      ['/schedules', SCHEDULE],
      ['/ladders', LADDER],
    ];
    for (const [path, body] of opening) {
      const refused = await post(path, body, 409);
      expect(refused.errorCode, path).to.equal('RESOURCE_BUSY');
      expect(refused.details, path).to.deep.equal({ reason: 'PAUSED' });
    }
    expect(await list('/executions?includeSchedule=true&includeTriggers=true', 'executions')).to.have.length(
      2,
    );
    expect(await list('/triggers', 'triggers')).to.deep.equal([]);
    expect(await list('/schedules', 'schedules')).to.deep.equal([]);
    expect(await list('/ladders', 'ladders')).to.deep.equal([]);

    const reduced = await post(`${at}/close`, { type: 'MARKET', fraction: '0.5' }, 202);
    expect((await bot.ended(reduced.execution.id)).status).to.equal('COMPLETED');
    await post(`${at}/close`, { type: 'TRIGGER', condition: FAR });
    const closed = await post('/positions/close-all', {}, 202);
    expect(closed.executions.map((one: Json) => one.positionId).sort()).to.deep.equal(
      [positionId, other].sort(),
    );
    for (const { id } of closed.executions) expect((await bot.ended(id)).status).to.equal('COMPLETED');
  });

  it('a bracket still fires while paused; a trigger that opens waits until it is resumed', async () => {
    const { positionId } = await bot.open([usd('SOL', 'BUY', '1000')]);
    const stop = { type: 'PERCENTAGE', value: '5' };
    answered(await bot.call('PUT', `/positions/${positionId}/brackets`, { stopLoss: stop }));
    const { price } = (await list('/markets?connector=paper&search=ETH', 'markets'))[0];
    const condition = {
      type: 'PRICE',
      direction: 'LESS_THAN',
      value: String(Math.round(Number(price) * 0.8)),
      symbol: 'ETH-PERP',
    };
    const { id } = await post('/triggers/open', { legs: [usd('ETH', 'BUY', '500')], condition });
    await post('/safety/pause');
    const venue = gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 0.9);
    await venue.shock('ETH-PERP', 0.7);
    await until(gateway.clock, 'the bracket has closed it', async () => (await bot.positions()).length === 0);
    expect((await list('/notifications', 'notifications')).map(({ category }) => category)).to.include(
      'STOP_LOSS_HIT',
    );
    expect(answered(await bot.call('GET', `/triggers/${id}`)).status).to.equal('ACTIVE');
    await post('/safety/resume');
    await until(gateway.clock, 'the trigger has fired', async () => {
      const trigger = answered(await bot.call('GET', `/triggers/${id}`));
      if (trigger.status === 'COMPLETED') return true;
      expect(trigger.status).to.be.oneOf(['ACTIVE', 'TRIGGERED']);
      return false;
    });
  });

  it('panic pauses, cancels everything that waits, closes everything, on all accounts of the user only', async () => {
    const bystander = await trader(gateway, { email: 'bob@example.test' });
    await bystander.open(PAIR);
    const { id: secondId } = await post(
      '/trade-accounts',
      { alias: 'Second', connector: 'paper-cross' },
      201,
    );
    const second = traderOn(gateway, { ...bot, accountId: secondId });
    const { positionId } = await bot.open(PAIR);
    await second.open(PAIR);
    const { id: triggerId } = await post('/triggers/open', { legs: PAIR, condition: FAR });
    await post(`/positions/${positionId}/close`, { type: 'TRIGGER', condition: FAR });
    const { id: scheduleId } = await post('/schedules', {
      ...SCHEDULE,
      legs: [usd('LINK', 'BUY', '5000')],
    });
    const { id: ladderId } = await post('/ladders', LADDER);
    answered(await bot.call('PUT', `/positions/${positionId}/auto-rebalance`, REBALANCE));

    expect((await post('/safety/panic', {}, 400)).errorCode).to.equal('VALIDATION_ERROR');
    expect((await post('/safety/panic', { confirm: 'close all' }, 400)).errorCode).to.equal(
      'VALIDATION_ERROR',
    );
    expect((await state()).paused).to.equal(false);

    const report = panic.success[202].parse(await post('/safety/panic', CONFIRM, 202));
    expect(report.safety).to.include({ paused: true, reason: 'PANIC' });
    expect(report.failures).to.deep.equal([]);
    expect(report.cancelled).to.deep.include({ ladders: 1, schedules: 1, triggers: 2, autoRebalances: 1 });
    expect(report.executions.map(({ tradeAccountId }) => tradeAccountId)).to.include.members([
      bot.accountId,
      secondId,
    ]);
    for (const { id, tradeAccountId } of report.executions)
      expect((await (tradeAccountId === secondId ? second : bot).ended(id)).status).to.equal('COMPLETED');
    expect(await bot.positions()).to.deep.equal([]);
    expect(await second.positions()).to.deep.equal([]);
    expect(await bystander.positions()).to.have.length(1);
    expect(answered(await bot.call('GET', `/triggers/${triggerId}`)).status).to.equal('CANCELLED');
    expect(answered(await bot.call('GET', `/schedules/${scheduleId}`)).status).to.equal('CANCELLED');
    const ladder = answered(await bot.call('GET', `/ladders/${ladderId}`));
    expect(ladder.status).to.equal('CANCELLED');
    expect(ladder.rungs.map((rung: Json) => rung.status)).to.deep.equal(Array(3).fill('CANCELLED'));

    const again = panic.success[202].parse(await post('/safety/panic', CONFIRM, 202));
    expect(again.executions).to.deep.equal([]);
    expect(again.failures).to.deep.equal([]);
    expect((await post('/trade/open', { type: 'MARKET', legs: PAIR }, 409)).details).to.deep.equal({
      reason: 'PAUSED',
    });
  });

  it('holds after a restart, also that of a panic', async () => {
    await post('/safety/panic', CONFIRM, 202);
    const before = await state();
    await gateway.restart();
    expect(await state()).to.deep.equal(before);
    expect((await post('/trade/open', { type: 'MARKET', legs: PAIR }, 409)).errorCode).to.equal(
      'RESOURCE_BUSY',
    );
    await post('/safety/resume');
    await gateway.restart();
    expect((await state()).paused).to.equal(false);
    expect((await bot.open(PAIR)).status).to.equal('COMPLETED');
  });

  it('a key that is limited to some accounts may look, not pull', async () => {
    const headers = { authorization: `Bearer ${bot.accessToken}` };
    const body = { label: 'one', scope: 'read_write', tradeAccountIds: [bot.accountId] };
    const { key } = answered(await gateway.request('POST', '/api-keys', { headers, body }), 201);
    const limited = { 'x-api-key': key };
    expect((await gateway.request('GET', '/safety', { headers: limited })).status).to.equal(200);
    for (const [path, sent] of [
      ['/safety/pause', undefined],
      ['/safety/resume', undefined],
      ['/safety/panic', CONFIRM],
    ] as const) {
      const answer = await gateway.request('POST', path, { headers: limited, body: sent });
      expect(answer.status, path).to.equal(403);
    }
    expect((await state()).paused).to.equal(false);
  });
});
