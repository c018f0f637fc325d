/** Audit log of venue credentials: each change, with its author and channel. */
import { expect } from 'chai';
import type { Registered } from '../../../gateway/auth/sign-in.ts';
import type { AuditEntry } from '../../../gateway/domain/audit.ts';
import { ok } from '../../../gateway/domain/result.ts';
import { type AuthFixture, startAuth, unwrap } from './auth-fixture.ts';
import { type Answer, type HttpRig, startHttp } from './http-rig.ts';

const SECRET = 'venue-secret-3141592653';

describe('audit of venue credentials', () => {
  let fixture: AuthFixture;
  let http: HttpRig;
  let ada: Registered;
  let session: Record<string, string>;

  beforeEach(async () => {
    fixture = await startAuth({
      options: {
        checkCredentials: async () =>
          ok({ exchangeIdentifier: 'venue-account-7', expiresAt: null, warnings: [] }),
        grants: { status: () => 'active', seen: () => {} },
      },
    });
    http = await startHttp(fixture);
    ada = await fixture.register();
    session = {
      authorization: `Bearer ${fixture.auth.tokens.signSession(ada.user.id, ada.session.id)}`,
      'user-agent': 'audit test',
    };
  });
  afterEach(async () => {
    await http.close();
    await fixture.close();
  });

  const entries = (): AuditEntry[] =>
    fixture.commits.flatMap(({ audit }) => audit ?? []).filter(({ action }) => action.startsWith('cred'));

  async function liveAccount(credentials?: object): Promise<string> {
    const { json } = await http.request('POST', '/trade-accounts', {
      headers: session,
      body: { alias: 'Live', connector: 'live', ...(credentials === undefined ? {} : { credentials }) },
    });
    return (json as { id: string }).id;
  }

  const call = (method: string, id: string, headers: Record<string, string>, body?: unknown) =>
    http.request(method, `/trade-accounts/${id}/credentials`, { headers, body });

  it('stored, read and removed, by a session, a key and a grant', async () => {
    const id = await liveAccount();
    expect(entries()).to.deep.equal([]);
    expect((await call('PUT', id, session, { apiSecret: SECRET })).status).to.equal(200);
    const { key, secret } = unwrap(
      await fixture.auth.apiKeys.create({
        userId: ada.user.id,
        label: 'bot',
        scope: 'read_write',
        expiresAt: null,
        tradeAccountIds: null,
      }),
    );
    const grant = {
      authorization: `Bearer ${fixture.auth.tokens.signGrant({
        userId: ada.user.id,
        grantId: 'grant-1',
        clientId: 'client-1',
        scopes: ['mcp:write'],
        lifetimeSeconds: 600,
      })}`,
    };
    for (const headers of [{ 'x-api-key': secret }, grant]) {
      const read: Answer = await call('POST', id, headers);
      expect(read.status).to.equal(200);
      expect(read.json).to.have.nested.property('credentials.apiSecret', SECRET);
    }
    expect((await call('DELETE', id, session)).status).to.equal(204);
    expect(
      entries().map(({ action, method, client, subjectId, ip }) => [action, method, client, subjectId, ip]),
    ).to.deep.equal([
      ['credentials.stored', 'session', 'audit test', id, '127.0.0.1'],
      ['credentials.read', 'api_key', key.id, id, '127.0.0.1'],
      ['credentials.read', 'oauth_grant', 'client-1', id, '127.0.0.1'],
      ['credentials.removed', 'session', 'audit test', id, '127.0.0.1'],
    ]);
    expect(JSON.stringify(entries())).to.not.include(SECRET);
  });

  it('with the account they come and go with', async () => {
    const id = await liveAccount({ apiSecret: SECRET });
    expect(entries().map(({ action }) => action)).to.deep.equal(['credentials.stored']);
    await http.request('DELETE', `/trade-accounts/${id}`, { headers: session });
    expect(entries().map(({ action }) => action)).to.deep.equal([
      'credentials.stored',
      'credentials.removed',
    ]);
  });

  it('what cannot be written down is not given out', async () => {
    const id = await liveAccount({ apiSecret: SECRET });
    fixture.failCommits = true;
    const answer = await call('POST', id, session);
    expect(answer.status).to.equal(500);
    expect(JSON.stringify(answer.json)).to.not.include(SECRET);
  });

  it('a read that finds nothing is no read', async () => {
    expect((await call('POST', await liveAccount(), session)).status).to.equal(404);
    expect(entries()).to.deep.equal([]);
  });
});
