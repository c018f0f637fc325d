/**
 * The client of the MCP TypeScript SDK against the running gateway. It is told nothing but the gateway's address: the 401
 * leads it to the resource's description, that to the authorization server, and it registers by itself.
 */
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { withOAuth } from '@modelcontextprotocol/sdk/client/middleware.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway } from '../support/gateway.ts';
import { signIn } from '../support/gateway-client.ts';
import { jsonOf } from '../support/json.ts';
import { McpAgent } from '../support/mcp-agent.ts';
import { oauthClient, READ_WRITE } from '../support/oauth-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { PAIR, traderForSuite } from '../support/trader.ts';

describe('the client of the MCP SDK', () => {
  const gateway = openForSuite(() => startTestGateway({ clock, settings: { oauthRefreshDays: 1 } }));
  const bot = traderForSuite(gateway);
  const clock = createFakeClock();
  afterEach(async () => {
    for (const { id } of await grants()) await disconnect(id);
  });

  // Signed in anew each time: the tests move the clock past the life of an access token.
  async function asUser(method: string, path: string) {
    const { headers } = await signIn(gateway);
    return gateway.request(method, path, { headers });
  }
  const grants = async (): Promise<{ id: string; name: string; scopes: string[] }[]> =>
    (await asUser('GET', '/oauth2/grants')).json.grants;
  const disconnect = (id: string) => asUser('DELETE', `/oauth2/grants/${id}`);
  const newAgent = (scopes: readonly string[] = READ_WRITE) => new McpAgent(consentVisitor(gateway), scopes);

  describe('as an authenticated fetch of the API (withOAuth)', () => {
    /** The SDK's fetch; where it had to send the user away, it is finished with the code and asked again. */
    function fetchAs(agent: McpAgent): (path: string, init?: RequestInit) => Promise<Response> {
      const authenticated = withOAuth(agent, gateway.url)(fetch);
      return async (path, init = {}) => {
        const target = `${gateway.url}${path}`;
        const headers = {
          'x-trade-account-id': bot.accountId,
          ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        };
        try {
          return await authenticated(target, { ...init, headers });
        } catch (error) {
          if (!(error instanceof UnauthorizedError)) throw error;
          const authorizationCode = agent.takeCode();
          expect(await auth(agent, { serverUrl: gateway.url, authorizationCode })).to.equal('AUTHORIZED');
          return authenticated(target, { ...init, headers });
        }
      };
    }
    const order = { method: 'POST', body: JSON.stringify({ type: 'MARKET', legs: PAIR }) };

    it('gets from a 401 to an answer with one consent, and trades with it', async () => {
      const agent = newAgent();
      const call = fetchAs(agent);
      const positions = await call('/positions');
      expect(positions.status).to.equal(200);
      expect((await jsonOf(positions)).positions).to.deep.equal([]);
      expect(agent.tokens()?.scope).to.equal('mcp:read mcp:write');
      const placed = await call('/trade/open', order);
      expect(placed.status).to.equal(202);
      const { execution } = await jsonOf(placed);
      expect((await bot.ended(execution.id)).status).to.equal('COMPLETED');
      expect(agent).to.include({ consents: 1, registrations: 1 });
      expect(await grants()).to.have.length(1);
      expect((await grants())[0]).to.deep.include({ name: 'MCP agent', scopes: [...READ_WRITE] });
    });

    it('does not ask for rights that the user left out', async () => {
      const agent = newAgent(['mcp:read']);
      const call = fetchAs(agent);
      expect((await call('/positions')).status).to.equal(200);
      const refused = await call('/trade/open', order);
      expect(refused.status).to.equal(403);
      expect((await jsonOf(refused)).message).to.equal('OAuth grant does not have write access');
      expect(agent.consents).to.equal(1);
    });

    it('refreshes by itself when the access token has expired', async () => {
      const agent = newAgent();
      const call = fetchAs(agent);
      await call('/positions');
      const before = agent.tokens();
      clock.leap(1_000 * ((before?.expires_in ?? 0) + 1));
      expect((await call('/positions')).status).to.equal(200);
      expect(agent.consents).to.equal(1);
      expect(agent.tokens()?.access_token).to.not.equal(before?.access_token);
      expect(agent.tokens()?.refresh_token).to.not.equal(before?.refresh_token);
    });

    const ends: Readonly<Record<string, (agent: McpAgent) => Promise<unknown>>> = {
      'the user has disconnected it': async () => {
        for (const { id } of await grants()) expect((await disconnect(id)).status).to.equal(204);
      },
      'its refresh token was revoked': async (agent) => {
        const answer = await oauthClient(gateway).revoke(agent.tokens()?.refresh_token ?? '');
        expect(answer.status).to.equal(200);
      },
      'it was away until its grant had expired': async () => {
        clock.leap(25 * 60 * 60 * 1_000);
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      it(`asks the user again by itself after ${name}${name === 'the user has disconnected it' ? '' : ' @long'}`, async () => {
        const agent = newAgent();
        const call = fetchAs(agent);
        await call('/positions');
        const before = agent.tokens();
        await end(agent);
        expect((await call('/positions')).status).to.equal(200);
        // The refresh was refused in the way that makes the SDK drop its tokens, not its registration.
        expect(agent.invalidated).to.deep.equal(['tokens']);
        expect(agent).to.include({ consents: 2, registrations: 1 });
        expect(agent.tokens()?.access_token).to.not.equal(before?.access_token);
        expect(await grants()).to.have.length(1);
      });
    }
  });

  describe('as an MCP client (StreamableHTTPClientTransport)', () => {
    const newTransport = (agent: McpAgent) =>
      new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { authProvider: agent });

    async function unauthorized(attempt: Promise<unknown>): Promise<void> {
      const error = await attempt.then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(UnauthorizedError);
    }

    it('connects after one consent, and again after the grant was revoked', async () => {
      const agent = newAgent();
      const first = newTransport(agent);
      await unauthorized(new Client({ name: 'agent', version: '1' }).connect(first));
      await first.finishAuth(agent.takeCode());

      const transport = newTransport(agent);
      const client = new Client({ name: 'agent', version: '1' });
      await client.connect(transport);
      const ask = () => client.callTool({ name: 'whoami', arguments: {} });
      expect(JSON.stringify(await ask())).to.include(bot.accountId);
      expect(agent.consents).to.equal(1);

      for (const { id } of await grants()) await disconnect(id);
      await unauthorized(ask());
      expect(agent.invalidated).to.deep.equal(['tokens']);
      await transport.finishAuth(agent.takeCode());
      expect(JSON.stringify(await ask())).to.include(bot.accountId);
      expect(agent).to.include({ consents: 2, registrations: 1 });
      await client.close();
    });
  });
});
