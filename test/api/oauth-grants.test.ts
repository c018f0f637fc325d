/** Rights of a grant token, its lifetime, and how it ends. */
import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import { signIn, type TestAnswer } from '../support/gateway-client.ts';
import { grantDeskForEachTest } from '../support/grant-desk.ts';
import type { Json } from '../support/json.ts';
import { newPkce, REDIRECT_URI } from '../support/oauth-client.ts';
import { connectRealtime } from '../support/realtime-client.ts';
import { PAIR } from '../support/trader.ts';

const MINUTE_MS = 60_000;
const EXPIRED = 'Invalid or expired access token';
const REVOKED = 'Token has been revoked';

describe('OAuth grants', () => {
  const { disk, gateway, user, visitor, agent, withToken, read, asUser } = grantDeskForEachTest();

  const open = (token: string, over: object = {}) =>
    gateway.request('POST', '/trade/open', {
      headers: withToken(token),
      body: { type: 'MARKET', legs: PAIR, ...over },
    });
  const grants = async (): Promise<Json[]> => (await asUser('GET', '/oauth2/grants')).json.grants;

  function expectFramework(answer: TestAnswer, status: number, message: string): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json).to.deep.equal({ message, error: STATUS_CODES[status], statusCode: status });
  }

  describe('rows of the table of authentication failures', () => {
    it('401 `Invalid or expired access token`: the access token has a life, the grant a longer one', async () => {
      const granted = await agent.connect(visitor);
      expect(granted.expires_in).to.equal(900);
      gateway.clock.leap(15 * MINUTE_MS - 2_000);
      expect((await read(granted.access_token)).status).to.equal(200);
      gateway.clock.leap(2_000);
      const late = await read(granted.access_token);
      expectFramework(late, 401, EXPIRED);
      expect(late.headers.get('www-authenticate')).to.equal(
        `Bearer resource_metadata="${gateway.url}/.well-known/oauth-protected-resource", scope="mcp:read mcp:write"`,
      );
      const fresh = await agent.refresh(granted.clientId, granted.refresh_token);
      expect((await read(fresh.json.access_token)).status).to.equal(200);
    });

    it('401 `Token has been revoked`: from the next request on, by the user or by the agent', async () => {
      const byUser = await agent.connect(visitor);
      const byAgent = await agent.connect(visitor);
      const older = byAgent.access_token;
      const refreshed = await agent.refresh(byAgent.clientId, byAgent.refresh_token);
      const [, { id }] = (await grants()) as [Json, Json];
      expect((await read(byUser.access_token)).status).to.equal(200);
      await asUser('DELETE', `/oauth2/grants/${id}`);
      expectFramework(await read(byUser.access_token), 401, REVOKED);
      expect((await agent.revoke(refreshed.json.refresh_token)).status).to.equal(200);
      for (const token of [older, refreshed.json.access_token])
        expectFramework(await read(token), 401, REVOKED);
      expect(await grants()).to.deep.equal([]);
    });

    it('AGENT_CONNECTED and AGENT_REVOKED are told with the name that the user saw', async () => {
      const told = async () =>
        (await asUser('GET', '/notifications')).json.notifications.map(({ category, parameters }: Json) => [
          category,
          parameters.reason,
        ]);
      const { clientId, refresh_token } = await agent.connect(visitor);
      const [{ name }] = (await grants()) as [Json];
      expect(await told()).to.deep.equal([['AGENT_CONNECTED', name]]);
      await agent.refresh(clientId, 'no token of anybody');
      await agent.revoke(refresh_token);
      await agent.revoke(refresh_token);
      expect(await told()).to.deep.equal([
        ['AGENT_REVOKED', name],
        ['AGENT_CONNECTED', name],
      ]);
    });

    it('401 `Token revocation status unavailable`: while a revocation cannot be written', async () => {
      const granted = await agent.connect(visitor);
      const [grant] = await grants();
      disk.isFull = true;
      const failed = await asUser('DELETE', `/oauth2/grants/${grant.id}`);
      expect(failed.status).to.equal(500);
      expect(failed.json.errorCode).to.equal('DATABASE_ERROR');
      expectFramework(await read(granted.access_token), 401, 'Token revocation status unavailable');
      expect((await agent.revoke(granted.refresh_token)).json.error).to.equal('server_error');
    });

    it('403 `OAuth grant does not have write access`: every method but GET', async () => {
      const reading = await agent.connect(visitor, ['mcp:read']);
      const none = await agent.connect(visitor, []);
      for (const { access_token: token } of [reading, none]) {
        expect((await read(token)).status).to.equal(200);
        const headers = withToken(token);
        for (const [method, path] of [
          ['POST', '/trade/open'],
          ['PUT', '/leverage'],
          ['PATCH', `/trade-accounts/${user.accountId}`],
          ['DELETE', `/trade-accounts/${user.accountId}`],
          ['POST', `/trade-accounts/${user.accountId}/credentials`],
        ] as const) {
          const answer = await gateway.request(method, path, { headers, body: {} });
          expectFramework(answer, 403, 'OAuth grant does not have write access');
        }
      }
    });

    it("403 `Auth method 'oauth_grant' is not permitted on this route`", async () => {
      const headers = withToken((await agent.connect(visitor)).access_token);
      for (const path of ['/api-keys', '/audit-log', '/metrics']) {
        const answer = await gateway.request('GET', path, { headers });
        expectFramework(answer, 403, "Auth method 'oauth_grant' is not permitted on this route");
      }
    });
  });

  describe('what a grant may do', () => {
    it('trades with the write scope, and may name its own client', async () => {
      const granted = await agent.connect(visitor);
      const own = await open(granted.access_token, { clientId: granted.clientId });
      expect(own.status, own.text).to.equal(202);
      expect(own.json.execution.clientId).to.equal(granted.clientId);
      const other = await agent.register();
      const foreign = await open(granted.access_token, { clientId: other });
      expect(foreign.status).to.equal(400);
      expect(foreign.json.details[0].path).to.equal('clientId');
      const headers = { ...user.session, 'x-trade-account-id': user.accountId };
      const body = { type: 'MARKET', legs: PAIR, clientId: granted.clientId };
      await gateway.expect('POST', '/trade/open', { headers, body }, 400);
    });

    it('reaches the credentials route with the write scope: there is nothing there for a paper account', async () => {
      const headers = withToken((await agent.connect(visitor)).access_token);
      const path = `/trade-accounts/${user.accountId}/credentials`;
      const answer = await gateway.expect('POST', path, { headers }, 404);
      expect(answer.message).to.equal('Credentials not found');
    });

    it('stays anonymous on the WebSocket: public channels, no private ones', async () => {
      const granted = await agent.connect(visitor);
      const socket = await connectRealtime(`${gateway.url.replace('http', 'ws')}/ws`, {
        headers: { authorization: `Bearer ${granted.access_token}` },
      });
      const auth = await socket.ask({ op: 'auth', token: granted.access_token });
      expect(auth['op']).to.equal('ack');
      expect(auth['authenticated']).to.equal(false);
      const prices = await socket.ask({ op: 'subscribe', channels: ['prices:paper'] });
      expect(prices['op']).to.equal('ack');
      const own = await socket.ask({ op: 'subscribe', channels: [`user:${user.accountId}`] });
      expect(own['op']).to.equal('error');
      socket.end();
    });
  });

  describe('refreshing', () => {
    it('keeps the grant: same id, same consent time, same scopes', async () => {
      const granted = await agent.connect(visitor, ['mcp:read']);
      const before = await grants();
      gateway.clock.leap(MINUTE_MS);
      const fresh = await agent.refresh(granted.clientId, granted.refresh_token, { scope: '' });
      expect(fresh.json.scope).to.equal('mcp:read');
      expect(fresh.headers.get('cache-control')).to.equal('no-store');
      expect(await grants()).to.deep.equal(before);
      expect(before[0]).to.have.all.keys('id', 'name', 'scopes', 'connectedAt');
      expect(before[0].name).to.equal('Test agent');
    });

    it('narrows that answer only, and never widens', async () => {
      const granted = await agent.connect(visitor);
      const narrow = await agent.refresh(granted.clientId, granted.refresh_token, { scope: 'mcp:read' });
      expect(narrow.json.scope).to.equal('mcp:read');
      expectFramework(await open(narrow.json.access_token), 403, 'OAuth grant does not have write access');
      const whole = await agent.refresh(granted.clientId, narrow.json.refresh_token);
      expect(whole.json.scope).to.equal('mcp:read mcp:write');
      expect((await open(whole.json.access_token)).status).to.equal(202);

      const reading = await agent.connect(visitor, ['mcp:read']);
      const wider = await agent.refresh(reading.clientId, reading.refresh_token, { scope: 'mcp:write' });
      expect(wider.status).to.equal(400);
      expect(wider.json.error).to.equal('invalid_scope');
      const still = await agent.refresh(reading.clientId, reading.refresh_token);
      expect(still.status, 'the refusal has not used the token up').to.equal(200);
    });

    it('a client registered without `refresh_token` gets none, and its grant ends with its access token', async () => {
      const clientId = await agent.register({ grant_types: ['authorization_code'] });
      const answer = await agent.redeem(await agent.authorize(visitor, undefined, { clientId }));
      expect(answer.json).to.have.all.keys('token_type', 'expires_in', 'access_token', 'scope');
      expect(await grants()).to.have.length(1);
      gateway.clock.leap(15 * MINUTE_MS);
      user.session = (await signIn(gateway)).headers;
      expect(await grants()).to.deep.equal([]);
    });
  });

  describe('revoking', () => {
    it('by JSON and by form; the hint is ignored; the answer has no body @long', async () => {
      for (const send of [
        (token: string) => gateway.request('POST', '/revoke', { body: { token, token_type_hint: ['x'] } }),
        (token: string) => agent.form('/revoke', { token, token_type_hint: 'access_token' }),
      ]) {
        const granted = await agent.connect(visitor);
        const answer = await send(granted.refresh_token);
        expect(answer.status).to.equal(200);
        expect(answer.text).to.equal('');
        expectFramework(await read(granted.access_token), 401, REVOKED);
        expect((await send(granted.refresh_token)).status, 'again').to.equal(200);
      }
    });

    it('an access token, a rotated refresh token and anything unknown: the same answer, nothing revoked', async () => {
      const granted = await agent.connect(visitor);
      const fresh = await agent.refresh(granted.clientId, granted.refresh_token);
      for (const token of [granted.access_token, granted.refresh_token, 'unknown', 'x'.repeat(5_000)]) {
        const answer = await agent.revoke(token);
        expect(answer.status).to.equal(200);
        expect(answer.text).to.equal('');
      }
      expect((await read(fresh.json.access_token)).status).to.equal(200);
    });
  });

  it('clients, open interactions and grants survive a restart; a code waiting to be redeemed too', async () => {
    const granted = await agent.connect(visitor);
    const revoked = await agent.connect(visitor);
    await agent.revoke(revoked.refresh_token);
    const waiting = await agent.authorize(visitor);
    const pkce = newPkce();
    const clientId = await agent.register();
    const uid = await visitor.open(`${gateway.url}${agent.authorizePath(clientId, pkce.challenge)}`);
    await visitor.login(uid);
    await gateway.restart();

    expect((await read(granted.access_token)).status).to.equal(200);
    expectFramework(await read(revoked.access_token), 401, REVOKED);
    expect((await agent.refresh(granted.clientId, granted.refresh_token)).status).to.equal(200);
    expect((await agent.redeem(waiting)).status).to.equal(200);
    const returning = await gateway.expect('POST', `/interaction/${uid}/confirm`, {
      headers: user.session,
      body: { scopes: ['mcp:read'] },
    });
    const code = new URL(returning.returnTo).searchParams.get('code') ?? '';
    const redeemed = await agent.redeem({
      clientId,
      redirectUri: REDIRECT_URI,
      code,
      verifier: pkce.verifier,
    });
    expect(redeemed.status).to.equal(200);
  });

  it('the two documents say where everything is; the first has exactly ten fields', async () => {
    const issuer = gateway.url;
    const discovery = await gateway.request('GET', '/.well-known/oauth-authorization-server');
    expect(discovery.json).to.deep.equal({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['mcp:read', 'mcp:write'],
    });
    const resource = await gateway.request('GET', '/.well-known/oauth-protected-resource');
    expect(resource.json).to.deep.equal({
      resource: issuer,
      authorization_servers: [issuer],
      scopes_supported: ['mcp:read', 'mcp:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tandem',
    });
  });
});
