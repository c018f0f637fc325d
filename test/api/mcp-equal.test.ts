/**
 * MCP allows an agent exactly what REST does: the same orders, in the same sequence, requested at two gateways in equal
 * states, by agents with the same mandate.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { forAllAsync, propertyRuns } from '../support/property-runs.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { trader, usd } from '../support/trader.ts';

const RUNS = 4;

interface Asked {
  readonly long: string;
  readonly short: string | null;
  readonly usd: string;
  readonly slippage: string;
}

/** None of them, and no sum of them, is as near to a limit as marks move in a test. */
const asked: fc.Arbitrary<Asked> = fc.record({
  long: fc.constantFrom('BTC', 'SOL', 'NOSUCH'),
  short: fc.constantFrom('ETH', 'AVAX', null),
  usd: fc.constantFrom('1', '30', '70', '110', '190', '400', '5000'),
  slippage: fc.constantFrom('0.5', '0.9', '4'),
});

/** So that every decision is met, whatever chance brings. */
const EACH_DECISION: Asked[] = ['30', '190', '5000'].map((amount) => ({
  long: 'SOL',
  short: 'AVAX',
  usd: amount,
  slippage: '0.5',
}));

type Decision = 'ORDERED' | 'ASKED' | 'REFUSED';

describe('an order of an agent by REST and by MCP', () => {
  it('meets the same decision', async () => {
    const seen = new Set<Decision>();
    await forAllAsync(
      [fc.array(asked, { minLength: 6, maxLength: 10 })],
      { ...propertyRuns(RUNS, RUNS), endOnFailure: true, examples: [[EACH_DECISION]] },
      async (orders) => {
        for (const decision of await equalDecisions(orders)) seen.add(decision);
      },
    );
    expect([...seen]).to.have.members(['ORDERED', 'ASKED', 'REFUSED']);
  });

  it('meets the same decision where it adds to an open basket and no further one may be opened @long', async () => {
    const small = { usd: '70', slippage: '0.5' };
    const orders: Asked[] = [
      { long: 'SOL', short: 'AVAX', ...small },
      { long: 'SOL', short: 'ETH', ...small },
      { long: 'BTC', short: 'AVAX', ...small },
      { long: 'BTC', short: 'ETH', ...small },
      { long: 'SOL', short: null, ...small },
      { long: 'SOL', short: 'ETH', ...small, usd: '75' },
    ];
    expect(await equalDecisions(orders)).to.deep.equal([...Array(4).fill('ORDERED'), 'REFUSED', 'ORDERED']);
  });

  it('meets the same decision where what was refused for its size is asked for once more @long', async () => {
    const orders = ['0.9', '0.5'].map((slippage) => ({ long: 'SOL', short: 'AVAX', usd: '1', slippage }));
    expect(await equalDecisions(orders)).to.deep.equal(['REFUSED', 'REFUSED']);
  });
});

/** The decisions on these orders, in this sequence, which are the same in both ways. */
async function equalDecisions(orders: readonly Asked[]): Promise<Decision[]> {
  const decisions: Decision[] = [];
  const [rest, mcp] = await Promise.all([desk(), desk()]);
  try {
    for (const order of orders) {
      const byRest = await overRest(rest, order);
      const byMcp = await overMcp(mcp, order);
      expect(byMcp, JSON.stringify(order)).to.deep.equal(byRest);
      decisions.push(byRest.decision);
    }
  } finally {
    await Promise.all([rest.close(), mcp.close()]);
  }
  return decisions;
}

/** A gateway of its own with one agent, up to 500 USD a basket, whose user is asked above 250. */
async function desk() {
  const gateway = await startTestGateway();
  const bot = await trader(gateway);
  const mandate = smallMandate(bot.accountId, {
    rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
  });
  const agent = await connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
  const client = await newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` });
  return {
    ...{ agent, bot, client },
    async close() {
      await client.close();
      await gateway.close();
    },
  };
}
type Desk = Awaited<ReturnType<typeof desk>>;

interface Met {
  readonly decision: Decision;
  /** Names of the limits that it would break. */
  readonly limits: readonly string[];
}
const met = (decision: Decision, limits: readonly Json[] = []): Met => ({
  decision,
  limits: [...new Set(limits.map(String))].sort(),
});

async function overRest({ agent, bot }: Desk, order: Asked): Promise<Met> {
  const { long, short, usd: amount, slippage } = order;
  const { status, json, text } = await agent.call('POST', '/trade/open', {
    type: 'MARKET',
    legs: [usd(long, 'BUY', amount), ...(short === null ? [] : [usd(short, 'SELL', amount)])],
    slippage: String(Number(slippage) / 100),
  });
  if (status === 202) {
    const { status: end } = await bot.ended(json.execution.id);
    return met(end === 'COMPLETED' ? 'ORDERED' : 'REFUSED');
  }
  if (json.details?.reason === 'APPROVAL') return met('ASKED');
  if (status >= 500) throw new Error(`open: ${status} ${text}`);
  return met(
    'REFUSED',
    (json.details?.limits ?? []).map(({ limit }: Json) => limit),
  );
}

async function overMcp({ client, bot }: Desk, order: Asked): Promise<Met> {
  const { long, short, usd: amount, slippage } = order;
  const shown = await callTool(client, 'preview_basket', {
    account: bot.accountId,
    long: [`${long}-PERP`],
    long_usd: amount,
    ...(short === null ? {} : { short: [`${short}-PERP`], short_usd: amount }),
    slippage_pct: slippage,
  });
  if (shown.isError) return met('REFUSED');
  const { verdict, preview_id, summary, limits } = shown.data;
  if (verdict === 'REFUSED')
    return met(
      'REFUSED',
      limits.map(({ name }: Json) => name),
    );
  const placed = await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' });
  if (placed.data.outcome === 'WAITING_FOR_USER') return met('ASKED');
  expect(placed.data.outcome, placed.text).to.equal(
    verdict === 'NEEDS_APPROVAL' ? 'WAITING_FOR_USER' : 'FILLED',
  );
  return met('ORDERED');
}
