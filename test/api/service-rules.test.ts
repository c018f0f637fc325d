/** Every numbered rule of the service description, one test each, under its section and number. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createClient, signIn } from '../../gateway/client/client.ts';
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import type { ExecutionOrigin, ExecutionStatus } from '../../gateway/domain/model.ts';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { faultScript } from '../support/fault-script.ts';
import { PASSWORD, type TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { lossyNetwork } from '../support/lossy-network.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { startSeededGateway } from '../support/seeded-gateway.ts';
import { execution, nextId, START } from '../support/store-records.ts';
import { PAIR, type Trader, trader, traderForSuite, usd } from '../support/trader.ts';

const EVE = 'eve@example.test';
const VERIFIER = 'v'.repeat(43);

describe('numbered rules of the service', () => {
  const clock = createFakeClock();
  const gateway = openForSuite(() => startSeededGateway({ clock, hasCross: true }));
  const bot = traderForSuite(gateway);
  const eve = traderForSuite(gateway, { email: EVE, connector: 'paper' });
  const cross = traderForSuite(gateway, { email: 'cy@example.test', connector: 'paper-cross' });
  let session: Record<string, string>;

  before(async () => {
    session = { authorization: `Bearer ${bot.accessToken}` };
  });

  function expectFramework(answer: Pick<TestAnswer, 'status' | 'json'>, statusCode: number, message: string) {
    expect(answer.status, message).to.equal(statusCode);
    expect(answer.json.message).to.equal(message);
    expect(answer.json.statusCode).to.equal(statusCode);
    expect(answer.json).to.not.have.property('errorCode');
  }
  const rejectedPaths = ({ status, json }: TestAnswer): string[] => {
    expect(status).to.equal(400);
    return json.details.map((detail: Json) => detail.path);
  };

  describe('PUT /leverage', () => {
    const put = (who: Trader, body: object) =>
      who.call('PUT', '/leverage', { symbol: 'LINK-PERP', leverage: 3, ...body });

    it('rule 1: marginMode omitted on a connector that requires it gives 400', async () => {
      expect(rejectedPaths(await put(bot, {}))).to.deep.equal(['marginMode']);
      expect((await put(bot, { marginMode: 'isolated' })).json).to.deep.equal({});
    });

    it('rule 2: marginMode sent on the one connector that rejects it gives 400', async () => {
      expect(rejectedPaths(await put(cross, { marginMode: 'cross' }))).to.deep.equal(['marginMode']);
      expect((await put(cross, {})).json).to.deep.equal({});
    });
  });

  describe('Executions', () => {
    let reader: Trader;
    const listed = async (query: string): Promise<Json[]> => {
      const { status, json, text } = await reader.call('GET', `/executions?limit=2000&${query}`);
      expect(status, text).to.equal(200);
      return json.executions;
    };
    before(async () => {
      reader = await trader(gateway, { email: 'reader@example.test', connector: 'paper' });
      const headers = { authorization: `Bearer ${reader.accessToken}` };
      const userId = (await gateway.request('GET', '/auth/me', { headers })).json.id;
      const record = (index: number, over: { status?: ExecutionStatus; origin?: ExecutionOrigin }) => {
        const createdAt = START + index;
        const about = { id: nextId(createdAt), userId, tradeAccountId: reader.accountId, createdAt };
        return execution(
          { ...about, basketKey: 'b'.repeat(64), status: 'COMPLETED', finishedAt: createdAt, ...over },
          1,
        );
      };
      const statuses = ['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
      await gateway.seed({
        newExecutions: [
          ...statuses.map((status, index) => record(index, { status })),
          record(10, { origin: 'SCHEDULE' }),
          record(11, { origin: 'TRIGGER' }),
        ],
      });
    });

    it('rule 1: IDLE cannot be selected, COMPLETED also returns FAILED, without status all are returned', async () => {
      const statuses = async (query: string) => (await listed(query)).map(({ status }) => status).sort();
      expect((await reader.call('GET', '/executions?status=IDLE')).status).to.equal(400);
      expect(await statuses('status=COMPLETED')).to.deep.equal(['COMPLETED', 'FAILED']);
      expect(await statuses('')).to.deep.equal(['ACTIVE', 'CANCELLED', 'COMPLETED', 'FAILED', 'IDLE']);
    });

    it('rule 2: those of schedules and triggers only with includeSchedule and includeTriggers', async () => {
      const origins = async (query: string) => new Set((await listed(query)).map(({ origin }) => origin));
      expect(await origins('')).to.deep.equal(new Set(['API']));
      expect(await origins('includeSchedule=true')).to.deep.equal(new Set(['API', 'SCHEDULE']));
      expect(await origins('includeTriggers=true')).to.deep.equal(new Set(['API', 'TRIGGER']));
    });

    it('rule 3: GET /executions/{id} covers every status and tells why one failed', async () => {
      for (const { id, status } of await listed('includeSchedule=true&includeTriggers=true'))
        expect((await reader.call('GET', `/executions/${id}`)).json.execution).to.include({ id, status });
      const failed = await bot.open([usd('BTC', 'BUY', '2')]);
      expect(failed).to.include({ status: 'FAILED', errorCode: 'MIN_NOTIONAL' });
      expect(failed.error).to.be.a('string').and.not.equal('');
      expect(failed.orders[0]).to.include({ errorCode: 'MIN_NOTIONAL' });
    });
  });

  describe('Market data', () => {
    const counts = (body: object) => gateway.request('POST', '/markets/baskets/positions', { body });
    const opened = deriveBasketKey(['XRP-PERP'], ['DOGE-PERP']);
    const never = 'f'.repeat(64);
    before(async () => {
      const legs = [usd('XRP', 'BUY', '100'), usd('DOGE', 'SELL', '100')];
      for (const who of [bot, cross]) expect((await who.open(legs)).status).to.equal('COMPLETED');
    });

    it('rule 1: 1 to 500 keys of 64 lowercase hex; connector sums those named, omitted all, never empty', async () => {
      for (const basketKeys of [undefined, [], ['A'.repeat(64)], Array.from({ length: 501 }, () => never)])
        expect((await counts({ basketKeys })).status).to.equal(400);
      const traders = async (over: object) =>
        (await counts({ basketKeys: [opened], ...over })).json.counts[0].traders;
      expect(await traders({})).to.equal(2);
      expect(await traders({ connector: ['paper'] })).to.equal(1);
      expect(await traders({ connector: ['paper', 'paper-cross'] })).to.equal(2);
      expect((await counts({ basketKeys: [opened], connector: [] })).status).to.equal(400);
      expect((await counts({ basketKeys: [opened], connector: 'paper' })).status).to.equal(400);
    });

    it('rule 2: one row per key in request order; a basket never opened reads zero', async () => {
      const asked = [never, opened, '0'.repeat(64), opened];
      const { json } = await counts({ basketKeys: asked });
      expect(json.counts).to.deep.equal(
        asked.map((basketKey) => {
          const count = basketKey === opened ? 2 : 0;
          return { basketKey, opened: count, traders: count };
        }),
      );
    });

    it('rule 3: without scope only what is tradable', async () => {
      for (const path of ['/markets', '/markets/baskets']) {
        const rows = async (query: string): Promise<Json[]> =>
          (await gateway.request('GET', `${path}?connector=paper&limit=100${query}`)).json.markets;
        const usual = await rows('');
        expect(usual).to.have.length.greaterThan(0);
        for (const { tradeability } of usual) expect(tradeability.status).to.equal('tradable');
        const keyOf = (row: Json) => row.basketKey ?? row.id;
        expect(usual.map(keyOf)).to.deep.equal((await rows('&scope=tradable')).map(keyOf));
        for (const scope of ['reduce_only', 'not_tradable'])
          for (const { tradeability } of await rows(`&scope=${scope}`))
            expect(tradeability.status).to.equal(scope);
      }
    });

    it('rule 4: search has a maximum length', async () => {
      for (const path of ['/markets', '/markets/baskets']) {
        const search = (text: string) => gateway.request('GET', `${path}?connector=paper&search=${text}`);
        expect((await search('x'.repeat(64))).status).to.equal(200);
        expect(rejectedPaths(await search('x'.repeat(65)))).to.deep.equal(['search']);
      }
    });
  });

  describe('Authentication', () => {
    it('rule 1: with a key and a bearer token the key decides and the token is ignored', async () => {
      const both = (key: string, token: string) =>
        gateway.request('GET', '/trade-accounts', {
          headers: { 'x-api-key': key, authorization: `Bearer ${token}` },
        });
      const ids = (await both(eve.key, bot.accessToken)).json.tradeAccounts.map(({ id }: Json) => id);
      expect(ids).to.deep.equal([eve.accountId]);
      expect((await both(bot.key, 'garbage')).status).to.equal(200);
      expectFramework(await both('tdm_unknown', bot.accessToken), 401, 'Invalid API key');
    });

    it('rule 2: account-scoped routes also need x-trade-account-id', async () => {
      const positions = (account: Record<string, string>) =>
        gateway.request('GET', '/positions', { headers: { 'x-api-key': bot.key, ...account } });
      expectFramework(await positions({}), 400, 'Missing required header: x-trade-account-id');
      expect((await positions({ 'x-trade-account-id': eve.accountId })).status).to.equal(404);
      expect((await positions({ 'x-trade-account-id': bot.accountId })).status).to.equal(200);
    });

    it('rule 3: /api-keys accept only a session; an API key there gives 403', async () => {
      const keys = (headers: Record<string, string>) => gateway.request('GET', '/api-keys', { headers });
      expect((await keys(session)).status).to.equal(200);
      const message = "Auth method 'api_key' is not permitted on this route";
      expectFramework(await keys({ 'x-api-key': bot.key }), 403, message);
    });

    it('rule 4: a key with scope read cannot perform mutating requests', async () => {
      const body = { label: 'reader', scope: 'read' };
      const { json } = await gateway.request('POST', '/api-keys', { headers: session, body });
      const headers = { 'x-api-key': json.key, 'x-trade-account-id': bot.accountId };
      expect((await gateway.request('GET', '/positions', { headers })).status).to.equal(200);
      const opening = { headers, body: { type: 'MARKET', legs: PAIR } };
      const refused = await gateway.request('POST', '/trade/open', opening);
      expectFramework(refused, 403, 'API key does not have write access');
    });

    it('rule 5: session mode of the client library retries a 401 once through POST /auth/session/refresh', async () => {
      const network = lossyNetwork();
      const { refreshToken } = await signIn(
        { method: 'email', email: EVE, password: PASSWORD },
        { url: gateway.url },
      );
      const stale = { accessToken: 'expired', refreshToken };
      const client = createClient({ url: gateway.url, session: stale, fetch: network.fetch });
      expect((await client.call('GET /auth/me')).email).to.equal(EVE);
      expect(network.requests).to.deep.equal(['GET /auth/me', 'POST /auth/session/refresh', 'GET /auth/me']);
    });

    it('rule 6: POST /auth/login takes a method with its own fields, and other routes stand under /auth', async () => {
      const login = (body: object) => gateway.request('POST', '/auth/login', { body });
      expect((await login({ method: 'email', email: EVE, password: PASSWORD })).status).to.equal(200);
      expect((await login({ method: 'carrier pigeon' })).status).to.equal(400);
      expect((await login({ method: 'wallet', email: EVE, password: PASSWORD })).status).to.equal(400);
      expect((await gateway.request('GET', '/auth/me', { headers: session })).status).to.equal(200);
    });
  });

  describe('OAuth', () => {
    const agent = () => oauthClient(gateway);
    const person = (email?: string): ConsentVisitor =>
      consentVisitor(gateway, email === undefined ? {} : { email });
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const askedBy = async (visitor: ConsentVisitor, scope = 'mcp:read mcp:write'): Promise<string> => {
      const clientId = await agent().register();
      return visitor.open(`${gateway.url}${agent().authorizePath(clientId, challenge, { scope })}`);
    };
    const grants = async (): Promise<Json[]> =>
      (await gateway.request('GET', '/oauth2/grants', { headers: session })).json.grants;
    const works = async (token: string) =>
      (await gateway.request('GET', '/trade-accounts', { headers: { authorization: `Bearer ${token}` } }))
        .status;
    afterEach(async () => {
      for (const { id } of await grants())
        await gateway.request('DELETE', `/oauth2/grants/${id}`, { headers: session });
    });

    it('token rule 1: a refresh rotates the refresh token; the old one stops working', async () => {
      const first = await agent().connect(person());
      const second = (await agent().refresh(first.clientId, first.refresh_token)).json;
      expect(second.refresh_token).to.not.equal(first.refresh_token);
      expect((await agent().refresh(first.clientId, first.refresh_token)).json.error).to.equal(
        'invalid_grant',
      );
      expect((await agent().refresh(first.clientId, second.refresh_token)).status).to.equal(200);
    });

    it('token rule 2: the grant keeps its identity; one revocation ends every token of the chain', async () => {
      const first = await agent().connect(person());
      const [{ id }] = await grants();
      const second = (await agent().refresh(first.clientId, first.refresh_token)).json;
      expect((await grants()).map((grant) => grant.id)).to.deep.equal([id]);
      expect(await works(first.access_token)).to.equal(200);
      await agent().revoke(second.refresh_token);
      for (const token of [first.access_token, second.access_token]) expect(await works(token)).to.equal(401);
      expect((await agent().refresh(first.clientId, second.refresh_token)).status).to.equal(400);
    });

    it('token rule 3: a refresh gives exactly the scopes of the grant; scopes never grow', async () => {
      const first = await agent().connect(person(), ['mcp:read']);
      const second = (await agent().refresh(first.clientId, first.refresh_token)).json;
      expect(second.scope).to.equal('mcp:read');
      const scope = 'mcp:read mcp:write';
      const wider = await agent().refresh(first.clientId, second.refresh_token, { scope });
      expect(wider.json.error).to.equal('invalid_scope');
    });

    it('token rule 4: a wrong code_verifier does not consume the code', async () => {
      const authorization = await agent().authorize(person());
      const wrong = await agent().redeem(authorization, { code_verifier: 'w'.repeat(43) });
      expect(wrong.json.error_description).to.equal('Failed to verify code challenge.');
      expect((await agent().redeem(authorization)).status).to.equal(200);
    });

    it('consent rule 1: /authorize stores the request under an opaque uid that lives 10 minutes', async () => {
      const uid = await askedBy(person());
      expect(uid).to.match(/^[\w-]{20,}$/);
      expect((await gateway.request('GET', `/interaction/${uid}`)).status).to.equal(200);
      clock.leap(10 * 60 * 1_000 + 1);
      const late = await gateway.request('GET', `/interaction/${uid}`);
      expectFramework(late, 404, 'Interaction not found or expired');
    });

    it("consent rule 2: readable by all while the prompt is login, then by the account's own session only", async () => {
      const visitor = person();
      const uid = await askedBy(visitor);
      const read = (headers = {}) => gateway.request('GET', `/interaction/${uid}`, { headers });
      expect((await read()).json.prompt.name).to.equal('login');
      await visitor.login(uid);
      expect((await visitor.read(uid)).json.prompt.name).to.equal('consent');
      expect((await read()).status).to.equal(401);
      expect((await read({ authorization: `Bearer ${eve.accessToken}` })).status).to.equal(403);
    });

    it('consent rule 3: login answers {returnTo} only; the session comes as a cookie', async () => {
      const visitor = person();
      const { status, json, headers } = await visitor.login(await askedBy(visitor));
      expect(status).to.equal(200);
      expect(Object.keys(json)).to.deep.equal(['returnTo']);
      expect(String(headers['set-cookie'])).to.match(/^tandem_session=[^;]+;.*HttpOnly/);
    });

    it('consent rule 4: confirm and abort need the session of the account that is bound', async () => {
      const visitor = person();
      const uid = await askedBy(visitor);
      await visitor.login(uid);
      const { access_token } = await agent().connect(person());
      for (const action of ['confirm', 'abort']) {
        const act = (token?: string) =>
          gateway.request('POST', `/interaction/${uid}/${action}`, {
            headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
            body: action === 'confirm' ? { scopes: [] } : undefined,
          });
        expect((await act()).status, action).to.equal(401);
        expect((await act(access_token)).status, action).to.equal(403);
        expectFramework(await act(eve.accessToken), 403, 'Session does not match this interaction');
      }
    });

    it('consent rule 5: submitted scopes are cut down to the requested ones; none left is a grant without scopes', async () => {
      for (const [submitted, granted] of [
        [['mcp:read', 'mcp:write'], ['mcp:read']],
        [['mcp:write'], []],
        [[], []],
      ] as const) {
        const visitor = person();
        const clientId = await agent().register();
        const path = agent().authorizePath(clientId, challenge, { scope: 'mcp:read' });
        const callback = await visitor.allow(`${gateway.url}${path}`, submitted);
        const code = callback.searchParams.get('code') ?? '';
        const redirectUri = `${callback.origin}${callback.pathname}`;
        const { json } = await agent().redeem({ clientId, redirectUri, code, verifier: VERIFIER });
        expect(json.scope).to.equal(granted.join(' '));
      }
    });

    it('consent rule 6: all three answer {returnTo}, to the page, then to the client', async () => {
      const visitor = person();
      const allowed = await askedBy(visitor);
      const login = await visitor.login(allowed);
      expect(new URL(login.json.returnTo).pathname).to.include(allowed);
      const confirmed = new URL((await visitor.confirm(allowed, ['mcp:read'])).json.returnTo).searchParams;
      expect(confirmed.get('code')).to.be.a('string');
      expect(confirmed.get('state')).to.equal('a state');
      const denied = await askedBy(visitor);
      await visitor.login(denied);
      const aborted = new URL((await visitor.abort(denied)).json.returnTo).searchParams;
      expect(aborted.get('error')).to.equal('access_denied');
      expect(aborted.get('error_description')).to.be.a('string');
      expect(aborted.get('state')).to.equal('a state');
    });
  });

  describe('Asynchronous trade failures', () => {
    // The venue's next prices: after a leap of the clock, those of before are too old to trade at.
    before(() => clock.advance(2_000));

    it('rule 1: the 202 only acknowledges; success or failure is an event', async () => {
      const client = createClient({ url: gateway.url, apiKey: bot.key, tradeAccountId: bot.accountId });
      const wanted = [
        [usd('SOL', 'BUY', '100'), 'execution.completed'],
        [usd('SOL', 'BUY', '2'), 'execution.failed'],
      ] as const;
      for (const [leg, expected] of wanted) {
        let id = '';
        for await (const message of client.events({ channels: [client.accountChannel] })) {
          if (message.kind === 'subscribed') {
            const { status, json } = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: [leg] });
            expect(status).to.equal(202);
            expect(json.execution.status).to.equal('IDLE');
            id = json.execution.id;
          } else if (message.kind === 'event' && message.entityId === id) {
            expect(message.event).to.equal(expected);
            break;
          }
        }
      }
    });

    it('rule 2: a lost answer is not read as no order placed; the execution is read', async () => {
      const headers = { 'idempotency-key': 'lost' };
      const body = { type: 'MARKET', legs: [usd('AVAX', 'BUY', '100')] };
      const { json } = await bot.call('POST', '/trade/open', body, headers);
      const read = await bot.call('GET', '/executions/by-key?key=lost');
      expect(read.json.execution.id).to.equal(json.execution.id);
      const { execution: same } = (await bot.call('GET', `/executions/${json.execution.id}`)).json;
      expect(same.id).to.equal(json.execution.id);
      await bot.ended(same.id);
    });

    it('rule 3: failed while IDLE placed no orders; failed after ACTIVE may be partly filled', async () => {
      const untouched = await bot.open([usd('LINK', 'BUY', '2')]);
      expect(untouched).to.include({ status: 'FAILED', activeAt: null, positionId: null });
      expect(untouched.orders[0]).to.include({ venueOrderId: null, filledQuantity: '0' });
      const refusal = { kind: 'reject', reason: 'other', message: 'no' } as const;
      gateway.gateway.paperVenue('paper').setFaults(faultScript().at({ leg: 1 }, refusal).done());
      const partial = await bot.open([usd('LINK', 'BUY', '100'), usd('ADA', 'SELL', '100')]);
      expect(partial.status).to.equal('FAILED');
      expect(partial.activeAt).to.be.a('string');
      expect(partial.orders.map(({ status }: Json) => status)).to.deep.equal(['FILLED', 'REJECTED']);
      const { json } = await bot.call('GET', `/positions/${partial.positionId}`);
      expect(json.legs.map(({ symbol }: Json) => symbol)).to.include('LINK-PERP');
    });
  });
});
