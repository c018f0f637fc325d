/**
 * An agent that may touch only its own, beside its user: what comes along with its orders acts on a whole position, and is
 * refused where a part of that position is the user's, when it is asked for and when it fires.
 */
import { expect } from 'chai';
import { type Agent, type Caller, connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const KINDS = ['now', 'when', 'over_time', 'ladder', 'protect', 'rebalance', 'reverse', 'margin'] as const;
const RIGHTS = {
  readCredentials: false,
  manageAccounts: false,
  exchangeSetup: false,
  changeLeverage: false,
  attributeTrades: false,
};
const STOP = { type: 'PERCENTAGE', value: '5' };
const TIGHT = { type: 'PERCENTAGE', value: '0.5' };
const ISOLATED = { symbol: 'BTC-PERP', marginMode: 'isolated' };
const KEEP_WEIGHTS = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.01' };

describe('what an agent brings along for a position of its user', () => {
  const gateway = gatewayForSuite();
  let bot: Trader;
  let agent: Agent;
  let client: Awaited<ReturnType<typeof newClient>>;
  let users = 0;
  const email = () => `user${users}@example.test`;

  beforeEach(async () => {
    users += 1;
    bot = await trader(gateway, { email: email() });
    await connect();
  });
  afterEach(() => client.close());

  async function connect(rights: object = {}): Promise<void> {
    const { approval } = smallMandate(bot.accountId);
    const mandate = smallMandate(bot.accountId, {
      kinds: [...KINDS],
      runaway: { refusals: null, reopenings: null, feesUsd: null },
      maxOrderUsd: '50',
      maxLeverage: null,
      approval: { ...approval, when: 'never', aboveUsd: null, firsts: 'off', duplicates: 'allow' },
      rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
      rights: { ...RIGHTS, ...rights },
    });
    agent = await connectAgent(gateway, bot, consentVisitor(gateway, { email: email() }), {
      consent: { mandate, continueBudget: false },
    });
    client = await newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` });
  }

  const tool = (name: string, args: Record<string, unknown>) =>
    callTool(client, name, { account: bot.accountId, ...args });
  const order = (by: Caller, symbol: string, amount: string, over: object = {}) =>
    by.call('POST', '/trade/open', { type: 'MARKET', legs: [usd(symbol, 'BUY', amount)], ...over });

  async function opened(by: Caller, symbol: string, amount: string, over: object = {}): Promise<string> {
    const answer = await order(by, symbol, amount, over);
    expect(answer.status, answer.text).to.equal(202);
    const { positionId, status, error } = await bot.ended(answer.json.execution.id);
    expect(status, error).to.equal('COMPLETED');
    return positionId;
  }
  /** The agent owns 20 of 520 USD. */
  async function shared(symbol = 'BTC', over: object = {}): Promise<string> {
    await opened(bot, symbol, '500', over);
    return opened(agent, symbol, '20');
  }
  const stopOf = async (positionId: string): Promise<Json> =>
    (await bot.call('GET', `/positions/${positionId}`)).json.stopLoss;

  function expectShared({ status, json, text }: TestAnswer, used = 'PART'): void {
    expect([status, json?.errorCode, json?.details?.reason], text).to.deep.equal([
      403,
      'AGENT_LIMIT',
      'SHARED_POSITION',
    ]);
    const broken = { limit: 'manage', allowed: 'OWN', used, asked: 'ALL' };
    expect(json.details.limits).to.deep.include(broken);
    expect(json.message).to.contain('not all of it is its own');
  }
  function expectRefusedPreview({ data, text }: ToolAnswer, used = 'PART'): void {
    expect([data.verdict, data.preview_id], text).to.deep.equal(['REFUSED', null]);
    expect(data.limits).to.deep.equal([{ name: 'manage', allowed: 'OWN', used, asked: 'ALL' }]);
  }

  it('keeps the user’s stop where the agent’s trigger, TWAP or order would replace it', async () => {
    const positionId = await opened(bot, 'BTC', '10000', { stopLoss: STOP });
    const users = await stopOf(positionId);
    const legs = [usd('BTC', 'BUY', '12')];
    const mine = { stopLoss: TIGHT, brackets: 'REPLACE' };
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'BTC-PERP' };
    const trigger = { legs, condition, allowImmediate: true, ...mine };
    const twap = { legs, durationSeconds: 60, intervalSeconds: 60, ...mine };
    expectShared(await agent.call('POST', '/triggers/open', trigger), 'NONE');
    expectShared(await agent.call('POST', '/schedules', twap), 'NONE');
    expectShared(await order(agent, 'BTC', '12', mine), 'NONE');
    expectShared(await order(agent, 'BTC', '12', { stopLoss: TIGHT }), 'NONE');
    expectShared(await order(agent, 'BTC', '12', { takeProfit: TIGHT }), 'NONE');
    const asked = {
      long: ['BTC-PERP'],
      long_usd: '12',
      stop_loss_metric: 'PERCENTAGE',
      stop_loss_value: '0.5',
    };
    const when = { when_metric: 'PRICE', when_direction: 'MORE_THAN', when_value: '999999999' };
    const styles = [
      { existing_protection: 'REPLACE' },
      { style: 'when', when_instrument: 'BTC-PERP', ...when },
      { style: 'over_time', over_time_seconds: 60, over_time_interval_seconds: 60 },
    ];
    for (const style of styles)
      expectRefusedPreview(await tool('preview_basket', { ...asked, ...style }), 'NONE');
    // Without protection of its own it may add.
    await opened(agent, 'BTC', '12');
    expect(await stopOf(positionId)).to.deep.equal(users);
  });

  it('holds back a trigger and a slice whose basket has become the user’s meanwhile @long', async () => {
    const { plan } = (await order(agent, 'ETH', '20', { dryRun: true })).json;
    const value = String(Math.ceil(plan.legs[0].price * 1.1));
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'ETH-PERP' };
    const trigger = await agent.expect('POST', '/triggers/open', {
      legs: [usd('ETH', 'BUY', '20')],
      condition,
      stopLoss: TIGHT,
    });
    const rejects = { kind: 'REJECT', symbol: 'SOL-PERP', times: 1, seconds: 60 };
    await bot.call('POST', `/trade-accounts/${bot.accountId}/paper/faults`, rejects);
    const twap = await agent.expect('POST', '/schedules', {
      ...{ legs: [usd('SOL', 'BUY', '40')], stopLoss: TIGHT, brackets: 'REPLACE' },
      ...{ durationSeconds: 120, intervalSeconds: 60 },
    });
    const read = async (path: string) => (await bot.call('GET', path)).json;
    const slices = () => read(`/schedules/${twap.id}`);
    await until(
      gateway.clock,
      'its first slice is refused',
      async () => (await slices()).slices[0].status === 'FAILED',
    );
    const eth = await opened(bot, 'ETH', '1000', { stopLoss: STOP });
    const sol = await opened(bot, 'SOL', '1000', { stopLoss: STOP });
    const stops = [await stopOf(eth), await stopOf(sol)];
    // It lets its level be met now.
    const met = await agent.call('PATCH', `/triggers/${trigger.id}`, {
      condition: { value: '1' },
      allowImmediate: true,
    });
    expectShared(met, 'NONE');
    await gateway.gateway.paperVenue('paper').shock('ETH-PERP', 1.3);
    for (const path of [`/schedules/${twap.id}`, `/triggers/${trigger.id}`]) {
      const isPaused = async () => (await read(path)).status === 'PAUSED';
      await until(gateway.clock, `${path} is held back`, isPaused, 120_000);
      const { pauseReason, error } = await read(path);
      expect(pauseReason).to.equal('AGENT_LIMIT');
      expect(error).to.contain('not all of it is its own');
    }
    const ids = (list: Json[]) => list.map(({ triggerId, value, status }) => [triggerId, value, status]);
    expect(ids([await stopOf(eth), await stopOf(sol)])).to.deep.equal(ids(stops));
  });

  it('does not put its stop, or rebalancing, on the user’s share', async () => {
    const positionId = await shared();
    expectShared(await order(agent, 'BTC', '24', { stopLoss: TIGHT }));
    expectShared(await order(agent, 'BTC', '24', { autoRebalance: KEEP_WEIGHTS }));
    const asked = { long: ['BTC-PERP'], long_usd: '24' };
    const stop = { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '0.5' };
    expectRefusedPreview(await tool('preview_basket', { ...asked, ...stop }));
    expectRefusedPreview(await tool('preview_basket', { ...asked, keep_weights_min_drift_pct: '5' }));
    expectShared(await agent.call('PUT', `/positions/${positionId}/brackets`, { stopLoss: TIGHT }));
    expectRefusedPreview(
      await tool('preview_change', { position_id: positionId, action: 'protect', ...stop }),
    );
    expectShared(await agent.call('PUT', `/positions/${positionId}/auto-rebalance`, KEEP_WEIGHTS));
    const { stopLoss, autoRebalance } = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect([stopLoss, autoRebalance ?? null]).to.deep.equal([null, null]);
  });

  it('rebalances a pair neither now nor later where a part of it is the user’s @long', async () => {
    const pair = (amount: string) => ({
      legs: [usd('BTC', 'BUY', amount), usd('ETH', 'SELL', amount)],
      type: 'MARKET',
    });
    const mine = await agent.expect(
      'POST',
      '/trade/open',
      { ...pair('12'), autoRebalance: KEEP_WEIGHTS },
      202,
    );
    const { positionId } = await bot.ended(mine.execution.id);
    await bot.execute('/trade/open', pair('2000'));
    const config = async () => (await bot.call('GET', `/positions/${positionId}/auto-rebalance`)).json;
    const before = (await bot.call('GET', `/positions/${positionId}`)).json.legs;
    await gateway.gateway.paperVenue('paper').shock('ETH-PERP', 1.3);
    const isTold = async () => (await config()).error !== null;
    await until(gateway.clock, 'its rebalance is refused', isTold, 180_000);
    expect((await config()).error).to.contain('not all of it is its own');
    expectShared(await agent.call('POST', `/positions/${positionId}/rebalance`, {}));
    const preview = { position_id: positionId, action: 'rebalance' };
    const { data } = await tool('preview_change', preview);
    expect(data.verdict).to.equal('REFUSED');
    const after = (await bot.call('GET', `/positions/${positionId}`)).json.legs;
    const sizes = (legs: Json[]) => legs.map(({ quantity }) => quantity);
    expect(sizes(after)).to.deep.equal(sizes(before));
  });

  it('carries no stop over to a position of the user by a reversal @long', async () => {
    const positionId = await opened(agent, 'BTC', '20', { stopLoss: STOP });
    const short = await bot.open([usd('BTC', 'SELL', '500')]);
    expectShared(await agent.call('POST', `/positions/${positionId}/reverse`, {}), 'NONE');
    const asked = { position_id: positionId, action: 'reverse' };
    expectRefusedPreview(await tool('preview_change', asked), 'NONE');
    expect((await tool('preview_change', { ...asked, carry_protection: false })).data.verdict).to.equal(
      'ALLOWED',
    );
    expect((await stopOf(short.positionId)) ?? null).to.equal(null);
  });

  it('neither cancels, pauses nor moves its own stop once a part of the position is the user’s', async () => {
    const positionId = await opened(agent, 'BTC', '20', { stopLoss: STOP });
    const { triggerId } = await stopOf(positionId);
    await opened(bot, 'BTC', '500');
    expectShared(await agent.call('POST', `/triggers/${triggerId}/cancel`));
    expectShared(await agent.call('POST', `/triggers/${triggerId}/pause`));
    expectShared(await agent.call('PUT', `/positions/${positionId}/brackets`, { stopLoss: null }));
    const { text } = await callTool(client, 'cancel', { ids: [triggerId] });
    expect(text).to.contain('NOT CANCELLED');
    expect(await stopOf(positionId)).to.include({ triggerId, status: 'ACTIVE' });
  });

  it('takes no margin out of, and sets no leverage for, what is the user’s', async () => {
    await bot.call('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' });
    const positionId = await opened(agent, 'BTC', '20');
    await opened(bot, 'BTC', '500');
    const more = { symbol: 'BTC-PERP', amount: '150' };
    const less = { symbol: 'BTC-PERP', amount: '-100' };
    expect((await bot.call('POST', `/positions/${positionId}/margin`, more)).status).to.equal(200);
    const limits = async (amount: object) => {
      const { status, json } = await agent.call('POST', `/positions/${positionId}/margin`, amount);
      return status === 200 ? [] : json.details.limits.map(({ limit }: Json) => limit);
    };
    expect(await limits(less)).to.deep.equal(['manage', 'changeLeverage']);
    const margin = (margin_usd: string) =>
      tool('preview_change', {
        ...{ position_id: positionId, action: 'margin', margin_instrument: 'BTC-PERP', margin_usd },
      });
    const preview = await margin('-100');
    expect(preview.data.limits.map(({ name }: Json) => name)).to.deep.equal(['manage', 'changeLeverage']);
    expect((await margin('5')).data.verdict).to.equal('ALLOWED');
    expect(await limits({ symbol: 'BTC-PERP', amount: '5' }), 'added').to.deep.equal([]);
    await client.close();
    await connect({ changeLeverage: true });
    // Another basket of its own, with the same isolated instrument: the venue margins both together.
    const both = [usd('BTC', 'BUY', '20'), usd('SOL', 'SELL', '20')];
    expectShared(await agent.call('POST', '/trade/open', { type: 'MARKET', legs: both }), 'NONE');
    expectShared(await agent.call('PUT', '/leverage', { ...ISOLATED, leverage: 40 }), 'NONE');
    await bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' });
    const alone = await opened(agent, 'BTC', '40');
    expect((await agent.call('PUT', '/leverage', { ...ISOLATED, leverage: 10 })).status).to.equal(200);
    await agent.expect('POST', `/positions/${alone}/margin`, { ...less, amount: '5' });
    await agent.expect('POST', `/positions/${alone}/margin`, { ...less, amount: '-1' });
    // Free margin is what the user's other positions stand on.
    const most = await agent.call('POST', `/positions/${alone}/margin`, { ...less, amount: '5000' });
    expect(most.status, most.text).to.equal(400);
    expect(most.text).to.contain('up to what the leg is worth');
  });

  it('opens nothing beside an isolated position of the user, whose margin would go with it', async () => {
    await bot.call('PUT', '/leverage', { ...ISOLATED, leverage: 5 });
    const positionId = await opened(bot, 'BTC', '500');
    const more = { symbol: 'BTC-PERP', amount: '250' };
    expect((await bot.call('POST', `/positions/${positionId}/margin`, more)).status).to.equal(200);
    const margin = async () =>
      (await bot.call('GET', `/positions/${positionId}`)).json.legs[0].liquidationPrice;
    const before = await margin();
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'BTC-PERP' };
    for (const side of ['BUY', 'SELL'] as const) {
      const legs = [usd('BTC', side, '40')];
      expectShared(await agent.call('POST', '/trade/open', { type: 'MARKET', legs }), 'NONE');
      expectShared(
        await agent.call('POST', '/triggers/open', { legs, condition, allowImmediate: true }),
        'NONE',
      );
      const twap = { legs, durationSeconds: 60, intervalSeconds: 60 };
      expectShared(await agent.call('POST', '/schedules', twap), 'NONE');
      const key = side === 'BUY' ? 'long' : 'short';
      expectRefusedPreview(
        await tool('preview_basket', { [key]: ['BTC-PERP'], [`${key}_usd`]: '40' }),
        'NONE',
      );
    }
    expect((await order(agent, 'SOL', '40')).status, 'another instrument').to.equal(202);
    await gateway.clock.advance(5_000);
    expect(Number(await margin())).to.be.closeTo(Number(before), Number(before) * 0.001);
  });

  it('closes no more than its share, however many closes fire at once', async () => {
    const usersId = await opened(bot, 'BTC', '500');
    const quantityOf = async () =>
      Number((await bot.call('GET', `/positions/${usersId}`)).json.legs[0].quantity);
    const users = await quantityOf();
    await opened(agent, 'BTC', '20');
    const { markPrice } = (await bot.call('GET', `/positions/${usersId}`)).json.legs[0];
    const value = (Number(markPrice) * 1.02).toFixed(0);
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'BTC-PERP' };
    // Each for itself is within the share of 20 of 520 USD.
    const fraction = '0.03';
    const close = (body: object) => agent.call('POST', `/positions/${usersId}/close`, { fraction, ...body });
    const twap = { type: 'TWAP', durationSeconds: 60, intervalSeconds: 30 };
    for (const body of [{ type: 'TRIGGER', condition }, { type: 'TRIGGER', condition }, twap, twap]) {
      const { status, text } = await close(body);
      expect(status, text).to.equal(200);
    }
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.03);
    await gateway.clock.advance(120_000);
    const held = await quantityOf();
    expect(held).to.be.at.least(users * 0.9999);
    expect(held).to.be.below(users * 1.02);
  });
});
