/** The service's table of authentication failures, row by row, on the wire. */

import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import type { Registered } from '../../../gateway/auth/sign-in.ts';
import { type AuthFixture, startAuth, unwrap } from './auth-fixture.ts';
import { type Answer, type HttpRig, startHttp } from './http-rig.ts';

describe('authentication failures', () => {
  let fixture: AuthFixture;
  let http: HttpRig;
  let ada: Registered;
  let bearer: string;
  let grantStatus: 'active' | 'revoked' | 'unavailable';

  beforeEach(async () => {
    grantStatus = 'active';
    fixture = await startAuth({ options: { grants: { status: () => grantStatus, seen: () => {} } } });
    http = await startHttp(fixture);
    ada = await fixture.register();
    bearer = `Bearer ${fixture.auth.tokens.signSession(ada.user.id, ada.session.id)}`;
  });
  afterEach(async () => {
    await http.close();
    await fixture.close();
  });

  function expectFramework(answer: Answer, status: number, message: string): void {
    expect(answer.status).to.equal(status);
    expect(answer.json).to.deep.equal({ message, error: STATUS_CODES[status], statusCode: status });
  }

  const newKey = async (scope: 'read' | 'read_write', expiresAt: number | null = null) =>
    unwrap(
      await fixture.auth.apiKeys.create({
        userId: ada.user.id,
        label: 'bot',
        scope,
        expiresAt,
        tradeAccountIds: null,
      }),
    );
  const grant = (...scopes: string[]) => ({
    authorization: `Bearer ${fixture.auth.tokens.signGrant({
      userId: ada.user.id,
      grantId: 'grant-1',
      clientId: 'client-1',
      scopes,
      lifetimeSeconds: 600,
    })}`,
  });
  const me = (headers: Record<string, string> = {}) => http.request('GET', '/auth/me', { headers });
  const accounts = (headers: Record<string, string> = {}) =>
    http.request('GET', '/trade-accounts', { headers });

  it('401 `Missing authorization token`', async () => {
    const answer = await accounts();
    expectFramework(answer, 401, 'Missing authorization token');
    expect(answer.headers['www-authenticate']).to.equal('Bearer');
  });

  it('401 `Invalid or expired access token`', async () => {
    expectFramework(await me({ authorization: 'Bearer a.b.c' }), 401, 'Invalid or expired access token');
    expect((await me({ authorization: bearer })).status).to.equal(200);
    await fixture.clock.advance(15 * 60_000);
    expectFramework(await me({ authorization: bearer }), 401, 'Invalid or expired access token');
  });

  it('401 `Invalid API key`', async () => {
    expectFramework(await accounts({ 'x-api-key': 'tdm_unknown' }), 401, 'Invalid API key');
    const { key, secret } = await newKey('read');
    expect((await accounts({ 'x-api-key': secret })).status).to.equal(200);
    const revoked = await http.request('DELETE', `/api-keys/${key.id}`, {
      headers: { authorization: bearer },
    });
    expect(revoked.status).to.equal(204);
    expectFramework(await accounts({ 'x-api-key': secret }), 401, 'Invalid API key');
  });

  it('401 `API key has expired`', async () => {
    const { secret } = await newKey('read', fixture.clock.now() + 1_000);
    await fixture.clock.advance(1_000);
    expectFramework(await accounts({ 'x-api-key': secret }), 401, 'API key has expired');
  });

  it('401 `Token has been revoked`', async () => {
    expect((await accounts(grant('mcp:read'))).status).to.equal(200);
    grantStatus = 'revoked';
    expectFramework(await accounts(grant('mcp:read')), 401, 'Token has been revoked');
  });

  it('401 `Token revocation status unavailable`', async () => {
    grantStatus = 'unavailable';
    expectFramework(await accounts(grant('mcp:read')), 401, 'Token revocation status unavailable');
  });

  it('403 `API key does not have write access`', async () => {
    const { secret } = await newKey('read');
    const body = { alias: 'X', connector: 'paper' };
    const headers = { 'x-api-key': secret };
    expectFramework(
      await http.request('POST', '/trade-accounts', { headers, body }),
      403,
      'API key does not have write access',
    );
    const credentials = `/trade-accounts/${ada.tradeAccount?.id}/credentials`;
    expectFramework(
      await http.request('POST', credentials, { headers }),
      403,
      'API key does not have write access',
    );
    const write = { 'x-api-key': (await newKey('read_write')).secret };
    expect((await http.request('POST', '/trade-accounts', { headers: write, body })).status).to.equal(201);
  });

  it('403 `OAuth grant does not have write access`', async () => {
    const body = { alias: 'X', connector: 'paper' };
    const attempt = (...scopes: string[]) =>
      http.request('POST', '/trade-accounts', { headers: grant(...scopes), body });
    expectFramework(await attempt('mcp:read'), 403, 'OAuth grant does not have write access');
    expect((await attempt('mcp:write')).status).to.equal(201);
  });

  it("403 `Auth method '<method>' is not permitted on this route`", async () => {
    const key = { 'x-api-key': (await newKey('read_write')).secret };
    const noKey = "Auth method 'api_key' is not permitted on this route";
    expectFramework(await http.request('GET', '/api-keys', { headers: key }), 403, noKey);
    expectFramework(
      await http.request('POST', '/api-keys', { headers: key, body: { label: 'x', scope: 'read' } }),
      403,
      noKey,
    );
    expectFramework(await me(key), 403, noKey);
    expectFramework(
      await http.request('GET', '/api-keys', { headers: grant('mcp:write') }),
      403,
      "Auth method 'oauth_grant' is not permitted on this route",
    );
  });

  it('403 `OAuth grant tokens cannot access first-party account endpoints`', async () => {
    expectFramework(
      await me(grant('mcp:write')),
      403,
      'OAuth grant tokens cannot access first-party account endpoints',
    );
  });

  it('400 `Missing required header: x-trade-account-id`, after the credential has been judged', async () => {
    const scoped = (headers: Record<string, string>) => http.request('GET', '/account-scoped', { headers });
    expectFramework(await scoped({}), 401, 'Missing authorization token');
    expectFramework(
      await scoped({ authorization: bearer }),
      400,
      'Missing required header: x-trade-account-id',
    );
    const own = { authorization: bearer, 'x-trade-account-id': ada.tradeAccount?.id ?? '' };
    expect((await scoped(own)).json).to.deep.equal({ id: ada.tradeAccount?.id });
    const limited = unwrap(
      await fixture.auth.apiKeys.create({
        userId: ada.user.id,
        label: 'elsewhere',
        scope: 'read',
        expiresAt: null,
        tradeAccountIds: [ada.user.id],
      }),
    );
    const outside = { 'x-api-key': limited.secret, 'x-trade-account-id': ada.tradeAccount?.id ?? '' };
    expect((await scoped(outside)).status).to.equal(404);
  });

  it('the API key decides when a bearer is there too', async () => {
    expectFramework(await me({ 'x-api-key': 'tdm_unknown', authorization: bearer }), 401, 'Invalid API key');
    const { secret } = await newKey('read');
    expectFramework(
      await me({ 'x-api-key': secret, authorization: bearer }),
      403,
      "Auth method 'api_key' is not permitted on this route",
    );
    expect((await accounts({ 'x-api-key': secret, authorization: 'Bearer a.b.c' })).status).to.equal(200);
  });

  describe('the session cookie', () => {
    it('reads; and writes from pages of the gateway only', async () => {
      const login = await http.request('POST', '/auth/login', {
        body: { method: 'email', email: 'ada@example.com', password: 'correct horse battery' },
      });
      const cookie = String(login.headers['set-cookie']?.[0]).split(';')[0] ?? '';
      expect((await me({ cookie })).status).to.equal(200);
      const rename = (headers: Record<string, string>) =>
        http.request('PATCH', `/trade-accounts/${ada.tradeAccount?.id}`, {
          headers: { cookie, ...headers },
          body: { alias: 'Renamed' },
        });
      const own = { origin: http.origin, 'sec-fetch-site': 'same-origin' };
      expect((await rename(own)).status).to.equal(200);
      expect((await rename({})).status).to.equal(403);
      expect((await rename({ ...own, origin: 'http://127.0.0.1:1' })).status).to.equal(403);
      expect((await rename({ ...own, 'sec-fetch-site': 'same-site' })).status).to.equal(403);
      const logout = await http.request('POST', '/auth/logout', { headers: { cookie, ...own } });
      expect(logout.status).to.equal(204);
      expectFramework(await me({ cookie }), 401, 'Invalid or expired access token');
    });

    it('refreshes, and not for a page of another origin', async () => {
      const cookie = fixture.auth.cookies.issue(ada.session.id).split(';')[0] ?? '';
      const refresh = (headers: Record<string, string>) =>
        http.request('POST', '/auth/session/refresh', { headers: { cookie, ...headers } });
      expect((await refresh({})).status).to.equal(200);
      expect((await refresh({ origin: http.origin })).status).to.equal(200);
      expect((await refresh({ origin: 'http://tandem.localhost:9999' })).status).to.equal(403);
    });
  });
});
