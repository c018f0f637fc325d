/** Attacks on the authorization server that need no browser; each block bears the name of its threat. */
import { expect } from 'chai';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite, startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { newPkce, oauthClient, REDIRECT_URI } from '../support/oauth-client.ts';
import { rawText, sendRaw } from '../support/raw-http.ts';

/** Like `http://127.0.0.1:9201/callback`, and another string. */
const NEAR_MISSES: readonly (readonly [string, string])[] = [
  ['another port', 'http://127.0.0.1:9202/callback'],
  ['no port', 'http://127.0.0.1/callback'],
  ['a zero before the port', 'http://127.0.0.1:09201/callback'],
  ['a slash at the end', 'http://127.0.0.1:9201/callback/'],
  ['a path below', 'http://127.0.0.1:9201/callback/evil'],
  ['a longer path', 'http://127.0.0.1:9201/callback.evil'],
  ['a path that leads back', 'http://127.0.0.1:9201/x/../callback'],
  ['a dot in the path', 'http://127.0.0.1:9201/./callback'],
  ['a second slash', 'http://127.0.0.1:9201//callback'],
  ['a query', 'http://127.0.0.1:9201/callback?next=evil'],
  ['an empty query', 'http://127.0.0.1:9201/callback?'],
  ['a fragment', 'http://127.0.0.1:9201/callback#evil'],
  ['an empty fragment', 'http://127.0.0.1:9201/callback#'],
  ['another case in the path', 'http://127.0.0.1:9201/Callback'],
  ['another case in the scheme', 'HTTP://127.0.0.1:9201/callback'],
  ['an encoded letter', 'http://127.0.0.1:9201/%63allback'],
  ['an encoded slash', 'http://127.0.0.1:9201%2fcallback'],
  ['a user name', 'http://a@127.0.0.1:9201/callback'],
  ['ours as a user name', 'http://127.0.0.1:9201@evil.example/callback'],
  ['ours as a subdomain', 'http://127.0.0.1:9201.evil.example/callback'],
  ['localhost', 'http://localhost:9201/callback'],
  ['IPv6', 'http://[::1]:9201/callback'],
  ['a shorter address', 'http://127.1:9201/callback'],
  ['a dot after the address', 'http://127.0.0.1.:9201/callback'],
  ['https', 'https://127.0.0.1:9201/callback'],
  ['backslashes', 'http:\\\\127.0.0.1:9201\\callback'],
  ['no scheme', '//127.0.0.1:9201/callback'],
  ['a space before', ' http://127.0.0.1:9201/callback'],
  ['a line feed after', 'http://127.0.0.1:9201/callback\n'],
  ['a tab inside', 'http://127.0.0.1:9201/call\tback'],
  ['a null byte after', 'http://127.0.0.1:9201/callback\0'],
  ['a script', 'javascript:alert(1)//127.0.0.1:9201/callback'],
  ['ours in the query of another', 'https://evil.example/?http://127.0.0.1:9201/callback'],
];

describe('attacks on the authorization server', () => {
  const gateway = gatewayForSuite();
  let visitor: ConsentVisitor;
  let client: ReturnType<typeof oauthClient>;
  before(async () => {
    await gateway.register();
    visitor = consentVisitor(gateway);
    client = oauthClient(gateway);
  });

  const authorize = (clientId: string, over: Record<string, string> = {}) =>
    gateway.request('GET', client.authorizePath(clientId, newPkce().challenge, over));

  describe('OAuth redirect and mix-up', () => {
    let clientId: string;
    before(async () => {
      clientId = await client.register();
      expect((await authorize(clientId)).status).to.equal(302);
    });

    for (const [name, uri] of NEAR_MISSES) {
      it(`/authorize with ${name}: 401 here, and no way there`, async () => {
        const answer = await authorize(clientId, { redirect_uri: uri });
        expect(answer.status).to.equal(401);
        expect(answer.json).to.deep.equal({
          status: 401,
          message: 'invalid_client: Client authentication failed',
          error: 'invalid_client',
          error_description: 'Client authentication failed',
        });
        expect(answer.headers.get('location')).to.equal(null);
        expect(answer.headers.get('refresh')).to.equal(null);
      });
    }

    it('a default port that was not registered is another string', async () => {
      const https = await client.register({ redirect_uris: ['https://agent.example/cb'] });
      for (const uri of [
        'https://agent.example:443/cb',
        'https://AGENT.example/cb',
        'https://agent.example./cb',
      ])
        expect((await authorize(https, { redirect_uri: uri })).status, uri).to.equal(401);
    });

    it("another client's URI is not this client's", async () => {
      const other = await client.register({ redirect_uris: ['http://localhost:9999/other'] });
      expect((await authorize(other)).status).to.equal(401);
      expect((await authorize(clientId, { redirect_uri: 'http://localhost:9999/other' })).status).to.equal(
        401,
      );
    });

    it('/token with any of them: 400, and the code is still good with the exact one', async () => {
      const authorization = await client.authorize(visitor);
      for (const [name, uri] of NEAR_MISSES) {
        const answer = await client.redeem(authorization, { redirect_uri: uri });
        expect(answer.status, name).to.equal(400);
        expect(answer.json, name).to.deep.equal({
          status: 400,
          message: 'invalid_request: Invalid redirect URI',
          error: 'invalid_request',
          error_description: 'Invalid redirect URI',
        });
      }
      expect((await client.redeem(authorization)).status).to.equal(200);
    });

    it('the callback goes to the registered URI with nothing but the parameters of the protocol added', async () => {
      const uri = 'http://127.0.0.1:9201/callback?keep=%2F&a=b';
      const registered = await client.register({ redirect_uris: [uri] });
      const state = '"><script>#&redirect_uri=https://evil.example';
      const path = client.authorizePath(registered, newPkce().challenge, { redirect_uri: uri, state });
      const callback = await visitor.allow(`${gateway.url}${path}`, []);
      expect(callback.href.startsWith(`${uri}&`)).to.equal(true);
      expect(callback.hash).to.equal('');
      expect(callback.searchParams.get('state')).to.equal(state);
      expect([...callback.searchParams.keys()].sort()).to.deep.equal(['a', 'code', 'keep', 'state']);
    });

    it('the endpoints of the discovery do not follow the Host or forwarding headers', async () => {
      const read = async (path: string, host: string): Promise<Json> => {
        const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'X-Forwarded-Host: evil.example'];
        return JSON.parse((await sendRaw(gateway.port, rawText(lines))).text);
      };
      for (const name of ['127.0.0.1', 'localhost', '[::1]', 'tandem.localhost']) {
        const host = `${name}:${gateway.port}`;
        const server = await read('/.well-known/oauth-authorization-server', host);
        expect(server.issuer).to.equal(gateway.url);
        for (const [field, value] of Object.entries(server))
          if (field.endsWith('_endpoint')) expect(new URL(String(value)).origin, field).to.equal(gateway.url);
        const resource = await read('/.well-known/oauth-protected-resource', host);
        expect([resource.resource, resource.authorization_servers]).to.deep.equal([
          gateway.url,
          [gateway.url],
        ]);
      }
    });
  });

  describe('tokens in referrer, history, logs', () => {
    it('every answer of a flow is kept out of caches and referrers', async () => {
      const clientId = await client.register();
      const { verifier, challenge } = newPkce();
      const path = client.authorizePath(clientId, challenge);
      const uid = await visitor.open(`${gateway.url}${path}`);
      const login = await visitor.login(uid);
      const confirmed = await visitor.confirm(uid, ['mcp:read']);
      const code = new URL(confirmed.json.returnTo).searchParams.get('code') ?? '';
      const tokens = await client.redeem({ clientId, redirectUri: REDIRECT_URI, code, verifier });
      const refreshed = await client.refresh(clientId, tokens.json.refresh_token);
      const failed = await client.refresh(clientId, tokens.json.refresh_token);
      const revoked = await client.revoke(refreshed.json.refresh_token);
      expect([tokens, refreshed, failed, revoked].map(({ status }) => status)).to.deep.equal([
        200, 200, 400, 200,
      ]);
      const authorizing = await gateway.request('GET', path);
      for (const { headers } of [authorizing, tokens, refreshed, failed, revoked]) {
        expect(headers.get('cache-control')).to.equal('no-store');
        expect(headers.get('referrer-policy')).to.equal('no-referrer');
      }
      for (const { headers } of [login, confirmed, await visitor.read(uid)]) {
        expect(headers['cache-control']).to.equal('no-store');
        expect(headers['referrer-policy']).to.equal('no-referrer');
      }
    });
  });

  describe('brute force', () => {
    it('the consent page and /auth/login count the failures for an email together', async () => {
      const delays: number[] = [];
      const clock: FakeClock = {
        ...createFakeClock(),
        sleep: async (ms) => void delays.push(ms),
      };
      const slow = await startTestGateway({ clock });
      try {
        await slow.register();
        const guesser = consentVisitor(slow);
        const path = oauthClient(slow).authorizePath(await oauthClient(slow).register(), newPkce().challenge);
        const uid = await guesser.open(`${slow.url}${path}`);
        for (let guess = 0; guess < 10; guess += 1)
          expect((await guesser.login(uid, `guess number ${guess}`)).status).to.equal(401);
        expect(delays).to.deep.equal([]);
        const body = { method: 'email', email: 'ada@example.test', password: 'guess number 10' };
        expect((await slow.request('POST', '/auth/login', { body })).status).to.equal(401);
        expect((await guesser.login(uid, 'guess number 11')).status).to.equal(401);
        // The right one works all the same: nobody is locked out, and nothing answers 429.
        expect((await guesser.login(uid)).status).to.equal(200);
        expect(delays).to.deep.equal([500, 1_000, 2_000]);
      } finally {
        await slow.close();
      }
    });
  });
});
