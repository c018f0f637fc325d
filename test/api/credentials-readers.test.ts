/** Readers of a live account's stored credentials: authorised callers get them, and every read is recorded. */
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { ACCOUNT, SetupDesk } from '../support/setup-desk.ts';

type Headers = Readonly<Record<string, string>>;

const READ_ONLY_GRANT = 'OAuth grant does not have write access';
const OFF = /Programs may not read this account's credentials/;

describe('API: who reads the credentials of an account at Lighter', () => {
  const desk = new SetupDesk();
  let id = '';
  let paperId = '';
  let stored: Json;
  let other: Headers = {};
  let otherKey: Headers = {};
  let writer: Headers = {};
  let reader: Headers = {};

  before(async () => {
    await desk.open();
    const key = await desk.key();
    stored = { accountIndex: ACCOUNT, ...key };
    const made = await desk.as(desk.owner, 'POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'lighter', credentials: stored },
    });
    expect(made.status, made.text).to.equal(201);
    ({ id } = made.json);
    const { tradeAccounts } = (await desk.as(desk.owner, 'GET', '/trade-accounts')).json;
    paperId = tradeAccounts.find(({ mode }: Json) => mode === 'PAPER').id;
    const bob = await desk.gateway.register('bob@example.test');
    other = { authorization: `Bearer ${bob.accessToken}` };
    const body = { label: 'bob', scope: 'read_write' };
    otherKey = { 'x-api-key': (await desk.as(other, 'POST', '/api-keys', body)).json.key };
    const agent = async (scopes: readonly string[]) => {
      const visitor = consentVisitor(desk.gateway);
      const granted = await oauthClient(desk.gateway).connect(visitor, scopes);
      return { authorization: `Bearer ${granted.access_token}` };
    };
    writer = await agent(['mcp:read', 'mcp:write']);
    reader = await agent(['mcp:read']);
  });
  after(() => desk.close());

  const read = (headers: Headers) => desk.as({ ...headers }, 'POST', `/trade-accounts/${id}/credentials`, {});
  const readings = async (): Promise<readonly Json[]> => {
    const { auditEntries } = (await desk.as(desk.owner, 'GET', '/audit-log?limit=200')).json;
    return auditEntries.filter(({ action }: Json) => action === 'credentials.read');
  };

  /** The answer is what was stored, word for word, and one more reading stands in the audit log, with who it was. */
  async function mayRead(who: string, headers: Headers, kind: string): Promise<void> {
    const before = await readings();
    const answer = await read(headers);
    expect(answer.status, `${who}: ${answer.text}`).to.equal(200);
    expect(answer.json).to.deep.equal({
      ...{ connector: 'lighter', exchangeIdentifier: String(ACCOUNT), credentials: stored },
    });
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const after = await readings();
    expect(after, who).to.have.length(before.length + 1);
    const known = new Set(before.map((one) => one.id));
    const [fresh] = after.filter((one) => !known.has(one.id));
    expect(JSON.stringify(fresh), who).to.contain(id).and.contain(kind);
  }

  /** No secret is in the answer, and nothing in the audit log. */
  async function mayNot(
    who: string,
    headers: Headers,
    status: number,
    message?: string | RegExp,
  ): Promise<void> {
    const before = await readings();
    const answer = await read(headers);
    expect(answer.status, `${who}: ${answer.text}`).to.equal(status);
    if (typeof message === 'string') expect(answer.json.message, who).to.equal(message);
    if (message instanceof RegExp) expect(answer.json.message, who).to.match(message);
    expect(answer.text, who).to.not.contain(stored['apiPrivateKey']);
    expect(await readings(), who).to.have.length(before.length);
  }

  it('its owner, keys that may write and agents that may write do', async () => {
    await mayRead('the owner', desk.owner, 'session');
    await mayRead('a key that writes', desk.program, 'api_key');
    await mayRead('a key for this account alone', await desk.apiKey({ tradeAccountIds: [id] }), 'api_key');
    await mayRead('an agent that writes', writer, 'oauth_grant');
  });

  it('keys and agents that only read, other users, keys for other accounts and nobody do not', async () => {
    await mayNot('a key that reads', await desk.apiKey({ scope: 'read' }), 403);
    await mayNot('an agent that reads', reader, 403, READ_ONLY_GRANT);
    // Another user's account answers 404, so that nobody learns that it exists.
    await mayNot('another user', other, 404);
    await mayNot('another user’s key', otherKey, 404);
    await mayNot('a key for another account', await desk.apiKey({ tradeAccountIds: [paperId] }), 404);
    await mayNot('nobody', {}, 401);
    await mayNot('a key of nobody', { 'x-api-key': `tdm_${'a'.repeat(43)}` }, 401);
  });

  it('no program does once the owner has turned it off; the owner does, and only the owner turns it on', async () => {
    const arming = (headers: Headers, programsReadCredentials: boolean) =>
      desk.as({ ...headers }, 'PUT', `/trade-accounts/${id}/arming`, {
        ...{ alias: 'Main', armed: false, perOrderUsd: '100', totalUsd: '500', programsReadCredentials },
      });
    expect((await arming(desk.owner, false)).status).to.equal(200);
    await mayNot('a key that writes', desk.program, 403, OFF);
    await mayNot('an agent that writes', writer, 403, OFF);
    await mayRead('the owner', desk.owner, 'session');
    expect((await arming(desk.program, true)).status).to.equal(403);
    expect((await arming(writer, true)).status).to.equal(403);
    await mayNot('a key that writes', desk.program, 403, OFF);
    expect((await arming(desk.owner, true)).status).to.equal(200);
    await mayRead('a key that writes', desk.program, 'api_key');
  });

  it('nobody reads what has been removed', async () => {
    expect((await desk.as(desk.owner, 'DELETE', `/trade-accounts/${id}/credentials`)).status).to.be.oneOf([
      200, 204,
    ]);
    const before = await readings();
    const answer = await read(desk.owner);
    expect(answer.status, answer.text).to.be.oneOf([404, 409, 500]);
    expect(await readings()).to.have.length(before.length);
  });
});
