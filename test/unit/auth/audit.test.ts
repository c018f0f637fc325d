/** Audit log of venue credentials: each change, with its author and channel. */
import { expect } from 'chai';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import {
  createTradeAccountRoute,
  readCredentialsRoute,
  removeCredentialsRoute,
  removeTradeAccountRoute,
  storeCredentialsRoute,
} from '../../../gateway/contract/trade-accounts.ts';
import type { AuditEntry } from '../../../gateway/domain/audit.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import { ok } from '../../../gateway/domain/result.ts';
import { tradeAccountRoutes } from '../../../gateway/http/routes/trade-accounts.ts';
import { authForEachTest, UNARMED } from './auth-fixture.ts';
import { callRoute, NOT_FOUND, refusalOf } from './call-route.ts';

const SECRET = 'venue-secret-3141592653';

describe('audit of venue credentials', () => {
  const fixture = authForEachTest({
    options: {
      checkCredentials: async () =>
        ok({ exchangeIdentifier: 'venue-account-7', expiresAt: null, warnings: [] }),
    },
  });
  let routes: readonly BoundRoute[];
  let session: Principal;

  beforeEach(async () => {
    routes = tradeAccountRoutes(fixture.auth, UNARMED);
    const ada = await fixture.register();
    session = { kind: 'session', userId: ada.user.id, sessionId: ada.session.id };
  });

  const entries = (): AuditEntry[] =>
    fixture.commits.flatMap(({ audit }) => audit ?? []).filter(({ action }) => action.startsWith('cred'));
  const by = (principal: Principal, id = '') => ({
    ...{ principal, params: { id }, headers: { 'user-agent': 'audit test' } },
  });

  async function liveAccount(credentials?: object): Promise<string> {
    const body = { alias: 'Live', connector: 'live', ...(credentials === undefined ? {} : { credentials }) };
    return (await callRoute(routes, createTradeAccountRoute, { ...by(session), body })).body.id;
  }

  it('stored, read and removed, by a session, a key and a grant', async () => {
    const id = await liveAccount();
    expect(entries()).to.deep.equal([]);
    const { userId } = session;
    const callers: readonly Principal[] = [
      { kind: 'api_key', userId, keyId: 'key-1', scope: 'read_write', tradeAccountIds: null },
      { kind: 'oauth_grant', userId, grantId: 'grant-1', clientId: 'client-1', scopes: ['mcp:write'] },
    ];
    await callRoute(routes, storeCredentialsRoute, { ...by(session, id), body: { apiSecret: SECRET } });
    for (const caller of callers) {
      const { body } = await callRoute(routes, readCredentialsRoute, by(caller, id));
      expect(body.credentials).to.deep.equal({ apiSecret: SECRET });
    }
    await callRoute(routes, removeCredentialsRoute, by(session, id));
    expect(
      entries().map(({ action, method, client, subjectId, ip }) => [action, method, client, subjectId, ip]),
    ).to.deep.equal([
      ['credentials.stored', 'session', 'audit test', id, '127.0.0.1'],
      ['credentials.read', 'api_key', 'key-1', id, '127.0.0.1'],
      ['credentials.read', 'oauth_grant', 'client-1', id, '127.0.0.1'],
      ['credentials.removed', 'session', 'audit test', id, '127.0.0.1'],
    ]);
    expect(JSON.stringify(entries())).to.not.include(SECRET);
  });

  it('with the account they come and go with', async () => {
    const id = await liveAccount({ apiSecret: SECRET });
    expect(entries().map(({ action }) => action)).to.deep.equal(['credentials.stored']);
    await callRoute(routes, removeTradeAccountRoute, by(session, id));
    expect(entries().map(({ action }) => action)).to.deep.equal([
      'credentials.stored',
      'credentials.removed',
    ]);
  });

  it('what cannot be written down is not given out', async () => {
    const id = await liveAccount({ apiSecret: SECRET });
    fixture.failCommits = true;
    const refusal = await refusalOf(routes, readCredentialsRoute, by(session, id));
    expect(refusal.status).to.equal(500);
    expect(JSON.stringify(refusal)).to.not.include(SECRET);
  });

  it('a read that finds nothing is no read', async () => {
    expect(await refusalOf(routes, readCredentialsRoute, by(session, await liveAccount()))).to.include(
      NOT_FOUND,
    );
    expect(entries()).to.deep.equal([]);
  });
});
