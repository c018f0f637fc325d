/** Pending orders of an agent that is disconnected, and orders that an agent may not cancel. */
import { expect } from 'chai';
import { fail } from '../../gateway/domain/result.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { type Agent, type Caller, connectAgent, signedIn } from '../support/agents.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { LADDER } from '../support/resting-calls.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

/** Never met. */
const FAR = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' };
const SCHEDULE = { legs: [usd('LINK', 'BUY', '6000')], durationSeconds: 600, intervalSeconds: 60 };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
const STOP = { type: 'PERCENTAGE', value: '5' };

describe('an agent and what it left waiting', () => {
  let clock: FakeClock;
  let gateway: TestGateway;
  let bot: Trader;
  let agent: Agent;
  let user: Caller;
  /** True: the store refuses to write cancellations, as if the process had died right after the revocation. */
  let neverCancels: boolean;

  const start = () =>
    startTestGateway({
      clock,
      overrides: {
        async openStore(options) {
          const store = await openStore(options);
          return {
            ...store,
            commit: (unit) => {
              const cancels = [unit.triggers, unit.ladders, unit.schedules, unit.autoRebalances].some(
                (rows) => rows?.some(({ status }) => status === 'CANCELLED' || status === 'ENDED'),
              );
              return neverCancels && cancels
                ? Promise.resolve(fail({ kind: 'unavailable', message: 'full' }))
                : store.commit(unit);
            },
          };
        },
      },
    });

  beforeEach(async () => {
    neverCancels = false;
    clock = createFakeClock();
    gateway = await start();
    bot = await trader(gateway);
    agent = await connectAgent(gateway, bot);
    user = signedIn(gateway, bot);
  });
  afterEach(async () => {
    await gateway.close();
  });

  const answered = (answer: TestAnswer, status = 200): Json => {
    expect(answer.status, answer.text).to.equal(status);
    return answer.json;
  };
  const post = async (by: Caller, path: string, body?: object, status = 200) =>
    answered(await by.call('POST', path, body), status);
  const read = async (path: string): Promise<Json> => answered(await bot.call('GET', path));
  const statusOf = async (path: string): Promise<string> => (await read(path)).status;
  const until = (so: () => Promise<boolean>) => untilOn(clock, 'it comes to that', so, 60_000);
  /** Opens as `by` does. @returns the position */
  async function opened(by: Caller, body: object): Promise<Json> {
    const { execution } = await post(by, '/trade/open', { type: 'MARKET', ...body }, 202);
    await until(async () => (await read(`/executions/${execution.id}`)).execution.finishedAt !== null);
    const done = (await read(`/executions/${execution.id}`)).execution;
    expect(done.status, done.error ?? '').to.equal('COMPLETED');
    return read(`/positions/${done.positionId}`);
  }
  const mark = async (symbol: string): Promise<number> =>
    Number((await read('/prices?connector=paper')).prices.find(({ id }: Json) => id === symbol)?.mark);
  const shock = (symbol: string, factor: number) => gateway.gateway.paperVenue('paper').shock(symbol, factor);
  const revoke = (query = '') => user.call('DELETE', `/oauth2/grants/${agent.grantId}${query}`);

  /** One of everything that an agent can leave waiting. */
  async function everything(by: Caller) {
    const { id: positionId } = await opened(by, {
      legs: [usd('SOL', 'BUY', '1000'), usd('AVAX', 'SELL', '1000')],
      stopLoss: STOP,
      autoRebalance: REBALANCE,
    });
    return {
      positionId,
      trigger: (await post(by, '/triggers/open', { legs: PAIR, condition: FAR })).id,
      ladder: (await post(by, '/ladders', LADDER)).id,
      schedule: (await post(by, '/schedules', SCHEDULE)).id,
      closing: (
        await post(by, `/positions/${positionId}/close`, {
          type: 'TRIGGER',
          condition: { ...FAR, type: 'CROSS_ASSET_PRICE' },
        })
      ).id,
    };
  }
  async function states({
    positionId,
    trigger,
    ladder,
    schedule,
    closing,
  }: Awaited<ReturnType<typeof everything>>) {
    return {
      trigger: await statusOf(`/triggers/${trigger}`),
      ladder: await statusOf(`/ladders/${ladder}`),
      schedule: await statusOf(`/schedules/${schedule}`),
      closing: await statusOf(`/triggers/${closing}`),
      rebalance: (await bot.call('GET', `/positions/${positionId}/auto-rebalance`)).json.status ?? 'ENDED',
      stop: (await read(`/positions/${positionId}`)).stopLoss !== null,
    };
  }
  const WAITING = {
    trigger: 'ACTIVE',
    ladder: 'ACTIVE',
    schedule: 'ACTIVE',
    closing: 'ACTIVE',
    rebalance: 'ACTIVE',
    stop: true,
  };
  const CANCELLED = {
    ...WAITING,
    trigger: 'CANCELLED',
    ladder: 'CANCELLED',
    schedule: 'CANCELLED',
  };
  const rebalanceGone = async (positionId: string) =>
    answered(await bot.call('GET', `/positions/${positionId}/auto-rebalance`), 404);

  it('disconnected by its user: what could open is cancelled, what protects and closes stays and works', async () => {
    const left = await everything(agent);
    const ofUser = await post(user, '/triggers/open', { legs: PAIR, condition: FAR });
    expect(await states(left)).to.deep.equal(WAITING);
    const asked = await user.call('GET', `/oauth2/grants/${agent.grantId}/waiting`);
    expect(answered(asked)).to.deep.equal({ triggers: 1, ladders: 1, schedules: 1, autoRebalances: 1 });
    answered(await revoke(), 204);
    expect({ ...(await states(left)), rebalance: 'ACTIVE' }).to.deep.equal(CANCELLED);
    await rebalanceGone(left.positionId);
    expect(await statusOf(`/triggers/${ofUser.id}`)).to.equal('ACTIVE');
    await shock('SOL-PERP', 0.7);
    await until(async () => (await statusOf(`/positions/${left.positionId}`)) === 'CLOSED');
  });

  it('by its user, who keeps it: everything waits on, and fires', async () => {
    const left = await everything(agent);
    const value = String(Math.round((await mark('ETH-PERP')) * 1.2));
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'ETH-PERP' };
    const { id } = await post(agent, '/triggers/open', { legs: [usd('ETH', 'BUY', '500')], condition });
    answered(await revoke('?leftWaiting=keep'), 204);
    expect(await states(left)).to.deep.equal(WAITING);
    await gateway.restart();
    expect(await states(left)).to.deep.equal(WAITING);
    await shock('ETH-PERP', 1.3);
    await until(async () => (await statusOf(`/triggers/${id}`)) === 'COMPLETED');
  });

  it('the process dies right after the revocation: nothing fires, and the next start does the rest', async () => {
    const left = await everything(agent);
    const value = String(Math.round((await mark('ETH-PERP')) * 1.2));
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'ETH-PERP' };
    const { id } = await post(agent, '/triggers/open', { legs: [usd('ETH', 'BUY', '500')], condition });
    neverCancels = true;
    answered(await revoke(), 204);
    expect(await states(left)).to.deep.equal(WAITING);
    await shock('ETH-PERP', 1.3);
    for (let step = 0; step < 50; step += 1) await clock.advance(100);
    expect(await statusOf(`/triggers/${id}`)).to.equal('ACTIVE');
    expect((await bot.positions()).map((one) => one.id)).to.deep.equal([left.positionId]);
    neverCancels = false;
    await gateway.restart();
    await until(async () => (await statusOf(`/schedules/${left.schedule}`)) === 'CANCELLED');
    await until(
      async () => (await bot.call('GET', `/positions/${left.positionId}/auto-rebalance`)).status === 404,
    );
    expect({ ...(await states(left)), rebalance: 'ACTIVE' }).to.deep.equal(CANCELLED);
    expect(await statusOf(`/triggers/${id}`)).to.equal('CANCELLED');
    expect((await bot.positions()).map((one) => one.id)).to.deep.equal([left.positionId]);
  });

  it('what its user has changed since is its user’s, and stays', async () => {
    const { id } = await post(agent, '/triggers/open', { legs: PAIR, condition: FAR });
    answered(await user.call('PATCH', `/triggers/${id}`, { condition: { value: '98000000' } }));
    const other = await post(user, '/triggers/open', { legs: PAIR, condition: FAR });
    answered(await agent.call('PATCH', `/triggers/${other.id}`, { condition: { value: '98000000' } }));
    answered(await revoke(), 204);
    for (const one of [id, other.id]) {
      expect(await read(`/triggers/${one}`)).to.deep.include({
        status: 'ACTIVE',
        authority: { kind: 'session', name: 'you' },
      });
    }
  });

  it('what waits of a grant is told to its user alone', async () => {
    const path = `/oauth2/grants/${agent.grantId}/waiting`;
    expect((await agent.call('GET', path)).status).to.equal(403);
    expect((await bot.call('GET', path)).status).to.equal(403);
    answered(await user.call('GET', '/oauth2/grants/018f0000-0000-7000-8000-000000000000/waiting'), 404);
    expect((await revoke('?leftWaiting=perhaps')).status).to.equal(400);
    answered(await revoke(), 204);
    answered(await user.call('GET', path), 404);
  });

  it('may pause and panic, not resume; each is in the audit log with who did it', async () => {
    await post(agent, '/safety/pause');
    const refused = await agent.call('POST', '/safety/resume');
    expect(answered(refused, 403)).to.deep.equal({
      message: "Auth method 'oauth_grant' is not permitted on this route",
      error: 'Forbidden',
      statusCode: 403,
    });
    expect((await read('/safety')).paused).to.equal(true);
    await post(user, '/safety/resume');
    await post(user, '/safety/pause');
    await post(bot, '/safety/resume');
    await post(agent, '/safety/panic', { confirm: 'CLOSE ALL' }, 202);
    const { auditEntries } = answered(await user.call('GET', '/audit-log'));
    const told = auditEntries.flatMap(({ action, method, subjectId }: Json) =>
      action.startsWith('trading.') ? [[action, method, subjectId === null]] : [],
    );
    expect(told.reverse()).to.deep.equal([
      ['trading.paused', 'oauth_grant', false],
      ['trading.resumed', 'session', false],
      ['trading.paused', 'session', false],
      ['trading.resumed', 'api_key', false],
      ['trading.panic', 'oauth_grant', false],
    ]);
  });
});
