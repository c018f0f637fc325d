/** Sessions that are bound to a key: what opens them, and everything that does not. */
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { createPageKey, newNonce, proofFor, proved } from '../support/page-key.ts';

const HOUR_MS = 3_600_000;
const REFRESH = '/auth/session/refresh';
const ADA = { method: 'email', email: 'ada@example.test', password: PASSWORD };

describe('sessions that are bound to a key', () => {
  const clock = createFakeClock();
  const gateway = gatewayForSuite({ clock });

  before(async () => {
    await gateway.register(ADA.email);
  });

  async function signedIn() {
    const key = await createPageKey();
    const login = await proved(gateway, key, 'POST', '/auth/login', ADA);
    expect(login.status, login.text).to.equal(200);
    return { key, login };
  }
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const withProof = (path: string, dpop: string, body: unknown = {}) =>
    gateway.request('POST', path, { headers: { dpop }, body });
  const start = async (headers: Record<string, string> = {}) =>
    (await gateway.request('GET', '/app/start', { headers })).json.signedIn;

  it('have no cookie and no refresh token; the key renews the bearer, in all tabs at once', async () => {
    const { key, login } = await signedIn();
    expect(login.headers.get('set-cookie')).to.equal(null);
    expect(login.json.refreshToken).to.equal('');
    expect((await gateway.request('GET', '/auth/me', bearer(login.json.accessToken))).status).to.equal(200);
    const tabs = await Promise.all([1, 2, 3].map(() => proved(gateway, key, 'POST', REFRESH, {})));
    for (const { status, json, headers } of tabs) {
      expect([status, json.refreshToken, headers.get('set-cookie')]).to.deep.equal([200, '', null]);
      expect((await gateway.request('GET', '/auth/me', bearer(json.accessToken))).status).to.equal(200);
    }
    expect((await proved(gateway, key, 'GET', '/app/start')).json.signedIn).to.equal(true);
    expect(await start()).to.equal(false);
  });

  it('take a proof once, for its method, its address and with a nonce of the last two minutes', async () => {
    const { key } = await signedIn();
    const refused = async (dpop: string, error: string) => {
      const answer = await withProof(REFRESH, dpop);
      expect([answer.status, answer.headers.get('www-authenticate')], error).to.deep.equal([
        401,
        `DPoP error="${error}", algs="ES256"`,
      ]);
      expect(answer.headers.get('dpop-nonce')).to.be.a('string');
    };
    const good = await proofFor(gateway, key, 'POST', REFRESH);
    expect((await withProof(REFRESH, good)).status).to.equal(200);
    await refused(good, 'invalid_dpop_proof');
    await refused(await proofFor(gateway, key, 'GET', REFRESH), 'invalid_dpop_proof');
    await refused(await proofFor(gateway, key, 'POST', '/auth/login'), 'invalid_dpop_proof');
    const elsewhere = { origin: 'http://tandem.localhost:4444' };
    await refused(await proofFor(gateway, key, 'POST', REFRESH, elsewhere), 'invalid_dpop_proof');
    await refused(
      `${(await proofFor(gateway, key, 'POST', REFRESH)).slice(0, -8)}AAAAAAAA`,
      'invalid_dpop_proof',
    );
    await refused('nonsense', 'invalid_dpop_proof');
    await refused(await proofFor(gateway, key, 'POST', REFRESH, { nonce: null }), 'use_dpop_nonce');
    await refused(await proofFor(gateway, key, 'POST', REFRESH, { nonce: 'abc.def' }), 'use_dpop_nonce');
    const old = await proofFor(gateway, key, 'POST', REFRESH);
    clock.leap(2 * 60_000 + 1_000);
    await refused(old, 'use_dpop_nonce');
    // With the nonce of a refusal it goes on.
    const nonce = await newNonce(gateway);
    expect(
      (await withProof(REFRESH, await proofFor(gateway, key, 'POST', REFRESH, { nonce }))).status,
    ).to.equal(200);
  });

  it('are opened by no other key, and end with their sign-out', async () => {
    const { key, login } = await signedIn();
    const other = await createPageKey();
    expect((await proved(gateway, other, 'POST', REFRESH, {})).status).to.equal(401);
    expect((await proved(gateway, other, 'GET', '/app/start')).json.signedIn).to.equal(false);
    expect((await gateway.request('POST', '/auth/logout', bearer(login.json.accessToken))).status).to.equal(
      204,
    );
    expect((await proved(gateway, key, 'POST', REFRESH, {})).status).to.equal(401);
    expect((await gateway.request('GET', '/auth/me', bearer(login.json.accessToken))).status).to.equal(401);
  });

  it('are one for each key: the next sign-in with it takes the place of the one before', async () => {
    const { key, login } = await signedIn();
    await proved(gateway, key, 'POST', '/auth/login', ADA);
    expect((await gateway.request('GET', '/auth/me', bearer(login.json.accessToken))).status).to.equal(401);
    expect((await proved(gateway, key, 'POST', REFRESH, {})).status).to.equal(200);
  });

  it('end after twelve hours without use, and after thirty days with it', async () => {
    const idle = await signedIn();
    clock.leap(11 * HOUR_MS);
    expect((await proved(gateway, idle.key, 'POST', REFRESH, {})).status).to.equal(200);
    clock.leap(13 * HOUR_MS);
    expect((await proved(gateway, idle.key, 'POST', REFRESH, {})).status).to.equal(401);
    const used = await signedIn();
    for (let half = 0; half < 59; half += 1) {
      clock.leap(12 * HOUR_MS - 60_000);
      expect((await proved(gateway, used.key, 'POST', REFRESH, {})).status).to.equal(200);
    }
    clock.leap(12 * HOUR_MS);
    expect((await proved(gateway, used.key, 'POST', REFRESH, {})).status).to.equal(401);
  });

  it('leave programs that sign in without a proof what they have', async () => {
    const login = await gateway.request('POST', '/auth/login', { body: ADA });
    expect(login.headers.get('set-cookie')).to.match(/^tandem_session=/);
    const body = { refreshToken: login.json.refreshToken };
    expect((await gateway.request('POST', REFRESH, { body })).status).to.equal(200);
  });

  it('are the only ones that a consent given with a key listens to', async () => {
    const visitor = consentVisitor(gateway, { email: ADA.email });
    const agent = oauthClient(gateway);
    const clientId = await agent.register();
    const uid = await visitor.open(`${gateway.url}${agent.authorizePath(clientId, 'x'.repeat(43))}`);
    const path = (action = '') => `/interaction/${uid}${action}`;
    const key = await createPageKey();
    const login = await proved(gateway, key, 'POST', path('/login'), ADA);
    expect(login.headers.get('set-cookie')).to.match(
      new RegExp(
        `^tandem_interaction=[^;]+; Max-Age=600; Path=/interaction/${uid}; HttpOnly; SameSite=Strict$`,
      ),
    );
    // A thief, or the agent itself, may hold: the address, the cookie, and a proof with its own key.
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? '';
    const page = {
      cookie,
      origin: `http://tandem.localhost:${gateway.port}`,
      'sec-fetch-site': 'same-origin',
    };
    const body = { scopes: ['mcp:read', 'mcp:write'] };
    const stranger = await createPageKey();
    const outcomes = [
      await gateway.request('GET', path(), { headers: page }),
      await gateway.request('POST', path('/confirm'), { headers: page, body }),
      await gateway.request('POST', path('/abort'), { headers: page }),
      await proved(gateway, stranger, 'GET', path()),
      await proved(gateway, stranger, 'POST', path('/confirm'), body),
    ];
    expect(outcomes.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401]);
    const read = await proved(gateway, key, 'GET', path());
    expect(read.json.prompt.details.account).to.deep.equal({ email: ADA.email, walletAddress: null });
    const confirmed = await proved(gateway, key, 'POST', path('/confirm'), { scopes: ['mcp:read'] });
    expect(confirmed.json.returnTo).to.contain('code=');
  });

  it('are not disturbed by cookies; programs whose cookies contradict each other lose them all', async () => {
    const cookies = await Promise.all(
      [1, 2].map(async () => {
        const login = await gateway.request('POST', '/auth/login', { body: ADA });
        return String(login.headers.get('set-cookie')).split(';')[0] ?? '';
      }),
    );
    const both = cookies.join('; ');
    const same = `${cookies[0]}; ${cookies[0]}`;
    expect((await gateway.request('GET', '/auth/me', { headers: { cookie: same } })).status).to.equal(200);
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['POST', REFRESH],
    ] as const) {
      const host = { cookie: both };
      const refused = await gateway.request(method, path, { headers: host });
      expect(refused.status, path).to.equal(401);
      const cleared = refused.headers.getSetCookie();
      for (const one of ['/', '/auth', '/auth/', path])
        expect(cleared, path).to.include(
          `tandem_session=; Max-Age=0; Path=${one}; HttpOnly; SameSite=Strict`,
        );
    }
  });
});
