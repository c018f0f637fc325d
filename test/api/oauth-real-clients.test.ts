/**
 * Clients that nobody of this project wrote, as their documentation tells their users to use them: discovery,
 * registration, authorisation, consent, tokens, calls of the API, refresh, revocation.
 */
import { expect } from 'chai';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { jsonOf } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { PAIR, traderForSuite } from '../support/trader.ts';

const REDIRECT_URI = 'http://127.0.0.1:9202/callback';
const SCOPE = 'mcp:read mcp:write';
const METADATA = {
  client_name: 'Basket agent',
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

describe('OAuth clients from the registry', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  const visitor = openForSuite(() => consentVisitor(gateway));

  const url = (path: string) => new URL(path, gateway.url);
  const account = (more: Record<string, string> = {}) =>
    new Headers({ 'x-trade-account-id': bot.accountId, ...more });
  const grantNames = async (): Promise<string[]> => {
    const headers = { authorization: `Bearer ${bot.accessToken}` };
    const { json } = await gateway.request('GET', '/oauth2/grants', { headers });
    return json.grants.map(({ name }: { name: string }) => name);
  };
  const order = JSON.stringify({ type: 'MARKET', legs: PAIR });
  const asJson = { 'content-type': 'application/json' };

  describe('oauth4webapi', () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    let server: oauth.AuthorizationServer;
    let client: oauth.Client;
    let tokens: oauth.TokenEndpointResponse;

    /** From the user's click to the tokens. */
    async function authorize(
      scope: string,
      allowed: readonly string[],
    ): Promise<oauth.TokenEndpointResponse> {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const link = new URL(server.authorization_endpoint ?? '');
      link.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      }).toString();
      const callback = await visitor.allow(link, allowed);
      const parameters = oauth.validateAuthResponse(server, client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        REDIRECT_URI,
        verifier,
        insecure,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    }

    const call = (method: string, path: string, body: string | null = null) =>
      oauth.protectedResourceRequest(
        tokens.access_token,
        method,
        url(path),
        account(body === null ? {} : asJson),
        body,
        insecure,
      );

    it('discovers the resource and its authorization server', async () => {
      const found = await oauth.resourceDiscoveryRequest(url('/'), insecure);
      const resource = await oauth.processResourceDiscoveryResponse(url('/'), found);
      const [issuer = ''] = resource.authorization_servers ?? [];
      const options = { algorithm: 'oauth2', ...insecure } as const;
      const discovered = await oauth.discoveryRequest(new URL(issuer), options);
      server = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
      expect(Object.keys(server)).to.have.length(10);
      expect(server.issuer).to.equal(gateway.url);
    });

    it('registers', async () => {
      const response = await oauth.dynamicClientRegistrationRequest(server, METADATA, insecure);
      client = await oauth.processDynamicClientRegistrationResponse(response);
      expect(client).to.include({ client_name: 'Basket agent', token_endpoint_auth_method: 'none' });
    });

    it('gets tokens for what the user allowed', async () => {
      tokens = await authorize(SCOPE, SCOPE.split(' '));
      expect(tokens).to.include({ token_type: 'bearer', scope: SCOPE });
      expect(tokens.refresh_token).to.be.a('string');
      expect(await grantNames()).to.deep.equal(['Basket agent']);
    });

    it('reads and trades', async () => {
      expect((await jsonOf(await call('GET', '/positions'))).positions).to.deep.equal([]);
      const placed = await call('POST', '/trade/open', order);
      expect(placed.status).to.equal(202);
      const { execution } = await jsonOf(placed);
      expect((await bot.ended(execution.id)).status).to.equal('COMPLETED');
      const { positions } = await jsonOf(await call('GET', '/positions'));
      expect(positions).to.have.length(1);
    });

    it('refreshes: the old refresh token ends, the new tokens work', async () => {
      const refresh = async (token: string) =>
        oauth.processRefreshTokenResponse(
          server,
          client,
          await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure),
        );
      const old = tokens.refresh_token ?? '';
      tokens = await refresh(old);
      expect(tokens.scope).to.equal(SCOPE);
      expect((await call('GET', '/executions')).status).to.equal(200);
      const again = await refresh(old).catch((error: unknown) => error);
      expect(again)
        .to.be.instanceOf(oauth.ResponseBodyError)
        .and.include({ error: 'invalid_grant', status: 400 });
    });

    it('hears of a narrower consent in the scope, and is refused what it lacks', async () => {
      const whole = tokens;
      tokens = await authorize(SCOPE, ['mcp:read']);
      expect(tokens.scope).to.equal('mcp:read');
      expect((await call('GET', '/fills')).status).to.equal(200);
      const refused = await call('POST', '/trade/open', order);
      expect(refused.status).to.equal(403);
      expect((await jsonOf(refused)).message).to.equal('OAuth grant does not have write access');
      tokens = whole;
    });

    it('hears of a refusal', async () => {
      const verifier = oauth.generateRandomCodeVerifier();
      const link = new URL(server.authorization_endpoint ?? '');
      link.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'mine',
      }).toString();
      const callback = await visitor.deny(link);
      expect(() => oauth.validateAuthResponse(server, client, callback, 'mine'))
        .to.throw(oauth.AuthorizationResponseError)
        .with.property('error', 'access_denied');
    });

    it('revokes: the access token is refused on its next request, with the challenge', async () => {
      const response = await oauth.revocationRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        insecure,
      );
      await oauth.processRevocationResponse(response);
      const refused = await call('GET', '/positions').catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(oauth.WWWAuthenticateChallengeError).and.include({ status: 401 });
      if (!(refused instanceof oauth.WWWAuthenticateChallengeError)) return;
      expect(refused.cause[0]).to.deep.include({ scheme: 'bearer' });
      expect(refused.cause[0]?.parameters).to.deep.include({
        resource_metadata: `${gateway.url}/.well-known/oauth-protected-resource`,
        scope: SCOPE,
      });
      expect((await jsonOf(refused.response)).message).to.equal('Token has been revoked');
    });
  });

  describe('openid-client', () => {
    let config: openid.Configuration;
    let tokens: openid.TokenEndpointResponse;
    const call = (method: string, path: string, body?: string) =>
      openid.fetchProtectedResource(
        config,
        tokens.access_token,
        url(path),
        method,
        body,
        account(body === undefined ? {} : asJson),
      );

    it('discovers and registers', async () => {
      config = await openid.dynamicClientRegistration(url('/'), METADATA, openid.None(), {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
      });
      expect(config.serverMetadata().issuer).to.equal(gateway.url);
      expect(config.serverMetadata().supportsPKCE()).to.equal(true);
      expect(config.clientMetadata().client_secret).to.equal(undefined);
    });

    it('gets tokens for what the user allowed', async () => {
      const verifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const link = openid.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: SCOPE,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: expectedState,
      });
      const callback = await visitor.allow(link, SCOPE.split(' '));
      tokens = await openid.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState,
      });
      expect(tokens.scope).to.equal(SCOPE);
    });

    it('reads and trades', async () => {
      const before = await jsonOf(await call('GET', '/executions'));
      const placed = await call('POST', '/trade/open', order);
      expect(placed.status).to.equal(202);
      const { execution } = await jsonOf(placed);
      expect((await bot.ended(execution.id)).status).to.equal('COMPLETED');
      const after = await jsonOf(await call('GET', '/executions'));
      expect(after.executions).to.have.length(before.executions.length + 1);
    });

    it('refreshes, narrower for one answer', async () => {
      tokens = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', { scope: 'mcp:read' });
      expect(tokens.scope).to.equal('mcp:read');
      expect((await call('POST', '/trade/open', order)).status).to.equal(403);
      tokens = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(tokens.scope).to.equal(SCOPE);
      expect((await call('GET', '/positions')).status).to.equal(200);
    });

    it('revokes: nothing of the grant works any more', async () => {
      await openid.tokenRevocation(config, tokens.refresh_token ?? '');
      const refused = await call('GET', '/positions').catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(openid.WWWAuthenticateChallengeError).and.include({ status: 401 });
      const refresh = await openid
        .refreshTokenGrant(config, tokens.refresh_token ?? '')
        .catch((error: unknown) => error);
      expect(refresh)
        .to.be.instanceOf(openid.ResponseBodyError)
        .and.include({ error: 'invalid_request', error_description: 'Token has been revoked' });
    });
  });
});
