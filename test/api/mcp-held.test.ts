/** A preview of a change binds what the position held when it was shown. */
import { expect } from 'chai';
import { connectAgent } from '../support/agents.ts';
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
    const agent = await connectAgent(gateway, bot, visitor, { consent: { mandate, continueBudget: false } });
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
  /** What anybody has made so far: executions, plans and protection. */
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

  it('is refused after the smallest change, and for a program without limits too', async () => {
    client = await newClient(gateway.url, { 'x-api-key': bot.key });
    await client.listTools();
    const { positionId } = await bot.open(size('200'));
    const shown = [
      await preview(positionId, { ...TO_CLOSE, pct: '50' }),
      await preview(positionId, CHANGES['protect'] ?? {}),
    ];
    const [{ legs }] = (await bot.positions()) as [Json];
    const [{ symbol, quantity }] = legs;
    const less = (Number(quantity) - 0.01).toFixed(2);
    const reduced = { intent: 'REDUCE', targets: [{ symbol, quantity: less }] };
    const { execution } = await bot.expect('POST', `/positions/${positionId}/adjust`, reduced, 202);
    await bot.ended(execution.id);
    for (const answer of shown) expectChanged(await place(answer));
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

  it('trades what it showed or nothing while its user trades at the same moment', async () => {
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
});
