/** The table of OAuth endpoint errors, row by row, on the wire; and what else a request can be wrong with. */
import { expect } from 'chai';
import { type ConsentVisitor, consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { signIn, type TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { type Authorization, newPkce, oauthClient, REDIRECT_URI } from '../support/oauth-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('OAuth endpoint errors', () => {
  const clock = openForSuite(() => createFakeClock());
  const gateway = gatewayForSuite({ clock });
  let visitor: ConsentVisitor;
  let agent: ReturnType<typeof oauthClient>;
  let clientId: string;

  before(async () => {
    await gateway.register();
    visitor = consentVisitor(gateway);
    agent = oauthClient(gateway);
    clientId = await agent.register();
  });
  afterEach(async () => {
    // Room for the next ten agents.
    const { headers } = await signIn(gateway);
    const { grants } = (await gateway.request('GET', '/oauth2/grants', { headers })).json;
    for (const { id } of grants) await gateway.request('DELETE', `/oauth2/grants/${id}`, { headers });
  });

  function expectError(answer: TestAnswer, error: string, description: string, status = 400): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json).to.deep.equal({
      status,
      message: `${error}: ${description}`,
      error,
      error_description: description,
    });
    expect(answer.headers.get('location')).to.equal(null);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  }

  const authorize = (over: Readonly<Record<string, string>> = {}) =>
    gateway.request('GET', agent.authorizePath(clientId, newPkce().challenge, over));

  /** A good request without one parameter. */
  const authorizeWithout = (name: string) => {
    const url = new URL(agent.authorizePath(clientId, newPkce().challenge), gateway.url);
    url.searchParams.delete(name);
    return gateway.request('GET', `${url.pathname}${url.search}`);
  };

  const code = () => agent.authorize(visitor);
  const tokenForm = (good: Authorization, without: string) => {
    const form: Record<string, string> = {
      grant_type: 'authorization_code',
      code: good.code,
      redirect_uri: good.redirectUri,
      client_id: good.clientId,
      code_verifier: good.verifier,
    };
    delete form[without];
    return agent.form('/token', form);
  };
  const INVALID_CODE = 'The authorization code is invalid or has expired';
  const faulty = (name: string) => ['invalid_request', `Check the \`${name}\` parameter`] as const;

  describe('rows of the table', () => {
    it('unknown client_id', async () => {
      const unknown = '018f0000-0000-7000-8000-000000000000';
      const failed = ['invalid_client', 'Client authentication failed', 401] as const;
      expectError(await authorize({ client_id: unknown }), ...failed);
      expectError(await authorize({ client_id: 'no uuid' }), ...failed);
      const good = await code();
      expectError(await agent.redeem({ ...good, clientId: unknown }), ...failed);
      expectError(await agent.refresh(unknown, 'x'), ...failed);
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('code_challenge missing', async () => {
      const description = 'requires public clients to use PKCE';
      expectError(await authorizeWithout('code_challenge'), 'invalid_request', description);
      expectError(await authorize({ code_challenge: '' }), 'invalid_request', description);
    });

    it('code_challenge_method not S256', async () => {
      for (const method of ['plain', 's256', ''])
        expectError(await authorize({ code_challenge_method: method }), 'invalid_request', 'Must be `S256`');
      expectError(await authorizeWithout('code_challenge_method'), 'invalid_request', 'Must be `S256`');
    });

    it('scope outside scopes_supported', async () => {
      for (const [scope, named] of [
        ['mcp:read admin', 'admin'],
        ['MCP:READ "quoted"', 'MCP:READ ?quoted?'],
      ] as const)
        expectError(await authorize({ scope }), 'invalid_scope', `Check the \`${named}\` scope(s)`);
    });

    it('code unknown, expired or already redeemed', async () => {
      const good = await code();
      expectError(await agent.redeem({ ...good, code: 'unknown' }), 'invalid_grant', INVALID_CODE);
      expect((await agent.redeem(good)).status).to.equal(200);
      expectError(await agent.redeem(good), 'invalid_grant', INVALID_CODE);

      const inTime = await code();
      clock.leap(MINUTE_MS - 2_000);
      expect((await agent.redeem(inTime)).status).to.equal(200);
      const late = await code();
      clock.leap(MINUTE_MS);
      expectError(await agent.redeem(late), 'invalid_grant', INVALID_CODE);
    });

    it('two requests race for one code', async () => {
      const good = await code();
      const fifty = Array.from({ length: 50 });
      // Their connections are there before, so that all of them arrive at once.
      await Promise.all(fifty.map(() => gateway.request('GET', '/health')));
      const answers = await Promise.all(fifty.map(() => agent.redeem(good)));
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost).to.have.length(49);
      const RACED = 'The authorization code has already been redeemed';
      for (const answer of lost)
        expectError(answer, 'invalid_grant', answer.json.error_description === RACED ? RACED : INVALID_CODE);
      expect(lost.some(({ json }) => json.error_description === RACED)).to.equal(true);
      const [won] = answers.filter(({ status }) => status === 200);
      expect((await agent.refresh(good.clientId, won?.json.refresh_token)).status).to.equal(200);
    });

    it('code_verifier does not match, and the code is still good', async () => {
      const good = await code();
      const wrong = { ...good, verifier: newPkce().verifier };
      for (let tries = 0; tries < 3; tries += 1)
        expectError(await agent.redeem(wrong), 'invalid_grant', 'Failed to verify code challenge.');
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('code_verifier outside the allowed character set or length', async () => {
      const good = await code();
      for (const verifier of ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)}+`, `${'x'.repeat(43)}é`])
        expectError(
          await agent.redeem({ ...good, verifier }),
          'invalid_request',
          'Code verifier must follow the specifications of RFC-7636',
        );
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('redirect_uri missing', async () => {
      expectError(await authorizeWithout('redirect_uri'), ...faulty('redirect_uri'));
      const good = await code();
      expectError(await tokenForm(good, 'redirect_uri'), ...faulty('redirect_uri'));
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('refresh_token unknown or already rotated', async () => {
      const failed = ['invalid_grant', 'The refresh token is invalid or has expired'] as const;
      expectError(await agent.refresh(clientId, 'unknown'), ...failed);
      const first = await agent.connect(visitor);
      const second = await agent.refresh(first.clientId, first.refresh_token);
      expect(second.status).to.equal(200);
      expectError(await agent.refresh(first.clientId, first.refresh_token), ...failed);
      expect((await agent.refresh(first.clientId, second.json.refresh_token)).status).to.equal(200);
    });

    it('refresh_token unknown or already rotated: of 50 that race for one token, one gets tokens', async () => {
      const { clientId: id, refresh_token: token } = await agent.connect(visitor);
      const answers = await Promise.all(Array.from({ length: 50 }, () => agent.refresh(id, token)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).to.have.length(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expectError(answer, 'invalid_grant', 'The refresh token is invalid or has expired');
      expect((await agent.refresh(id, won[0]?.json.refresh_token)).status).to.equal(200);
    });

    it('refresh_token presented by a different client', async () => {
      const { clientId: own, refresh_token: token } = await agent.connect(visitor);
      expectError(await agent.refresh(clientId, token), 'invalid_request', 'Token is not linked to client');
      expect((await agent.refresh(own, token)).status).to.equal(200);
    });

    it("grant's refresh window closed", async () => {
      const granted = await agent.connect(visitor);
      clock.leap(29 * DAY_MS);
      const slid = await agent.refresh(granted.clientId, granted.refresh_token);
      expect(slid.status, slid.text).to.equal(200);
      clock.leap(29 * DAY_MS);
      const again = await agent.refresh(granted.clientId, slid.json.refresh_token);
      expect(again.status, 'the window has slid').to.equal(200);
      clock.leap(30 * DAY_MS);
      const token = again.json.refresh_token;
      expectError(await agent.refresh(granted.clientId, token), 'invalid_request', 'Token has expired');
      expectError(
        await agent.refresh(granted.clientId, token, { resource: gateway.url }),
        'invalid_grant',
        'Token has expired',
      );
    });

    it('grant revoked', async () => {
      const granted = await agent.connect(visitor);
      expect((await agent.revoke(granted.refresh_token)).status).to.equal(200);
      const refresh = (over = {}) => agent.refresh(granted.clientId, granted.refresh_token, over);
      expectError(await refresh(), 'invalid_request', 'Token has been revoked');
      expectError(await refresh({ resource: gateway.url }), 'invalid_grant', 'Token has been revoked');
    });
  });

  describe('beyond the table', () => {
    it('a code that another client presents counts as unknown', async () => {
      const good = await code();
      expectError(await agent.redeem({ ...good, clientId }), 'invalid_grant', INVALID_CODE);
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('each parameter that is missing', async () => {
      for (const name of ['client_id', 'response_type'])
        expectError(await authorizeWithout(name), ...faulty(name));
      const good = await code();
      for (const name of ['grant_type', 'client_id', 'code', 'code_verifier'])
        expectError(await tokenForm(good, name), ...faulty(name));
      expectError(await agent.refresh(clientId, ''), ...faulty('refresh_token'));
      expectError(await agent.form('/revoke', {}), ...faulty('token'));
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('each parameter that is repeated, known or not', async () => {
      const path = agent.authorizePath(clientId, newPkce().challenge);
      for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'colour'])
        expectError(await gateway.request('GET', `${path}&${name}=a&${name}=b`), ...faulty(name));
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = `grant_type=refresh_token&client_id=${clientId}&refresh_token=a&refresh_token=b`;
      const answer = await gateway.request('POST', '/token', { headers, body });
      expectError(answer, ...faulty('refresh_token'));
      const twice = await gateway.request('POST', '/revoke', { headers, body: 'token=a&token=b' });
      expectError(twice, ...faulty('token'));
    });

    it('unknown parameters are ignored', async () => {
      const shapeOf = ({ status, headers }: TestAnswer) => {
        const to = new URL(headers.get('location') ?? '', gateway.url);
        return [status, to.origin, to.pathname.replace(/[\w-]{20,}/, '<uid>'), [...to.searchParams.keys()]];
      };
      const plain = shapeOf(await authorize());
      expect(plain[0]).to.equal(302);
      const more = await authorize({ colour: 'red', resource: gateway.url, prompt: 'consent' });
      expect(shapeOf(more)).to.deep.equal(plain);
      expect(more.headers.get('location')).not.to.include('red');
    });

    it('another response type, grant type or challenge', async () => {
      expectError(await authorize({ response_type: 'token' }), 'unsupported_response_type', 'Must be `code`');
      expectError(
        await agent.form('/token', { grant_type: 'password', client_id: clientId }),
        'unsupported_grant_type',
        'Must be `authorization_code` or `refresh_token`',
      );
      for (const challenge of ['short', 'x'.repeat(44), `${'x'.repeat(42)}=`])
        expectError(await authorize({ code_challenge: challenge }), ...faulty('code_challenge'));
    });

    it('a `resource` of another server: nobody is asked, and no token is given (RFC 8707)', async () => {
      const own = [gateway.url, `${gateway.url}/`, `${gateway.url}/mcp`, `${gateway.url}/mcp/`];
      for (const resource of own) expect((await authorize({ resource })).status, resource).to.equal(302);
      const foreign = [
        'https://evil.example/mcp',
        `${gateway.url}.evil.example/mcp`,
        `${gateway.url}/mcp/other`,
        `${gateway.url}/mcp#fragment`,
        gateway.url.replace('http:', 'https:'),
        'not an address',
      ];
      const refused = ['invalid_target', 'The `resource` is not one of this gateway'] as const;
      for (const resource of foreign) expectError(await authorize({ resource }), ...refused);
      const granted = await agent.connect(visitor);
      const [resource = ''] = foreign;
      expectError(await agent.refresh(granted.clientId, granted.refresh_token, { resource }), ...refused);
      expect((await agent.refresh(granted.clientId, granted.refresh_token)).status).to.equal(200);
      const good = await code();
      expectError(await agent.redeem(good, { resource }), ...refused);
      expect((await agent.redeem(good)).status).to.equal(200);
    });

    it('a client that did not register for codes', async () => {
      const other = await agent.register({ grant_types: ['refresh_token'] });
      expectError(
        await authorize({ client_id: other }),
        'unauthorized_client',
        'The client is not registered for `authorization_code`',
      );
    });

    it('bodies that are no form: 415 where the type says so, 400 where the content does', async () => {
      await gateway.expect('POST', '/token', { body: { grant_type: 'refresh_token' } }, 415);
      const empty = await gateway.request('POST', '/token');
      expectError(empty, 'invalid_request', 'The request has no parameters');
      const big = await agent.form('/token', { grant_type: 'x'.repeat(70_000) });
      expect(big.status).to.equal(413);
      const headers = { 'content-type': 'text/plain' };
      expect((await gateway.request('POST', '/register', { headers, body: '{}' })).status).to.equal(415);
      expect((await gateway.request('POST', '/revoke', { headers, body: 'token=x' })).status).to.equal(415);
    });

    it('of several faults the first in the order of the checks is named', async () => {
      const order: readonly [string, string, string][] = [
        ['client_id', 'nobody', 'invalid_client'],
        ['redirect_uri', 'https://evil.example/', 'invalid_client'],
        ['response_type', 'token', 'unsupported_response_type'],
        ['code_challenge_method', 'plain', 'invalid_request'],
        ['scope', 'admin', 'invalid_scope'],
      ];
      for (const [index, [, , error]] of order.entries()) {
        const faults = Object.fromEntries(order.slice(index).map(([name, value]) => [name, value]));
        expect((await authorize(faults)).json.error).to.equal(error);
      }
    });
  });

  describe('registration', () => {
    const register = (metadata: unknown) => gateway.request('POST', '/register', { body: metadata });

    it('answers the client with its defaults, and nothing secret', async () => {
      const { status, json } = await register({ redirect_uris: [REDIRECT_URI], software_id: 'ignored' });
      expect(status).to.equal(201);
      const { client_id: id, client_id_issued_at: issuedAt, ...rest } = json;
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
      expect(issuedAt).to.equal(Math.floor(issuedAt));
      expect(rest).to.deep.equal({
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      });
    });

    const good = { redirect_uris: [REDIRECT_URI] };
    const refused: readonly (readonly [string, unknown, string])[] = [
      ['no redirect URI', {}, 'invalid_redirect_uri'],
      ['an empty list', { redirect_uris: [] }, 'invalid_redirect_uri'],
      ['a URI that is no text', { redirect_uris: [1] }, 'invalid_redirect_uri'],
      ['http on another host', { redirect_uris: ['http://agent.example/cb'] }, 'invalid_redirect_uri'],
      ['another scheme', { redirect_uris: ['cursor://cb'] }, 'invalid_redirect_uri'],
      ['one bad URI among good ones', { redirect_uris: [REDIRECT_URI, 'x'] }, 'invalid_redirect_uri'],
      ['a secret', { ...good, token_endpoint_auth_method: 'client_secret_post' }, 'invalid_client_metadata'],
      ['another grant type', { ...good, grant_types: ['implicit'] }, 'invalid_client_metadata'],
      ['another response type', { ...good, response_types: ['token'] }, 'invalid_client_metadata'],
      ['a name that is no text', { ...good, client_name: {} }, 'invalid_client_metadata'],
      ['a list', [], 'invalid_client_metadata'],
    ];
    for (const [name, metadata, error] of refused) {
      it(`400 ${error}: ${name}`, async () => {
        const answer = await register(metadata);
        expect(answer.status).to.equal(400);
        const body: Json = answer.json;
        expect(body).to.have.all.keys('status', 'message', 'error', 'error_description');
        expect(body.error).to.equal(error);
        expect(body.message).to.equal(`${error}: ${body.error_description}`);
      });
    }

    it("400 invalid_redirect_uri: another spelling of a host, and the gateway's own addresses", async () => {
      const own = ['127.0.0.1', 'localhost', '[::1]', 'tandem.localhost'].flatMap((host) =>
        ['http', 'https'].map((scheme) => `${scheme}://${host}:${gateway.port}/app`),
      );
      for (const uri of ['http://2130706433/', 'http://0x7f.1:9201/cb', 'https:///evil.com', ...own]) {
        const answer = await register({ redirect_uris: [uri] });
        expect([answer.status, answer.json.error], uri).to.deep.equal([400, 'invalid_redirect_uri']);
      }
    });

    it('201: the addresses that agents listen on', async () => {
      for (const uri of [
        'http://localhost:54212/callback',
        'http://127.0.0.1:54212/callback/aGVsbG8',
        'http://127.0.0.1:33418/',
        'http://127.0.0.1:33418',
        'http://[::1]:33418/cb?x=1',
        'https://vscode.dev/redirect',
      ])
        expect((await register({ redirect_uris: [uri] })).json.redirect_uris, uri).to.deep.equal([uri]);
    });

    it('keeps of a name what a person can read', async () => {
      for (const [given, kept] of [
        ['  My\n agent ', 'My agent'],
        ['Bank\u202eknab\u200b', 'Bank knab'],
        ['\u2066\u0000', undefined],
        ['', undefined],
        ['👩‍💻 agent', '👩‍💻 agent'],
        ['é'.repeat(200), 'é'.repeat(128)],
      ] as const)
        expect((await register({ ...good, client_name: given })).json.client_name).to.equal(kept);
    });

    it('cannot be read, changed or deleted', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await gateway.request(method, `/register/${clientId}`);
        expect([answer.status, 'redirect_uris' in answer.json], method).to.deep.equal([404, false]);
      }
      // It is there as it was: asks for consent, and gets its tokens.
      expect((await agent.redeem(await agent.authorize(visitor, undefined, { clientId }))).status).to.equal(
        200,
      );
    });
  });
});
