/** Limits in money for an agent or a key: set at consent or with the key, read, changed, suspended, stored. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { AUTH_MESSAGES } from '../../gateway/contract/errors.ts';
import { canonicalJson } from '../../gateway/domain/canonical-json.ts';
import { type Agent, connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('mandates', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const own = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, { headers: { authorization: `Bearer ${bot.accessToken}` }, body });
  const agents = async (): Promise<Json[]> => (await own('GET', '/agents')).json.agents;
  const agentOf = async (id: string): Promise<Json> => (await agents()).find((one) => one.id === id);
  const log = async (): Promise<string[]> =>
    (await own('GET', '/audit-log')).json.auditEntries.map(({ action }: Json) => action);

  const connect = (consent: object = {}) => connectAgent(gateway, bot, consentVisitor(gateway), { consent });
  const limited = (over: object = {}): Promise<Agent> =>
    connect({ mandate: smallMandate(bot.accountId, over) });

  describe('given at the consent', () => {
    it('stands beside the grant, hashed, and the agent reads its own', async () => {
      const agent = await limited();
      const listed = await agentOf(agent.grantId);
      expect(listed).to.include({ kind: 'oauth_grant', name: 'Test agent', state: 'ASKS', suspended: null });
      const { mandate } = listed;
      expect(mandate.version).to.equal(1);
      expect(mandate.terms).to.deep.equal(smallMandate(bot.accountId));
      expect(mandate.hash).to.equal(createHash('sha256').update(canonicalJson(mandate.terms)).digest('hex'));
      const me = await agent.expect('GET', '/agents/me');
      expect(me).to.deep.equal({
        mandate,
        suspended: null,
        usage: {
          openedUsd24h: '0',
          opened: { filledUsd: '0', reservedUsd: '0', askedUsd: '0' },
          grossUsd: '0',
          gross: { heldUsd: '0', reservedUsd: '0', waitingUsd: '0', askedUsd: '0' },
          lossUsd24h: '0',
          positions: 0,
          positionsHeld: 0,
          resting: 0,
          restingPlaced: 0,
          ordersLastMinute: 0,
          ordersLastDay: 0,
        },
        house: null,
      });
      expect(await log()).to.include.members(['agent.approved', 'mandate.changed']);
    });

    it('without one nothing is limited, and it says so', async () => {
      const agent = await connect();
      expect(await agentOf(agent.grantId)).to.include({ state: 'UNLIMITED', mandate: null });
      expect((await agent.call('GET', '/agents/me')).json.mandate).to.equal(null);
      expect(await log()).to.not.include('mandate.changed');
    });

    it('takes decimals and lists in any spelling and keeps one', async () => {
      const agent = await limited({
        maxOrderUsd: '0500.00',
        kinds: ['protect', 'now', 'now'],
        deny: ['ETH-PERP', 'BTC-PERP'],
        accounts: [bot.accountId.toUpperCase()],
      });
      const { terms } = (await agentOf(agent.grantId)).mandate;
      expect(terms.maxOrderUsd).to.equal('500');
      expect(terms.kinds).to.deep.equal(['now', 'protect']);
      expect(terms.deny).to.deep.equal(['BTC-PERP', 'ETH-PERP']);
      expect(terms.accounts).to.deep.equal([bot.accountId]);
    });

    for (const [what, over, path] of [
      ['an account of somebody else', { accounts: [NOBODY] }, 'mandate.accounts.0'],
      ['an end that is over', { validUntil: '2020-01-01T00:00:00Z' }, 'mandate.validUntil'],
      ['a number for an amount', { maxOrderUsd: 500 }, 'mandate.maxOrderUsd'],
      ['an amount with an exponent', { maxGrossUsd: '1e9' }, 'mandate.maxGrossUsd'],
      ['an unknown field', { maxFun: '1' }, 'mandate.maxFun'],
      [
        'a zone that is none',
        { hours: { zone: 'Mars/One', days: [1], from: '09:00', to: '17:00' } },
        'mandate.hours.zone',
      ],
      [
        'asking above no amount',
        { approval: { ...smallMandate('').approval, aboveUsd: null } },
        'mandate.approval.aboveUsd',
      ],
    ] as const) {
      it(`refuses ${what}, and the request stays open${what === 'an account of somebody else' ? '' : ' @long'}`, async () => {
        const visitor = consentVisitor(gateway);
        const client = oauthClient(gateway);
        const path0 = client.authorizePath(await client.register(), 'c'.repeat(43));
        const uid = await visitor.open(`${gateway.url}${path0}`);
        await visitor.login(uid);
        const mandate = { ...smallMandate(bot.accountId), ...over };
        const refused = await visitor.confirm(uid, ['mcp:read'], { mandate });
        expect(refused.status, refused.text).to.equal(400);
        expect(refused.json.details.map((detail: Json) => detail.path)).to.deep.equal([path]);
        expect((await agents()).map(({ kind }) => kind)).to.deep.equal(['api_key']);
        expect((await visitor.confirm(uid, ['mcp:read'])).status).to.equal(200);
      });
    }
  });

  describe('changed', () => {
    it('is tightened without, and loosened only with the password', async () => {
      const agent = await limited();
      const path = `/agents/${agent.grantId}/mandate`;
      const put = (over: object, ifVersion: number, password?: string) =>
        own('PUT', path, { mandate: smallMandate(bot.accountId, over), ifVersion, password });
      const tightened = await put({ maxOrderUsd: '100' }, 1);
      expect(tightened.status, tightened.text).to.equal(200);
      expect(tightened.json.mandate.version).to.equal(2);
      for (const [password, message] of [
        [undefined, 'Needed to allow more than before'],
        ['not it', 'Wrong password'],
      ] as const) {
        const refused = await put({ maxOrderUsd: '101' }, 2, password);
        expect(refused.status).to.equal(400);
        expect(refused.json.details[0]).to.include({ path: 'password', message });
      }
      const loosened = await put({ maxOrderUsd: '101' }, 2, PASSWORD);
      expect(loosened.status, loosened.text).to.equal(200);
      expect(loosened.json.mandate).to.include({ version: 3 });
      expect(loosened.json.mandate.terms.maxOrderUsd).to.equal('101');
    });

    it('only from the version that binds, whoever is first', async () => {
      const agent = await limited();
      const path = `/agents/${agent.grantId}/mandate`;
      const answers = await Promise.all(
        ['400', '300', '200', '100'].map((maxOrderUsd) =>
          own('PUT', path, { mandate: smallMandate(bot.accountId, { maxOrderUsd }), ifVersion: 1 }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
      const lost = answers.find(({ status }) => status === 409);
      expect(lost?.json).to.include({ errorCode: 'RESOURCE_BUSY' });
      expect(lost?.json.details).to.deep.equal({ reason: 'OTHER_VERSION' });
      expect((await agentOf(agent.grantId)).mandate.version).to.equal(2);
      const stale = await own('PUT', path, { mandate: smallMandate(bot.accountId), ifVersion: 1 });
      expect(stale.status).to.equal(409);
    });

    it('gives a mandate to an agent that had none, which only takes away', async () => {
      const agent = await connect();
      const given = await own('PUT', `/agents/${agent.grantId}/mandate`, {
        mandate: smallMandate(bot.accountId),
        ifVersion: 0,
      });
      expect(given.status, given.text).to.equal(200);
      expect(given.json).to.include({ state: 'ASKS' });
    });

    it('lets a close wait that an agent had placed before it had one, also after a restart', async () => {
      const agent = await connect();
      const { positionId } = await bot.open([usd('SOL', 'BUY', '600')]);
      const { mark } = (await bot.expect('GET', '/prices?connector=paper')).prices.find(
        (one: Json) => one.id === 'SOL-PERP',
      );
      const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN' };
      const closeAt = async (factor: number) => {
        const at = { ...condition, value: (Number(mark) * factor).toFixed(2) };
        const body = { type: 'TRIGGER', fraction: '0.5', condition: at };
        return (await agent.expect('POST', `/positions/${positionId}/close`, body)).id;
      };
      const before = await closeAt(1.1);
      const path = `/agents/${agent.grantId}/mandate`;
      await gateway.clock.advance(1_000);
      const wide = smallMandate(bot.accountId, { manage: 'ALL' });
      expect((await own('PUT', path, { mandate: wide, ifVersion: 0 })).status).to.equal(200);
      const narrow = { ...wide, manage: 'OWN' };
      const after = await closeAt(1.1);
      expect((await own('PUT', path, { mandate: narrow, ifVersion: 1 })).status).to.equal(200);
      await gateway.restart();
      await gateway.gateway.paperVenue('paper').shock('SOL-PERP', 1.2);
      const trigger = (id: string) => bot.expect('GET', `/triggers/${id}`);
      await until(gateway.clock, 'the later one waits', async () => {
        return (await trigger(after)).pauseReason === 'AGENT_LIMIT';
      });
      await until(gateway.clock, 'the earlier one has closed', async () => {
        return (await trigger(before)).status === 'COMPLETED';
      });
    });

    it('survives a restart, every version on disk', async () => {
      const agent = await limited();
      const mandate = smallMandate(bot.accountId, { maxOrderUsd: '7' });
      await own('PUT', `/agents/${agent.grantId}/mandate`, { mandate, ifVersion: 1 });
      await own('PUT', '/agents/limits', { limits: HOUSE, ifVersion: 0 });
      await own('POST', `/agents/${agent.grantId}/suspend`, { reason: 'Lunch' });
      // `lastSeenAt` is stored with the agent's last refresh only, to the second.
      const shown = async () => (await agents()).map(({ lastSeenAt: _, ...rest }) => rest);
      const before = await shown();
      await gateway.restart();
      expect(await shown()).to.deep.equal(before);
      const { suspended } = await agentOf(agent.grantId);
      expect(suspended).to.include({ reason: 'Lunch', by: 'USER' });
      expect((await own('GET', '/agents/limits')).json.limits).to.deep.equal(HOUSE);
    });
  });

  describe('suspended', () => {
    it('until a session resumes it', async () => {
      const agent = await limited();
      const path = `/agents/${agent.grantId}`;
      expect((await own('POST', `${path}/resume`)).json).to.include({ errorCode: 'NOOP_ERROR' });
      const suspended = await own('POST', `${path}/suspend`);
      expect(suspended.json).to.include({ state: 'SUSPENDED' });
      expect((await own('POST', `${path}/suspend`)).status).to.equal(200);
      expect((await agent.call('GET', '/agents/me')).json.suspended).to.include({ by: 'USER' });
      expect((await own('POST', `${path}/resume`)).json).to.include({ state: 'ASKS', suspended: null });
      const actions = await log();
      expect(actions.filter((action) => action === 'agent.suspended')).to.have.length(1);
      expect(actions.filter((action) => action === 'agent.resumed')).to.have.length(1);
    });

    it('all at once, also those without a mandate, and keys that have one', async () => {
      const unlimited = await connect();
      const agent = await limited();
      const key = await own('POST', '/api-keys', {
        label: 'small',
        scope: 'read_write',
        mandate: smallMandate(bot.accountId),
      });
      expect(key.status, key.text).to.equal(201);
      const paused = await own('POST', '/agents/pause-all');
      expect(paused.json.suspended.sort()).to.deep.equal(
        [unlimited.grantId, agent.grantId, key.json.id].sort(),
      );
      expect((await own('POST', '/agents/pause-all')).json.suspended).to.deep.equal([]);
      const states = new Map((await agents()).map(({ name, state }) => [name, state]));
      expect([states.get('small'), states.get('test')]).to.deep.equal(['SUSPENDED', 'UNLIMITED']);
    });
  });

  describe('of an API key', () => {
    it('asks nobody about margin and more protection: margin is refused as a kind to ask about', async () => {
      const mandate = smallMandate(bot.accountId);
      const margin = { ...mandate.approval, kinds: ['margin'] };
      const body = { label: 'margin', scope: 'read_write', mandate: { ...mandate, approval: margin } };
      const refused = await own('POST', '/api-keys', body);
      expect([refused.status, refused.text]).to.satisfy(
        ([status, text]: [number, string]) => status === 400 && text.includes('never waits for a person'),
      );
      const always = { ...mandate, approval: { ...mandate.approval, when: 'always', aboveUsd: null } };
      const made = await own('POST', '/api-keys', { label: 'asks', scope: 'read_write', mandate: always });
      const { positionId } = await bot.open([usd('BTC', 'BUY', '100')]);
      const brackets = await gateway.request('PUT', `/positions/${positionId}/brackets`, {
        headers: { 'x-api-key': made.json.key, 'x-trade-account-id': bot.accountId },
        body: { stopLoss: { type: 'PERCENTAGE', value: '5' } },
      });
      expect(brackets.json.details?.reason, brackets.text).to.not.equal('APPROVAL');
    });

    it('is made with it, bound to it, and gone with it', async () => {
      const mandate = smallMandate(bot.accountId);
      const made = await own('POST', '/api-keys', { label: 'small', scope: 'read_write', mandate });
      const asKey = (path: string) =>
        gateway.request('GET', path, { headers: { 'x-api-key': made.json.key } });
      expect((await asKey('/agents/me')).json.mandate.terms).to.deep.equal(mandate);
      expect((await agentOf(made.json.id)).kind).to.equal('api_key');
      const changed = await own('PUT', `/agents/${made.json.id}/mandate`, {
        mandate: { ...mandate, maxOrderUsd: '5' },
        ifVersion: 1,
      });
      expect(changed.json.mandate.version).to.equal(2);
      await gateway.restart();
      expect((await asKey('/agents/me')).json.mandate.terms.maxOrderUsd).to.equal('5');
      await own('DELETE', `/api-keys/${made.json.id}`);
      expect(await agentOf(made.json.id)).to.equal(undefined);
    });
  });

  describe('limits over all agents', () => {
    it('begin as none, are tightened at once and loosened with the password', async () => {
      const none = (await own('GET', '/agents/limits')).json;
      expect(none).to.include({ version: 0, since: null });
      expect(Object.values(none.limits)).to.deep.equal([null, null, null, null, null, null]);
      const set = await own('PUT', '/agents/limits', { limits: HOUSE, ifVersion: 0 });
      expect(set.status, set.text).to.equal(200);
      expect(set.json).to.include({ version: 1 });
      const wider = { ...HOUSE, lossUsd24h: null };
      expect((await own('PUT', '/agents/limits', { limits: wider, ifVersion: 1 })).status).to.equal(400);
      const loosened = await own('PUT', '/agents/limits', {
        limits: wider,
        ifVersion: 1,
        password: PASSWORD,
      });
      expect(loosened.json).to.deep.include({ version: 2, limits: wider });
      expect((await own('PUT', '/agents/limits', { limits: HOUSE, ifVersion: 1 })).status).to.equal(409);
      const agent = await limited();
      expect((await agent.call('GET', '/agents/me')).json.house).to.deep.equal(wider);
    });
  });

  describe('who may', () => {
    it('no agent and no key changes a mandate, nor sees another one', async () => {
      const agent = await limited();
      const path = `/agents/${agent.grantId}`;
      const calls: readonly (readonly [string, string, object?])[] = [
        ['GET', '/agents'],
        ['GET', '/agents/limits'],
        ['PUT', '/agents/limits', { limits: HOUSE, ifVersion: 0 }],
        ['PUT', `${path}/mandate`, { mandate: smallMandate(bot.accountId), ifVersion: 1 }],
        ['POST', `${path}/suspend`],
        ['POST', `${path}/resume`],
        ['POST', '/agents/pause-all'],
      ];
      for (const [method, route, body] of calls) {
        const refused = await agent.call(method, route, body);
        expect(refused.status, route).to.equal(403);
        expect(refused.json.message).to.equal(AUTH_MESSAGES.grantFirstParty);
        const byKey = await bot.call(method, route, body);
        expect(byKey.status, route).to.equal(403);
        expect(byKey.json.message).to.equal(AUTH_MESSAGES.methodNotPermitted('api_key'));
      }
    });

    it('another user finds nothing', async () => {
      const agent = await limited();
      const eve = await gateway.register('eve@example.test');
      const asEve = (method: string, path: string, body?: unknown) =>
        gateway.request(method, path, { headers: { authorization: `Bearer ${eve.accessToken}` }, body });
      expect((await asEve('GET', '/agents')).json.agents).to.deep.equal([]);
      for (const [method, path, body] of [
        ['PUT', 'mandate', { mandate: smallMandate(eve.tradeAccount?.id ?? bot.accountId), ifVersion: 1 }],
        ['POST', 'suspend', undefined],
        ['POST', 'resume', undefined],
      ] as const) {
        expect((await asEve(method, `/agents/${agent.grantId}/${path}`, body)).status).to.equal(404);
      }
      expect((await agentOf(agent.grantId)).suspended).to.equal(null);
    });
  });
});

const HOUSE = {
  maxOrderUsd: '1000',
  maxOpenedUsd24h: '5000',
  maxGrossUsd: '5000',
  maxPositions: 10,
  maxResting: 20,
  lossUsd24h: '500',
};
