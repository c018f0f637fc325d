/**
 * The MCP endpoint with the clients of both SDK generations. They are told nothing but the address, in each of its
 * spellings: the 401 leads them through the gateway's own OAuth.
 */
import dns from 'node:dns';
import { request } from 'node:http';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { McpAgent } from '../support/mcp-agent.ts';
import { READ_WRITE } from '../support/oauth-client.ts';
import { type RawAnswer, readAnswer } from '../support/raw-answer.ts';
import { type Trader, trader } from '../support/trader.ts';

/** One HTTP request as a test wants it, Host and all, with what an MCP client sends by default. */
function rawHttp(
  port: number,
  asked: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
): Promise<RawAnswer> {
  const { method = 'POST', path = '/mcp', headers = {} } = asked;
  const body =
    asked.body === undefined || typeof asked.body === 'string'
      ? (asked.body ?? '')
      : JSON.stringify(asked.body);
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(body === ''
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (res) => readAnswer(res).then(resolve, reject),
    );
    req.on('error', reject);
    req.end(method === 'GET' ? '' : body);
  });
}

const SPELLINGS = ['127.0.0.1', 'localhost', 'tandem.localhost', '[::1]'] as const;

describe('POST /mcp', () => {
  let gateway: TestGateway;
  let bot: Trader;
  const { lookup } = dns;
  before(async () => {
    // Not every system knows the names under `localhost`; browsers do without asking it.
    const known: typeof dns.lookup = Object.assign(
      (name: string, ...rest: never[]) =>
        (lookup as (...values: unknown[]) => void)(name === 'tandem.localhost' ? 'localhost' : name, ...rest),
      lookup,
    );
    dns.lookup = known;
    gateway = await startTestGateway();
    bot = await trader(gateway);
  });
  after(() => {
    dns.lookup = lookup;
    return gateway.close();
  });

  const bearer = () => ({ authorization: `Bearer ${bot.accessToken}` });
  async function disconnectAll(): Promise<void> {
    const { json } = await gateway.request('GET', '/oauth2/grants', { headers: bearer() });
    for (const { id } of json.grants)
      await gateway.request('DELETE', `/oauth2/grants/${id}`, { headers: bearer() });
  }
  afterEach(disconnectAll);
  const newAgent = (scopes: readonly string[] = READ_WRITE) => new McpAgent(consentVisitor(gateway), scopes);
  const at = (host: string) => new URL(`http://${host}:${gateway.port}/mcp`);

  describe('is found and signed in to from the address alone', () => {
    for (const host of SPELLINGS) {
      it(`by the SDK 1.x at ${host}`, async () => {
        const agent = newAgent();
        const first = new OldTransport(at(host), { authProvider: agent });
        const refused = await new OldClient({ name: 'agent', version: '1' })
          .connect(first)
          .catch((e: unknown) => e);
        expect(refused).to.be.instanceOf(OldUnauthorized);
        await first.finishAuth(agent.takeCode());
        const client = new OldClient({ name: 'agent', version: '1' });
        await client.connect(new OldTransport(at(host), { authProvider: agent }));
        const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} });
        expect(structuredContent).to.deep.include({ agent: 'MCP agent', may_trade: true, paused: false });
        expect(agent).to.include({ consents: 1, registrations: 1 });
        await client.close();
      });

      it(`by the client 2.x at ${host}`, async () => {
        const agent = newAgent();
        const first = new NewTransport(at(host), { authProvider: agent as never });
        const refused = await new NewClient({ name: 'agent', version: '1' })
          .connect(first)
          .catch((e: unknown) => e);
        expect(refused).to.be.instanceOf(Error);
        await first.finishAuth(agent.takeCode());
        const client = new NewClient({ name: 'agent', version: '1' });
        await client.connect(new NewTransport(at(host), { authProvider: agent as never }));
        const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} });
        expect(structuredContent).to.deep.include({ agent: 'MCP agent', may_trade: true, paused: false });
        const markets = await client.callTool({
          name: 'find_markets',
          arguments: { connector: 'paper', search: 'BTC' },
        });
        expect(markets.isError).to.not.equal(true);
        expect(JSON.stringify(markets.structuredContent)).to.include('BTC-PERP');
        expect(agent).to.include({ consents: 1, registrations: 1 });
        await client.close();
      });
    }
  });

  describe('who may call', () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const ask = (over: Parameters<typeof rawHttp>[1] = {}) =>
      rawHttp(gateway.port, { method: 'POST', path: '/mcp', body: initialize, ...over });

    it('tells each host its own resource in the 401 and in the document', async () => {
      for (const name of SPELLINGS) {
        const host = `${name}:${gateway.port}`;
        const metadata = `http://${host}/.well-known/oauth-protected-resource/mcp`;
        const refused = await ask({ headers: { host } });
        expect(refused.status).to.equal(401);
        expect(refused.headers['www-authenticate']).to.equal(
          `Bearer resource_metadata="${metadata}", scope="mcp:read mcp:write"`,
        );
        const document = await rawHttp(gateway.port, {
          method: 'GET',
          path: '/.well-known/oauth-protected-resource/mcp',
          headers: { host },
        });
        expect(document.json).to.deep.equal({
          resource: `http://${host}/mcp`,
          authorization_servers: [`http://127.0.0.1:${gateway.port}`],
          scopes_supported: ['mcp:read', 'mcp:write'],
          bearer_methods_supported: ['header'],
          resource_name: 'Tandem',
          authorization_details_types_supported: ['tandem_mandate'],
        });
      }
      const elsewhere = await ask({ headers: { host: 'evil.example' } });
      expect(elsewhere.status).to.equal(421);
    });

    it('says so when a token was shown and is not valid', async () => {
      const refused = await ask({ headers: { authorization: 'Bearer abc' } });
      expect(refused.status).to.equal(401);
      expect(refused.headers['www-authenticate']).to.match(
        /^Bearer error="invalid_token", resource_metadata=/,
      );
    });

    it('answers 401 to every method before it says that only POST is there', async () => {
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
        expect((await rawHttp(gateway.port, { method, path: '/mcp' })).status).to.equal(401);
        const known = await rawHttp(gateway.port, {
          method,
          path: '/mcp',
          headers: { 'x-api-key': bot.key },
        });
        expect(known.status).to.equal(405);
        expect(known.headers.allow).to.equal('POST');
      }
    });

    it('refuses a session and looks at no cookie', async () => {
      const session = await ask({ headers: bearer() });
      expect(session.status).to.equal(403);
      expect(session.json.message).to.equal("Auth method 'session' is not permitted on this route");
      const cookie = await ask({ headers: { cookie: `tandem_session=${bot.accessToken}` } });
      expect(cookie.status).to.equal(401);
    });

    it('takes an API key', async () => {
      const answer = await ask({ headers: { 'x-api-key': bot.key } });
      expect(answer.status).to.equal(200);
      expect(answer.text).to.include('"serverInfo"');
    });

    it('refuses pages of other origins, batches, what is no JSON, and more than 1 MiB', async () => {
      const headers = { 'x-api-key': bot.key };
      for (const origin of ['http://localhost:6274', 'vscode-webview://abc', 'https://evil.example'])
        expect((await ask({ headers: { ...headers, origin } })).status).to.equal(403);
      const batch = await ask({ headers, body: [initialize] });
      expect(batch.status).to.equal(400);
      expect(batch.json.error.code).to.equal(-32_600);
      const broken = await ask({ headers, body: '{"jsonrpc":' });
      expect(broken.status).to.equal(400);
      expect(broken.json.error.code).to.equal(-32_700);
      const large = await ask({ headers, body: { ...initialize, padding: 'x'.repeat(1024 * 1024) } });
      expect(large.status).to.equal(413);
      expect((await ask({ headers: { ...headers, accept: 'application/json' } })).status).to.equal(406);
    });

    it('ends with its grant: the next call after a revocation is a 401', async () => {
      const agent = newAgent();
      const first = new OldTransport(at('127.0.0.1'), { authProvider: agent });
      await new OldClient({ name: 'agent', version: '1' }).connect(first).catch(() => undefined);
      await first.finishAuth(agent.takeCode());
      const client = new OldClient({ name: 'agent', version: '1' });
      await client.connect(new OldTransport(at('127.0.0.1'), { authProvider: agent }));
      await client.callTool({ name: 'whoami', arguments: {} });
      await disconnectAll();
      const raw = await ask({ headers: { authorization: `Bearer ${agent.tokens()?.access_token}` } });
      expect(raw.status).to.equal(401);
      expect(
        await client.callTool({ name: 'whoami', arguments: {} }).catch((e: unknown) => e),
      ).to.be.instanceOf(Error);
    });
  });
});
