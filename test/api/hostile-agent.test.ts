/**
 * A scripted agent that does not keep to what it was allowed: it asks for more, in pieces, all at once, again, by other
 * names, of other people's things. Whatever it tries, it ends within its mandate.
 */
import Big from 'big.js';
import { expect } from 'chai';
import { type Agent, connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { NOBODY_ASKED, smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const CALLS = Number(process.env['HOSTILE_CALLS'] ?? 600);
const AT_ONCE = 24;
const LIMIT = 500;
const COINS = ['BTC', 'ETH', 'SOL', 'DOGE', 'AVAX'];

describe('an agent that does not keep to its mandate', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  const agent = openForEachTest(() => connect());

  /** @param consent with `continueBudget: false` it is another agent, not this one that has registered anew */
  const connect = (consent: object = {}) =>
    connectAgent(gateway, bot, consentVisitor(gateway), {
      consent: {
        ...consent,
        mandate: smallMandate(bot.accountId, {
          kinds: ['now', 'when', 'over_time', 'ladder', 'protect', 'rebalance', 'reverse', 'margin'],
          // It may try for as long as it likes: what it is stopped for is another test's.
          runaway: { refusals: null, reopenings: null, feesUsd: null },
          maxOrderUsd: '120',
          maxOpenedUsd24h: String(LIMIT),
          maxGrossUsd: String(LIMIT),
          maxLeverage: null,
          maxPositions: null,
          maxResting: null,
          lossStop: null,
          approval: NOBODY_ASKED,
          rate: { perMinute: 600, perDay: 100_000, coolDownSeconds: 0 },
        }),
      },
    });
  /** The tools, called as the agent. */
  async function tools(by: Agent) {
    const client = await newClient(gateway.url, { authorization: `Bearer ${by.accessToken}` });
    const call = (tool: string, args: Record<string, unknown>) => callTool(client, tool, args);
    const preview = (long: string, long_usd: string): Promise<ToolAnswer> =>
      call('preview_basket', { account: bot.accountId, long: [`${long}-PERP`], long_usd });
    const place = (preview_id: unknown, summary: unknown) =>
      call('place_order', { preview_id, summary, reason: 'I was told to' });
    return { call, preview, place, close: () => client.close() };
  }
  const open = (by: Agent, symbol: string, amount: string) =>
    by.call('POST', '/trade/open', { type: 'MARKET', legs: [usd(symbol, 'BUY', amount)] });

  /** USD that agents have opened on the account, as its executions tell. */
  async function opened(): Promise<number> {
    let sum = new Big(0);
    for (let cursor = ''; ; ) {
      const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const query = `limit=200&includeTriggers=true&includeSchedule=true${more}`;
      const { json } = await bot.call('GET', `/executions?${query}`);
      for (const { authority, intent, orders } of json.executions as Json[]) {
        if (authority?.kind !== 'oauth_grant' || (intent !== 'OPEN' && intent !== 'ADJUST')) continue;
        for (const { filledQuantity, averagePrice } of orders)
          sum = sum.plus(new Big(filledQuantity).mul(averagePrice ?? 0));
      }
      if (json.nextCursor === undefined || json.nextCursor === null) return Number(sum);
      cursor = json.nextCursor;
    }
  }

  const allEnded = () =>
    until(gateway.clock, 'all executions have ended', async () => {
      const path = '/executions?limit=200&includeTriggers=true&includeSchedule=true';
      const executions: readonly Json[] = (await bot.call('GET', path)).json.executions;
      return executions.every(({ status }) => status !== 'IDLE' && status !== 'ACTIVE');
    });

  it('gets no more by thousands of small orders, all at once, of every kind', async () => {
    const seen = new Map<string, number>();
    const once = async (nth: number) => {
      const symbol = COINS[nth % COINS.length] ?? 'BTC';
      const body = { legs: [usd(symbol, nth % 2 === 0 ? 'BUY' : 'SELL', String(20 + (nth % 37)))] };
      const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '0.0001', symbol: `${symbol}-PERP` };
      const answer =
        nth % 5 === 0
          ? await agent.call('POST', '/triggers/open', { ...body, condition, allowImmediate: true })
          : await agent.call('POST', '/trade/open', { type: 'MARKET', ...body });
      const code = `${answer.status} ${answer.json?.errorCode ?? ''}`.trim();
      seen.set(code, (seen.get(code) ?? 0) + 1);
    };
    for (let nth = 0; nth < CALLS; nth += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => once(nth + index)));
      // Some of them fill before the next ones come.
      await gateway.clock.advance(200);
    }
    await allEnded();
    const used = await opened();
    process.stdout.write(
      `      ${CALLS} calls: ${used.toFixed(2)} of ${LIMIT} USD; ${JSON.stringify([...seen])}\n`,
    );
    expect(used).to.be.greaterThan(LIMIT / 2);
    expect(used).to.be.at.most(LIMIT);
    expect(seen.get('403 AGENT_LIMIT')).to.be.greaterThan(0);
  });

  it('raises nothing of its own and pulls no brake up', async () => {
    const { json } = await agent.call('GET', '/agents/me');
    const { mandate } = json;
    const tries: readonly (readonly [method: string, path: string, body: object])[] = [
      [
        'PUT',
        `/agents/${agent.grantId}/mandate`,
        { mandate: { ...mandate?.terms, maxOrderUsd: null }, ifVersion: 1 },
      ],
      ['PUT', '/agents/limits', { limits: {}, ifVersion: 0 }],
      ['POST', `/agents/${agent.grantId}/resume`, {}],
      ['POST', '/safety/resume', {}],
      ['POST', '/safety/panic', { confirm: 'CLOSE ALL' }],
      ['POST', '/api-keys', { label: 'mine', scope: 'read_write' }],
      ['PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 20 }],
      ['POST', '/trade-accounts', { alias: 'another', connector: 'paper' }],
      ['POST', `/trade-accounts/${bot.accountId}/credentials`, {}],
      ['POST', '/positions/close-all', {}],
      ['POST', '/triggers/cancel-all', {}],
      ['POST', '/notifications/read', { before: new Date(gateway.clock.now()).toISOString() }],
    ];
    for (const [method, path, body] of tries) {
      const { status } = await agent.call(method, path, body);
      expect(status, `${method} ${path}`).to.equal(403);
    }
    expect((await agent.call('GET', '/agents/me')).json.mandate).to.deep.equal(mandate);
  });

  it('gets one order for a preview however often it is replayed, and none by other words or of another agent', async () => {
    const own = await tools(agent);
    const other = await tools(await connect({ continueBudget: false }));
    const first = await own.preview('BTC', '30');
    const second = await own.preview('ETH', '110');
    const theirs = await other.preview('SOL', '40');
    const swapped = await Promise.all([
      own.place(first.data.preview_id, second.data.summary),
      own.place(second.data.preview_id, first.data.summary),
      own.place(second.data.preview_id, second.data.summary.replace('110', '11')),
      own.place(theirs.data.preview_id, theirs.data.summary),
      own.place(`${first.data.preview_id}0`, first.data.summary),
      own.place(crypto.randomUUID(), first.data.summary),
    ]);
    for (const { text } of swapped) expect(text).to.match(/nothing was ordered/i);
    await allEnded();
    expect(await opened(), 'swapped summaries, others’ previews').to.equal(0);
    const again = () => own.place(first.data.preview_id, first.data.summary);
    const replays = [...(await Promise.all(Array.from({ length: AT_ONCE }, again))), await again()];
    await allEnded();
    replays.push(await again());
    const used = await opened();
    process.stdout.write(
      `      ${swapped.length} swapped or foreign: 0 USD; ${replays.length} replays: ${used.toFixed(2)} of 30 USD\n`,
    );
    expect(used).to.be.within(29, 30.3);
    expect((await bot.call('GET', '/executions')).json.executions).to.have.length(1);
    await own.close();
    await other.close();
  });

  it('gets nothing of its own onto a position of its user, nor any margin out of it', async () => {
    const isolated = { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' };
    expect((await bot.call('PUT', '/leverage', isolated)).status).to.equal(200);
    expect((await open(agent, 'BTC', '12')).status).to.equal(202);
    await allEnded();
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    const { positionId } = await bot.open([usd('BTC', 'BUY', '5000')], { stopLoss });
    await bot.call('POST', `/positions/${positionId}/margin`, { symbol: 'BTC-PERP', amount: '500' });
    const saved = await bot.call('POST', '/saved-baskets', {
      name: 'Mine',
      legs: [{ symbol: 'BTC-PERP', side: 'BUY', weight: 1 }],
    });
    const state = async () => {
      const { json } = await bot.call('GET', `/positions/${positionId}`);
      const { quantity, marginUsed, leverage } = json.legs[0];
      const { triggerId, status } = json.stopLoss;
      const baskets = (await bot.call('GET', '/saved-baskets')).json.savedBaskets;
      return [
        quantity,
        marginUsed,
        leverage,
        triggerId,
        status,
        json.takeProfit,
        json.autoRebalance,
        baskets,
      ];
    };
    const before = await state();
    const tight = { type: 'PERCENTAGE', value: '0.1' };
    const legs = [usd('BTC', 'BUY', '12')];
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'BTC-PERP' };
    const brought: readonly object[] = [
      { stopLoss: tight },
      { takeProfit: tight },
      { stopLoss: tight, brackets: 'REPLACE' },
      { takeProfit: tight, brackets: 'REPLACE' },
    ];
    const autoRebalance = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.005' };
    const at = `/positions/${positionId}`;
    const tries: readonly (readonly [method: string, path: string, body: object])[] = [
      ...brought.flatMap((along): readonly (readonly [string, string, object])[] => [
        ['POST', '/trade/open', { type: 'MARKET', legs, ...along }],
        ['POST', '/triggers/open', { legs, condition, allowImmediate: true, ...along }],
        ['POST', '/schedules', { legs, durationSeconds: 60, intervalSeconds: 60, ...along }],
      ]),
      ['POST', '/trade/open', { type: 'MARKET', legs, autoRebalance }],
      ['PUT', `${at}/auto-rebalance`, autoRebalance],
      ['PUT', `${at}/brackets`, { stopLoss: tight }],
      ['PUT', `${at}/brackets`, { stopLoss: null }],
      ['POST', `${at}/margin`, { symbol: 'BTC-PERP', amount: '-400' }],
      ['POST', `${at}/reverse`, {}],
      ['PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 40 }],
      ['PATCH', `/saved-baskets/${saved.json.id}`, { name: 'Taken' }],
      ['DELETE', `/saved-baskets/${saved.json.id}`, {}],
      [
        'POST',
        `/trade-accounts/${bot.accountId}/paper/outside-order`,
        { symbol: 'BTC-PERP', side: 'SELL', usd: '5' },
      ],
      ['POST', `/trade-accounts/${bot.accountId}/paper/reset`, {}],
    ];
    for (const [method, path, body] of tries) {
      const { status, text } = await agent.call(method, path, body);
      expect(status, `${method} ${path} ${text}`).to.equal(403);
    }
    const { call, close } = await tools(agent);
    const stop = { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '0.1' };
    const basket = { account: bot.accountId, long: ['BTC-PERP'], long_usd: '12' };
    const change = { account: bot.accountId, position_id: positionId };
    const previews = [
      await call('preview_basket', { ...basket, ...stop }),
      await call('preview_basket', { ...basket, ...stop, existing_protection: 'REPLACE' }),
      await call('preview_basket', { ...basket, keep_weights_min_drift_pct: '1' }),
      await call('preview_change', { ...change, action: 'protect', ...stop }),
      await call('preview_change', { ...change, action: 'keep_weights', keep_weights_min_drift_pct: '1' }),
      await call('preview_change', {
        ...{ ...change, action: 'margin', margin_instrument: 'BTC-PERP', margin_usd: '-400' },
      }),
    ];
    for (const { data, text } of previews)
      expect([data.verdict, data.preview_id], text).to.deep.equal(['REFUSED', null]);
    await close();
    await allEnded();
    expect(await state()).to.deep.equal(before);
  });

  it('finds nothing under ids of another agent', async () => {
    const other = await connect({ continueBudget: false });
    await open(other, 'BTC', '50');
    await allEnded();
    const [position] = await bot.positions();
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '99999999', symbol: 'ETH-PERP' };
    const waits = await other.expect('POST', '/triggers/open', {
      legs: [usd('ETH', 'BUY', '20')],
      condition,
    });
    const nobody = '00000000-0000-7000-8000-000000000000';
    const tries = (at: string, trigger: string): readonly (readonly [string, string, object])[] => [
      ['POST', `/positions/${at}/close`, { type: 'MARKET' }],
      ['POST', `/positions/${at}/adjust`, { intent: 'REDUCE', usd: '10' }],
      ['PUT', `/positions/${at}/brackets`, { takeProfit: null }],
      ['POST', `/triggers/${trigger}/cancel`, {}],
      ['PATCH', `/triggers/${trigger}`, { condition: { value: '1' } }],
    ];
    for (const [index, [method, path, body]] of tries(position.id, waits.id).entries()) {
      const one = await agent.call(method, path, body);
      const none = await agent.call(method, tries(nobody, nobody)[index]?.[1] ?? '', body);
      expect([one.status, one.json.message], path).to.deep.equal([none.status, none.json.message]);
      expect(one.status).to.be.oneOf([403, 404]);
    }
    const { call, close } = await tools(agent);
    const cancelled = await call('cancel', { ids: [waits.id] });
    expect(cancelled.text).to.contain('NOT CANCELLED: Trigger not found');
    await close();
    expect((await other.call('GET', `/triggers/${waits.id}`)).json.status).to.equal('ACTIVE');
    expect(await bot.positions()).to.have.length(1);
  });
});
