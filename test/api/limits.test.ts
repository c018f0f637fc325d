/** The Limits table of the service description, row by row, at both sides of each limit. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { type Authorization, oauthClient, REDIRECT_URI } from '../support/oauth-client.ts';
import { traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const LEGS = [usd('BTC', 'BUY', '1000')];
const NEVER = '99000000';
const TRIGGER = {
  legs: LEGS,
  condition: { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: NEVER },
};
const LADDER = {
  legs: LEGS,
  metric: 'PRICE',
  direction: 'MORE_THAN',
  start: '90000000',
  end: NEVER,
  levels: 2,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};

describe('limits of the service', () => {
  const clock = createFakeClock();
  const gateway = gatewayForSuite({ clock });
  const bot = traderForSuite(gateway);

  const get = (path: string) => bot.call('GET', path);

  /** 400 on exactly this field. */
  function expectRejected(answer: TestAnswer, path: string, about: string): void {
    expect(answer.status, `${about}: ${answer.text.slice(0, 200)}`).to.equal(400);
    expect(answer.json.errorCode, about).to.equal('VALIDATION_ERROR');
    expect(answer.json.message, about).to.equal('Validation error');
    const paths = answer.json.details.map((detail: Json) => detail.path);
    expect(paths, about).to.include(path);
  }

  async function checkLimit(path: string, maximum: number): Promise<void> {
    for (const limit of ['0', '-1', '1.5', 'ten', '', '1e1', String(maximum + 1), '99999999'])
      expectRejected(await get(`${path}?limit=${limit}`), 'limit', `${path}?limit=${limit}`);
    for (const limit of [1, maximum]) {
      const answer = await get(`${path}?limit=${limit}`);
      expect(answer.status, `${path}?limit=${limit}: ${answer.text}`).to.equal(200);
    }
  }

  /** Needs more rows than `count`. */
  async function checkDefault(path: string, rows: string, count: number): Promise<void> {
    const answer = await get(path);
    expect(answer.json[rows], path).to.have.length(count);
    expect(answer.json.nextCursor, path).to.be.a('string');
  }

  describe('limit', () => {
    before(async () => {
      const instruments = (await get('/instruments?connector=paper&scope=tradable')).json.instruments;
      const symbols: string[] = instruments.slice(0, 21).map(({ symbol }: Json) => symbol);
      expect(symbols).to.have.length(21);
      for (const symbol of symbols) {
        const { status, error } = await bot.open([usd(symbol, 'BUY', '60')]);
        expect(status, error).to.equal('COMPLETED');
      }
    });

    for (const resource of ['executions', 'fills', 'positions', 'ladders']) {
      it(`of GET /${resource}: integer > 0, maximum 2000, default 20`, async () => {
        await checkLimit(`/${resource}`, 2000);
        if (resource === 'ladders')
          for (let made = 0; made < 21; made += 1)
            expect((await bot.call('POST', '/ladders', LADDER)).status).to.equal(200);
        await checkDefault(`/${resource}`, resource, 20);
      });
    }

    it('of GET /positions/closed: integer > 0, maximum 200, default 20', async () => {
      await checkLimit('/positions/closed', 200);
      for (const { id } of (await get('/positions?status=OPEN&limit=2000')).json.positions) {
        const { json } = await bot.call('POST', `/positions/${id}/close`, { type: 'MARKET' });
        expect((await bot.ended(json.execution.id)).status).to.equal('COMPLETED');
      }
      await checkDefault('/positions/closed', 'positions', 20);
    });

    it('of GET /notifications: integer > 0, maximum 100, default 100', async () => {
      await checkLimit('/notifications', 100);
      // Each trigger that expires is a notification.
      for (let made = 0; made < 101; made += 1) {
        const expiresAt = new Date(clock.now() + 1_000).toISOString();
        const { status, text } = await bot.call('POST', '/triggers/open', { ...TRIGGER, expiresAt });
        expect(status, text).to.equal(200);
      }
      const expired = async () => (await get('/triggers?status=EXPIRED&limit=200')).json.triggers.length;
      await until(clock, 'all of them have expired', async () => (await expired()) === 101);
      expect((await get('/notifications')).json.notifications).to.have.length(100);
      expect((await get('/notifications?limit=99')).json.notifications).to.have.length(99);
    });
  });

  describe('basketKeys', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'));
    const count = (body: object) => gateway.request('POST', '/markets/baskets/positions', { body });

    it('of POST /markets/baskets/positions: 1 to 500 keys', async () => {
      expectRejected(await count({ basketKeys: [] }), 'basketKeys', 'none');
      expectRejected(await count({ basketKeys: keys(501) }), 'basketKeys', '501');
      expectRejected(await count({}), 'basketKeys', 'missing');
      for (const number of [1, 500]) {
        const { status, json } = await count({ basketKeys: keys(number) });
        expect(status).to.equal(200);
        expect(json.counts.map((one: Json) => one.basketKey)).to.deep.equal(keys(number));
      }
    });

    it('each 64 lowercase hex characters', async () => {
      for (const key of ['A'.repeat(64), 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), ''])
        expectRejected(await count({ basketKeys: keys(1).concat(key) }), 'basketKeys.1', key);
    });
  });

  describe('saved baskets', () => {
    const half = [
      { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
      { symbol: 'ETH-PERP', side: 'SELL', weight: 0.5 },
    ];
    const save = (name: string, legs: unknown = half) => bot.call('POST', '/saved-baskets', { name, legs });
    let symbols: string[];
    before(async () => {
      const { json } = await get('/instruments?connector=paper&scope=tradable');
      symbols = json.instruments.map(({ id }: Json) => id);
    });

    it('name: 1 to 48 characters after trimming', async () => {
      for (const name of ['', '   ', '\u3000\t\n', 'n'.repeat(49), `  ${'n'.repeat(49)}  `])
        expectRejected(await save(name), 'name', JSON.stringify(name));
      for (const name of ['n', 'n'.repeat(48), '🧺'.repeat(48)]) {
        const { status, json } = await save(`  ${name}\t`);
        expect(status, name).to.equal(201);
        expect(json.name).to.equal(name);
      }
    });

    it('name: unique per trade account, case-insensitive', async () => {
      expect((await save('Straße Île')).status).to.equal(201);
      for (const taken of ['Straße Île', ' straße île ', 'STRASSE ÎLE', 'Straße I\u0302le'])
        expectRejected(await save(taken), 'name', taken);
      const spare = await bot.call('POST', '/trade-accounts', { alias: 'Spare', connector: 'paper' });
      const elsewhere = await bot.call(
        'POST',
        '/saved-baskets',
        { name: 'straße île', legs: half },
        { 'x-trade-account-id': spare.json.id },
      );
      expect(elsewhere.status).to.equal(201);
    });

    it('legs: 1 to 20 legs', async () => {
      const equal = (count: number) =>
        symbols.slice(0, count).map((symbol) => ({ symbol, side: 'BUY', weight: 1 / count }));
      expectRejected(await save('No leg', []), 'legs', 'none');
      expectRejected(await save('Twenty-one', equal(21)), 'legs', '21');
      expect((await save('One', equal(1))).status).to.equal(201);
      expect((await save('Twenty', equal(20))).status).to.equal(201);
    });

    it('legs: no repeated symbol', async () => {
      const twice = [half[0], { ...half[0], side: 'SELL' }];
      expectRejected(await save('Twice', twice), 'legs.1.symbol', 'the same symbol on both sides');
    });

    it('legs: weights sum to exactly 1', async () => {
      const weighted = (...weights: number[]) =>
        weights.map((weight, index) => ({ symbol: symbols[index], side: 'BUY', weight }));
      for (const weights of [
        [0.9999999999999999],
        [0.5, 0.4999999999999999],
        [0.5, 0.5, 1e-16],
        [0.3, 0.3, 0.3],
      ]) {
        const { status, json } = await save('Off', weighted(...weights));
        expect(status, String(weights)).to.equal(400);
        expect(json.message).to.equal('The sum of weights must be exactly 1');
      }
      for (const weight of [0, -0.5, 1.1])
        expectRejected(await save('Off', weighted(weight, 0.5)), 'legs.0.weight', String(weight));
      // As binary floats these ten do not sum to 1.
      const tenths = Array.from({ length: 10 }, () => 0.1);
      expect(tenths.reduce((sum, weight) => sum + weight)).to.not.equal(1);
      expect((await save('Tenths', weighted(...tenths))).status).to.equal(201);
    });
  });

  it('leverage of PUT /leverage: integer greater than 0', async () => {
    const put = (leverage: unknown) =>
      bot.call('PUT', '/leverage', { symbol: 'LINK-PERP', leverage, marginMode: 'cross' });
    for (const leverage of [0, -1, 1.5, '3', null])
      expectRejected(await put(leverage), 'leverage', String(leverage));
    expect((await put(1)).status).to.equal(200);
  });

  describe('OAuth', () => {
    const visitor = () => consentVisitor(gateway);
    const agent = () => oauthClient(gateway);
    const authorize = (): Promise<Authorization> => agent().authorize(visitor());
    const expectGrantRefused = ({ status, json }: TestAnswer) => {
      expect(status).to.equal(400);
      expect(json.error).to.equal('invalid_grant');
      expect(json.error_description).to.equal('The authorization code is invalid or has expired');
    };
    /** A user has room for ten. */
    async function disconnectAll(): Promise<void> {
      const headers = { authorization: `Bearer ${await accessToken()}` };
      for (const { id } of (await gateway.request('GET', '/oauth2/grants', { headers })).json.grants)
        await gateway.request('DELETE', `/oauth2/grants/${id}`, { headers });
    }
    async function accessToken(): Promise<string> {
      const body = { method: 'email', email: 'ada@example.test', password: 'correct horse battery' };
      return (await gateway.request('POST', '/auth/login', { body })).json.accessToken;
    }
    afterEach(disconnectAll);

    it('authorization code of POST /token: single use', async () => {
      const authorization = await authorize();
      expect((await agent().redeem(authorization)).status).to.equal(200);
      expectGrantRefused(await agent().redeem(authorization));
    });

    it('authorization code of POST /token: valid 60 seconds', async () => {
      const intime = await authorize();
      clock.leap(58_000);
      expect((await agent().redeem(intime)).status).to.equal(200);
      const late = await authorize();
      clock.leap(60_001);
      expectGrantRefused(await agent().redeem(late));
    });

    it('interaction uid of the consent-page API: valid 10 minutes', async () => {
      const begin = async () => {
        const clientId = await agent().register();
        return visitor().open(
          `${gateway.url}${agent().authorizePath(clientId, challengeOf('v'.repeat(43)))}`,
        );
      };
      const uid = await begin();
      clock.leap(10 * MINUTE_MS - 2_000);
      expect((await gateway.request('GET', `/interaction/${uid}`)).status).to.equal(200);
      clock.leap(2_001);
      const { status, json } = await gateway.request('GET', `/interaction/${uid}`);
      expect(status).to.equal(404);
      expect(json.message).to.equal('Interaction not found or expired');
    });

    it('access token lifetime: `expires_in` seconds of the answer', async () => {
      const { access_token, expires_in } = await agent().connect(visitor());
      expect(expires_in).to.equal(900);
      const headers = { authorization: `Bearer ${access_token}` };
      clock.leap((expires_in - 5) * 1_000);
      expect((await gateway.request('GET', '/trade-accounts', { headers })).status).to.equal(200);
      clock.leap(5_001);
      const { status, json } = await gateway.request('GET', '/trade-accounts', { headers });
      expect(status).to.equal(401);
      expect(json.message).to.equal('Invalid or expired access token');
    });

    it('code verifier of POST /token: 43 to 128 characters from A-Z a-z 0-9 - . _ ~', async () => {
      const redeemed = async (verifier: string) => {
        const clientId = await agent().register();
        const path = agent().authorizePath(clientId, challengeOf(verifier));
        const callback = await visitor().allow(`${gateway.url}${path}`, ['mcp:read']);
        const code = callback.searchParams.get('code') ?? '';
        return agent().redeem({ clientId, redirectUri: REDIRECT_URI, code, verifier });
      };
      for (const verifier of ['v'.repeat(43), 'v'.repeat(128), `AZaz09-._~${'v'.repeat(40)}`])
        expect((await redeemed(verifier)).status, verifier).to.equal(200);
      for (const verifier of ['v'.repeat(42), 'v'.repeat(129), `${'v'.repeat(43)}+`, `${'v'.repeat(43)} `]) {
        const { status, json } = await redeemed(verifier);
        expect(status, verifier).to.equal(400);
        expect(json.error, verifier).to.equal('invalid_request');
        expect(json.error_description).to.equal('Code verifier must follow the specifications of RFC-7636');
      }
    });
  });

  it('account tier change: no connector has it yet, so that it is a 501 however often it is asked', async () => {
    const body = { accountIndex: 1, apiKeyIndex: 4, tier: 'plus' };
    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await bot.call('POST', '/misc/exchange/change-account-tier', body);
      expect(status).to.equal(501);
      expect(json.errorCode).to.equal('NOT_IMPLEMENTED_ERROR');
    }
    const other = await bot.call('POST', '/misc/exchange/change-account-tier', { ...body, tier: 'gold' });
    expectRejected(other, 'tier', 'a tier that does not exist');
  });

  it('rate limiting on all routes: none, no 429 and no Retry-After', async () => {
    const asked = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        index % 3 === 0
          ? get('/positions/lite')
          : gateway.request('GET', index % 3 === 1 ? '/trade-accounts' : '/prices?connector=paper', {
              headers: { 'x-api-key': 'tdm_unknown' },
            }),
      ),
    );
    expect(new Set(asked.map(({ status }) => status))).to.deep.equal(new Set([200, 401]));
    for (const { headers } of asked) expect(headers.has('retry-after')).to.equal(false);
  });
});

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
