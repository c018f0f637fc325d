/** A preview of a change binds what the position held when it was shown, and says what the judge says of placing it. */
import { expect } from 'chai';
import { type Agent, connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { type Trader, trader, usd } from '../support/trader.ts';

const KINDS = ['now', 'when', 'over_time', 'ladder', 'protect', 'rebalance', 'reverse', 'margin'] as const;
const TO_CLOSE = { action: 'close', slippage_pct: '1' };
const WHEN = {
  when_metric: 'PRICE',
  when_instrument: 'SOL-PERP',
  when_direction: 'MORE_THAN',
  when_value: '999999',
};
/** Every change that a preview can be about. */
const CHANGES: Readonly<Record<string, object>> = {
  'close all': TO_CLOSE,
  'close 20 %': { ...TO_CLOSE, pct: '20' },
  'close when': { ...TO_CLOSE, style: 'when', ...WHEN },
  'close over time': {
    ...TO_CLOSE,
    style: 'over_time',
    over_time_seconds: 60,
    over_time_interval_seconds: 60,
  },
  'reduce 50 %': { action: 'reduce', pct: '50', slippage_pct: '1' },
  'reduce 50 USD': { action: 'reduce', usd: '50', slippage_pct: '1' },
  'increase 50 %': { action: 'increase', pct: '50', slippage_pct: '1' },
  reverse: { action: 'reverse', slippage_pct: '1' },
  rebalance: { action: 'rebalance', slippage_pct: '1' },
  protect: { action: 'protect', stop_loss_metric: 'PERCENTAGE', stop_loss_value: '5' },
  'keep weights': { action: 'keep_weights', keep_weights_min_drift_pct: '5' },
  margin: { action: 'margin', margin_instrument: 'SOL-PERP', margin_usd: '5' },
};

describe('a preview of a change of a position', () => {
  const gateway = gatewayForSuite();
  let bot: Trader;
  let agent: Agent;
  let client: Awaited<ReturnType<typeof newClient>>;
  let users = 0;

  beforeEach(async () => {
    users += 1;
    bot = await trader(gateway, { email: `held${users}@example.test` });
  });
  afterEach(() => client.close());

  async function connect(over: Record<string, unknown> = {}, approval: object = {}): Promise<void> {
    const preset = smallMandate(bot.accountId);
    const mandate = smallMandate(bot.accountId, {
      kinds: [...KINDS],
      runaway: { refusals: null, reopenings: null, feesUsd: null },
      maxOrderUsd: null,
      maxOpenedUsd24h: null,
      maxGrossUsd: null,
      maxLeverage: null,
      manage: 'ALL',
      approval: {
        ...{ ...preset.approval, when: 'never', aboveUsd: null, firsts: 'off', duplicates: 'allow' },
        ...approval,
      },
      rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
      ...over,
    });
    const visitor = consentVisitor(gateway, { email: `held${users}@example.test` });
    agent = await connectAgent(gateway, bot, visitor, { consent: { mandate, continueBudget: false } });
    client = await newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` });
    // The client checks results against the output schemas that it was told.
    await client.listTools();
  }

  const size = (amount: string) => [usd('SOL', 'BUY', amount), usd('ETH', 'SELL', amount)];
  const tool = (name: string, args: object) =>
    callTool(client, name, { account: bot.accountId, ...args } as Record<string, unknown>);
  const preview = (positionId: string, change: object) =>
    tool('preview_change', { position_id: positionId, ...change });
  const place = ({ data }: ToolAnswer) =>
    callTool(client, 'place_order', {
      ...{ preview_id: data.preview_id, summary: data.summary, reason: 'a test' },
    });
  const heldIn = async (): Promise<Json> =>
    (await bot.positions()).map(({ legs }) => legs.map(({ symbol, quantity }: Json) => [symbol, quantity]));
  /** Executions, plans and protection that anybody has made so far. */
  async function made(positionId: string): Promise<Json> {
    const [executions, triggers, schedules, position] = await Promise.all([
      bot.expect('GET', '/executions?limit=200'),
      bot.expect('GET', '/triggers'),
      bot.expect('GET', '/schedules'),
      bot.expect('GET', `/positions/${positionId}`),
    ]);
    return {
      executions: executions.executions.length,
      triggers: triggers.triggers.length,
      schedules: schedules.schedules.length,
      protection: [position.takeProfit, position.stopLoss],
      rebalances: (await bot.call('GET', `/positions/${positionId}/auto-rebalance`)).status,
    };
  }
  function expectChanged({ data, text }: ToolAnswer): void {
    expect(data, text).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
    expect(data.reason).to.equal('The position changed since the preview');
    expect(data.next).to.equal('Make a new preview.');
  }

  /** Each leg as it was shown, rounded down to its lots. */
  async function expectAsShown({ data: { id } }: ToolAnswer, { data }: ToolAnswer): Promise<void> {
    const { execution } = await bot.expect('GET', `/executions/${id}`);
    expect(execution.orders).to.have.length(data.legs.length);
    for (const { symbol, filledQuantity } of execution.orders) {
      const leg = data.legs.find(({ instrument }: Json) => instrument === symbol);
      expect(Number(filledQuantity)).to.be.closeTo(Number(leg.quantity_base), 0.01);
    }
  }

  it('is refused in every form once its user has added to the position, and orders nothing', async () => {
    await connect();
    for (const symbol of ['SOL-PERP', 'ETH-PERP'])
      await bot.expect('PUT', '/leverage', { symbol, leverage: 2, marginMode: 'isolated' });
    const { positionId } = await bot.open(size('200'));
    // Otherwise there would be nothing to rebalance.
    await gateway.gateway.paperVenue('paper').shock('SOL-PERP', 1.2);
    await gateway.clock.advance(3_000);
    const shown = new Map<string, ToolAnswer>();
    for (const [name, change] of Object.entries(CHANGES)) {
      const answer = await preview(positionId, change);
      expect(answer.data.preview_id, `${name}: ${answer.text}`).to.be.a('string');
      shown.set(name, answer);
    }
    await bot.open(size('3000'));
    const [before, held] = [await made(positionId), await heldIn()];
    for (const answer of shown.values()) expectChanged(await place(answer));
    expect([await made(positionId), await heldIn()]).to.deep.equal([before, held]);
    const again = await place(await preview(positionId, { ...TO_CLOSE, pct: '20' }));
    expect(again.data.outcome, again.text).to.equal('FILLED');
  });

  it('trades what it showed while the position is as it was, and the same preview orders once', async () => {
    await connect();
    const { positionId } = await bot.open(size('200'));
    const shown = await preview(positionId, { action: 'reduce', pct: '50', slippage_pct: '1' });
    const placed = await place(shown);
    expect(placed.data.outcome, placed.text).to.equal('FILLED');
    await expectAsShown(placed, shown);
    // The order itself has changed the position: the same preview still has its first answer.
    expect((await place(shown)).data).to.deep.include({ outcome: 'FILLED', id: placed.data.id });
  });

  it('trades what it showed or nothing while its user trades at the same moment @long', async () => {
    await connect();
    const { positionId } = await bot.open(size('200'));
    for (let round = 0; round < 8; round += 1) {
      const shown = await preview(positionId, { ...TO_CLOSE, pct: '20' });
      const first = round % 2 === 0 ? place(shown) : null;
      const opened = bot.call('POST', '/trade/open', { type: 'MARKET', legs: size('300') });
      for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
      const placed = await (first ?? place(shown));
      const { status, json } = await opened;
      if (status === 202) await bot.ended(json.execution.id);
      if (placed.data.outcome === 'FILLED') await expectAsShown(placed, shown);
      else expect(placed.data.outcome, placed.text).to.equal('NOTHING_ORDERED');
    }
  });

  it('is refused where its user is asked about orders, and the question that it became keeps its answer', async () => {
    await connect({}, { when: 'always' });
    const { positionId } = await bot.open(size('200'));
    const close = await preview(positionId, { ...TO_CLOSE, pct: '20' });
    const more = await preview(positionId, CHANGES['increase 50 %'] ?? {});
    const asked = await place(more);
    expect(asked.data.outcome, asked.text).to.equal('WAITING_FOR_USER');
    const unasked = await preview(positionId, { action: 'increase', pct: '10', slippage_pct: '1' });
    await bot.open(size('3000'));
    const held = await heldIn();
    expectChanged(await place(close));
    expectChanged(await place(unasked));
    const again = await place(more);
    expect(again.data, again.text).to.deep.include({ outcome: 'WAITING_FOR_USER', id: asked.data.id });
    expect(await heldIn()).to.deep.equal(held);
  });

  it('says of a part of its own what placing would say: more is refused, within it is allowed', async () => {
    await connect({ manage: 'OWN' });
    const { positionId } = await bot.open(size('300'));
    const mine = await agent.expect('POST', '/trade/open', { type: 'MARKET', legs: size('100') }, 202);
    await bot.ended(mine.execution.id);
    const slippage = '0.01';
    const later = {
      condition: { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '999999' },
    };
    const refused: [object, string, object][] = [
      [TO_CLOSE, 'close', { type: 'MARKET', fraction: '1', slippage }],
      [{ ...TO_CLOSE, pct: '40' }, 'close', { type: 'MARKET', fraction: '0.4', slippage }],
      [
        { action: 'reduce', pct: '40', slippage_pct: '1' },
        'adjust',
        { intent: 'REDUCE', fraction: '0.4', slippage },
      ],
      [{ action: 'reverse', slippage_pct: '1' }, 'reverse', { slippage }],
      [CHANGES['close when'] ?? {}, 'close', { type: 'TRIGGER', fraction: '1', slippage, ...later }],
    ];
    for (const [change, path, body] of refused) {
      const { data, text } = await preview(positionId, change);
      const judged = await agent.call('POST', `/positions/${positionId}/${path}`, body);
      expect([judged.status, judged.json.errorCode], judged.text).to.deep.equal([403, 'AGENT_LIMIT']);
      expect([data.verdict, data.preview_id], text).to.deep.equal(['REFUSED', null]);
      const limits = judged.json.details.limits.map(({ limit, ...figures }: Json) => ({
        name: limit,
        ...figures,
      }));
      expect(data.limits, text).to.deep.equal(limits);
    }
    for (const pct of ['20', '24']) {
      const within = await preview(positionId, { ...TO_CLOSE, pct });
      expect(within.data.verdict, within.text).to.equal('ALLOWED');
      const more = await preview(positionId, { action: 'increase', pct, slippage_pct: '1' });
      expect(more.data.verdict, more.text).to.equal('ALLOWED');
    }
    // Its share of the lots is not exactly a quarter: what is rounded when it is accepted may be within it.
    const quarter = { fraction: '0.25', slippage };
    const slices = { durationSeconds: 60, intervalSeconds: 60 };
    const styles: [object, object][] = [
      [
        { style: 'when', ...WHEN },
        { type: 'TRIGGER', ...quarter, ...later },
      ],
      [
        { style: 'over_time', over_time_seconds: 60, over_time_interval_seconds: 60 },
        { type: 'TWAP', ...quarter, ...slices },
      ],
      [{}, { type: 'MARKET', ...quarter }],
    ];
    for (const [style, body] of styles) {
      const { data, text } = await preview(positionId, { ...TO_CLOSE, ...style, pct: '25' });
      const judged = await agent.call('POST', `/positions/${positionId}/close`, body);
      expect(data.verdict, `${text}\n${judged.text}`).to.equal(judged.status === 403 ? 'REFUSED' : 'ALLOWED');
    }
  });

  it('closes its own share by a preview', async () => {
    await connect({ manage: 'OWN' });
    const { positionId } = await bot.open(size('300'));
    const mine = await agent.expect('POST', '/trade/open', { type: 'MARKET', legs: size('100') }, 202);
    await bot.ended(mine.execution.id);
    const placed = await place(await preview(positionId, { ...TO_CLOSE, pct: '20' }));
    expect(placed.data.outcome, placed.text).to.equal('FILLED');
  });

  it('refuses what is about a position of which nothing is its own', async () => {
    await connect({ manage: 'OWN' });
    for (const symbol of ['SOL-PERP', 'ETH-PERP'])
      await bot.expect('PUT', '/leverage', { symbol, leverage: 2, marginMode: 'isolated' });
    const { positionId } = await bot.open(size('300'));
    for (const [name, change] of Object.entries(CHANGES)) {
      const { data, text } = await preview(positionId, change);
      expect(data.verdict, `${name}: ${text}`).to.equal('REFUSED');
      expect(
        data.limits.map((one: Json) => one.name),
        text,
      ).to.include('manage');
    }
  });

  it('says that its user is asked where rebalancing may leave less of the hedge, as placing does', async () => {
    await connect({}, { when: 'never', kinds: ['protect'] });
    const { positionId } = await bot.open(size('300'));
    const beta = {
      keep_weights_mode: 'LIVE_BETA',
      keep_weights_action: 'TRADE',
      keep_weights_min_drift_pct: '5',
    };
    const shown = await preview(positionId, { action: 'keep_weights', ...beta });
    expect(shown.data.verdict, shown.text).to.equal('NEEDS_APPROVAL');
    expect((await place(shown)).data.outcome).to.equal('WAITING_FOR_USER');
  });
});
