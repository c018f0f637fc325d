/** Terms bound by an approval: if anything shown changes between review and approval, the user is asked again. */
import { expect } from 'chai';
import type { Caller } from '../support/agents.ts';
import { AskedDesk, LARGE, TestMandates } from '../support/asked-desk.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { askingMandate } from '../support/mandates.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { trader } from '../support/trader.ts';

const SURFACES = ['REST', 'MCP'] as const;
type Surface = (typeof SURFACES)[number];

/** The same order on both surfaces: 400 USD of each leg. */
const OF_MCP = { long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '400', short_usd: '400' };

describe('an approval binds what was shown', () => {
  const gateway = openForSuite(() => startTestGateway({ overrides: { mandates } }));
  let desk: AskedDesk;
  const mandates = new TestMandates();
  let nth = 0;
  beforeEach(async () => {
    nth += 1;
    const email = `ada${nth}@example.test`;
    const { accountId } = await trader(gateway, { email });
    desk = await AskedDesk.beside(gateway, mandates, email, accountId);
  });

  const asUser = (method: string, path: string, body?: unknown) =>
    desk.user(method, path, body, { 'x-trade-account-id': desk.bot.accountId });

  /** Pending approval after the agent has requested the order. */
  async function waiting(surface: Surface, tool: string, args: object, rest: readonly [string, object]) {
    if (surface === 'REST') {
      const asked = await desk.bot.call('POST', ...rest);
      expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
      return desk.read(asked.json.details.approvalId);
    }
    const client = await newClient(gateway.url, { 'x-api-key': desk.bot.key });
    try {
      const { data, text } = await callTool(client, tool, { account: desk.bot.accountId, ...args });
      const { preview_id, summary } = data;
      expect(preview_id, text).to.be.a('string');
      const placed = await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.data.outcome, placed.text).to.equal('WAITING_FOR_USER');
      return desk.read(placed.data.approval.id);
    } finally {
      await client.close();
    }
  }

  const opening = (surface: Surface, mcp: object = {}, rest: object = {}) =>
    waiting(surface, 'preview_basket', { ...OF_MCP, ...mcp }, [
      '/trade/open',
      { type: 'MARKET', legs: LARGE, slippage: '0.01', ...rest },
    ]);

  async function setLeverage(
    leverage: number,
    marginMode: 'cross' | 'isolated',
    by: Caller['call'] = asUser,
  ) {
    const set = await by('PUT', '/leverage', { symbol: 'BTC-PERP', leverage, marginMode });
    expect(set.status, set.text).to.equal(200);
  }

  /** A position of both legs, opened below what has to be asked about, with a stop-loss. */
  async function held(): Promise<Json> {
    const legs = LARGE.map((leg) => ({ ...leg, amount: '100' }));
    await desk.bot.open(legs, { stopLoss: { type: 'PERCENTAGE', value: '5' } });
    const [position] = await desk.bot.positions();
    return position;
  }

  interface Row {
    readonly name: string;
    /** Makes the agent's request. @returns the approval as shown, and a function that changes the terms afterwards */
    readonly prepare: (surface: Surface) => Promise<{
      readonly shown: Json;
      readonly change: () => Promise<void>;
    }>;
    readonly changed: string;
  }

  const ROWS: readonly Row[] = [
    {
      name: 'leverage',
      changed: 'leverage',
      async prepare(surface) {
        await setLeverage(2, 'cross');
        return { shown: await opening(surface), change: () => setLeverage(10, 'cross') };
      },
    },
    {
      name: 'leverage that the agent itself sets',
      changed: 'leverage',
      async prepare(surface) {
        await setLeverage(2, 'cross');
        const { rights } = askingMandate([desk.bot.accountId]);
        mandates.set(desk.keyId, { mandate: { rights: { ...rights, changeLeverage: true } } });
        return { shown: await opening(surface), change: () => setLeverage(40, 'isolated', desk.bot.call) };
      },
    },
    {
      name: 'margin mode',
      changed: 'leverage',
      async prepare(surface) {
        await setLeverage(2, 'cross');
        return { shown: await opening(surface), change: () => setLeverage(2, 'isolated') };
      },
    },
    {
      name: 'account mode',
      changed: 'accountMode',
      async prepare(surface) {
        const venue = gateway.gateway.paperVenue('paper');
        const inMode = (name: string) =>
          Object.assign(venue, {
            accountStatus: () => ({
              ...{ status: 'UP', trading: 'UP', reason: null, until: null },
              mode: { name, detail: 'For a test', changedAt: null },
            }),
          });
        inMode('standard');
        const shown = await opening(surface);
        return {
          shown,
          change: async () => {
            inMode('unified');
          },
        };
      },
    },
    {
      name: 'the stop-loss of the position that it adds to',
      changed: 'protection',
      async prepare(surface) {
        const { id } = await held();
        return {
          shown: await opening(surface),
          change: async () => {
            const put = await asUser('PUT', `/positions/${id}/brackets`, { stopLoss: null });
            expect(put.status, put.text).to.equal(200);
          },
        };
      },
    },
    {
      name: 'a pause of the stop-loss of the position that it adds to',
      changed: 'protection',
      async prepare(surface) {
        const { stopLoss } = await held();
        return {
          shown: await opening(surface),
          change: async () => {
            const paused = await asUser('POST', `/triggers/${stopLoss.triggerId}/pause`);
            expect(paused.status, paused.text).to.equal(200);
          },
        };
      },
    },
    {
      name: 'the size of the position that it reverses, smaller than was shown',
      changed: 'held',
      async prepare(surface) {
        const { id } = await held();
        const { approval } = askingMandate([], { driftBps: 500, aboveUsd: '50' });
        mandates.set(desk.keyId, { mandate: { approval } });
        const shown = await waiting(surface, 'preview_change', { position_id: id, action: 'reverse' }, [
          `/positions/${id}/reverse`,
          {},
        ]);
        return {
          shown,
          change: async () => {
            const less = await asUser('POST', `/positions/${id}/adjust`, {
              intent: 'REDUCE',
              fraction: '0.5',
            });
            await desk.bot.ended(less.json.execution.id);
          },
        };
      },
    },
  ];

  for (const { name, prepare, changed } of ROWS) {
    for (const surface of SURFACES) {
      it(`${name}, asked through ${surface}: the old hash places nothing, the new figures do${surface === 'REST' ? '' : ' @long'}`, async () => {
        const { shown, change } = await prepare(surface);
        const before = (await desk.executions()).length;
        await change();
        const during = (await desk.executions()).length;
        const refused = await desk.approve(shown.id, shown.planHash);
        expect([refused.status, refused.json.details?.reason], refused.text).to.deep.equal([
          409,
          'PLAN_CHANGED',
        ]);
        expect(refused.json.details.changed).to.deep.equal([changed]);
        expect(await desk.executions()).to.have.length(during);
        const next = await desk.read(shown.id);
        expect([next.status, next.planHash === shown.planHash]).to.deep.equal(['PENDING', false]);
        const approved = await desk.approve(next.id, next.planHash);
        expect(approved.status, approved.text).to.equal(200);
        expect((await desk.executions()).length).to.be.above(before);
      });
    }
  }

  const REQUESTS: Readonly<Record<string, readonly [mcp: object, rest: object]>> = {
    slippage: [{ slippage_pct: '0.5' }, { slippage: '0.005' }],
    size: [{ long_usd: '401' }, { legs: LARGE.map((leg) => ({ ...leg, amount: '401' })) }],
    brackets: [
      { stop_loss_metric: 'PERCENTAGE', stop_loss_value: '5' },
      { stopLoss: { type: 'PERCENTAGE', value: '5' } },
    ],
  };
  for (const [name, [mcp, rest]] of Object.entries(REQUESTS)) {
    for (const surface of SURFACES) {
      it(`another ${name} in the request, through ${surface}, is another plan`, async () => {
        const first = await opening(surface);
        await desk.deny(first.id);
        const second = await opening(surface, mcp, rest);
        expect(second.planHash).to.not.equal(first.planHash);
        const refused = await desk.approve(second.id, first.planHash);
        expect([refused.status, refused.json.details?.reason]).to.deep.equal([409, 'PLAN_CHANGED']);
      });
    }
  }

  it('another account is another plan', async () => {
    const first = await opening('REST');
    await desk.deny(first.id);
    const made = await desk.user('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    const [other, id] = [made.json.id, desk.keyId];
    mandates.set(id, { mandate: { accounts: [desk.bot.accountId, other] } });
    const asked = await desk.bot.call(
      'POST',
      '/trade/open',
      { type: 'MARKET', legs: LARGE },
      { 'x-trade-account-id': other },
    );
    const refused = await desk.approve(asked.json.details.approvalId, first.planHash);
    expect([refused.status, refused.json.details?.reason]).to.deep.equal([409, 'PLAN_CHANGED']);
  });

  it('shows the leverage that is approved, not one that was set since', async () => {
    await setLeverage(2, 'cross');
    const shown = await opening('REST');
    await setLeverage(10, 'isolated');
    const [leg] = (await desk.read(shown.id)).plan.legs;
    expect([leg.leverage, leg.marginMode]).to.deep.equal([2, 'cross']);
  });

  const CONDITION = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '99999999' };
  const USERS_CHANGES: Readonly<Record<string, object>> = {
    level: { condition: { value: '88888888' } },
    'stop-loss': { stopLoss: { type: 'PERCENTAGE', value: '3' } },
    expiry: { expiresAt: '2026-02-28T12:00:00Z' },
  };
  for (const [name, change] of Object.entries(USERS_CHANGES))
    it(`binds the trigger that is to be changed: another ${name} since asks anew`, async () => {
      const small = LARGE.map((leg) => ({ ...leg, amount: '20' }));
      const trigger = await desk.bot.expect('POST', '/triggers/open', { legs: small, condition: CONDITION });
      const path = `/triggers/${trigger.id}`;
      mandates.set(desk.keyId, {
        mandate: {
          manage: 'ALL',
          approval: askingMandate([], { when: 'always', aboveUsd: null }).approval,
        },
      });
      const asked = await desk.bot.call('PATCH', path, { condition: { value: '77777777' } });
      expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
      const { id, planHash, terms } = await desk.read(asked.json.details.approvalId);
      expect(terms.find((one: Json) => one.name === 'Before: When').value).to.contain('99999999');
      const changed = await asUser('PATCH', path, change);
      expect(changed.status, changed.text).to.equal(200);
      const refused = await desk.approve(id, planHash);
      expect([refused.status, refused.json.details?.changed], refused.text).to.deep.equal([409, ['changes']]);
      expect((await asUser('GET', path)).json.condition.value).to.not.equal('77777777');
      const next = await desk.read(id);
      expect((await desk.approve(id, next.planHash)).status).to.equal(200);
      expect((await asUser('GET', path)).json.condition.value).to.equal('77777777');
    });

  it('keeps the leverage that was shown while what was approved waits', async () => {
    const { rights } = askingMandate([desk.bot.accountId]);
    mandates.set(desk.keyId, { mandate: { rights: { ...rights, changeLeverage: true } } });
    const raise = () =>
      desk.bot.call('PUT', '/leverage', { symbol: 'BTC-PERP', leverage: 40, marginMode: 'isolated' });
    const condition = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '99999999' };
    const asked = await desk.bot.call('POST', '/triggers/open', { legs: LARGE, condition });
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    const { id, planHash } = await desk.read(asked.json.details.approvalId);
    const approved = await desk.approve(id, planHash);
    expect(approved.status, approved.text).to.equal(200);
    const refused = await raise();
    expect([refused.status, refused.json.details.reason], refused.text).to.deep.equal([
      409,
      'WAITING_ORDERS',
    ]);
    const [{ id: trigger }] = (await desk.bot.call('GET', '/triggers')).json.triggers;
    expect((await asUser('POST', `/triggers/${trigger}/cancel`)).status).to.equal(200);
    // Orders of the user wait at it, too.
    const users = await asUser('POST', '/triggers/open', { legs: LARGE, condition });
    expect(users.status, users.text).to.equal(200);
    expect((await raise()).json.details.reason).to.equal('WAITING_ORDERS');
    expect((await asUser('POST', `/triggers/${users.json.id}/cancel`)).status).to.equal(200);
    expect((await raise()).status).to.equal(200);
  });
});
