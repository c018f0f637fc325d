import { expect } from 'chai';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import {
  createApiKeyRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
} from '../../../gateway/contract/api-keys.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import { apiKeyRoutes } from '../../../gateway/http/routes/api-keys.ts';
import { type AuthFixture, startAuth, unwrap } from './auth-fixture.ts';
import { callRoute, DISK_FULL, NOT_FOUND, refusalOf } from './call-route.ts';

describe('API keys', () => {
  let fixture: AuthFixture;
  let routes: readonly BoundRoute[];
  let principal: Principal;
  let accountId: string;

  const create = (body: object) =>
    callRoute(routes, createApiKeyRoute, { principal, body: { label: 'bot', scope: 'read', ...body } });
  const principalOf = (key: string) => fixture.auth.authenticator.authenticateApiKey(key);

  beforeEach(async () => {
    fixture = await startAuth({ settings: { registration: 'open' } });
    const registered = await fixture.register();
    principal = { kind: 'session', userId: registered.user.id, sessionId: registered.session.id };
    accountId = registered.tradeAccount?.id ?? '';
    routes = apiKeyRoutes(fixture.auth, fixture.clock, { adopt: () => {} });
  });
  afterEach(() => fixture.close());

  it('creation shows the key once, the list never', async () => {
    const { status, body, headers } = await create({ scope: 'read_write' });
    expect(status).to.equal(201);
    expect(headers['cache-control']).to.equal('no-store');
    expect(body.key).to.match(/^tdm_[A-Za-z0-9_-]{43}$/);
    expect(body.key.startsWith(body.keyPrefix)).to.equal(true);
    expect(body).to.include({ label: 'bot', scope: 'read_write', expiresAt: null, tradeAccountIds: null });
    const list = await callRoute(routes, listApiKeysRoute, { principal });
    const { key: _shownOnce, ...record } = body;
    expect(list.body).to.deep.equal({ apiKeys: [record] });
  });

  it('works with its scope and accounts, and after a restart', async () => {
    const { body } = await create({
      scope: 'read_write',
      tradeAccountIds: [accountId, accountId.toUpperCase()],
    });
    fixture = await fixture.restart();
    expect(principalOf(body.key)).to.deep.equal({
      ok: true,
      via: 'header',
      principal: {
        kind: 'api_key',
        userId: principal.userId,
        keyId: body.id,
        scope: 'read_write',
        tradeAccountIds: new Set([accountId]),
      },
    });
  });

  it('revocation works at once and after a restart', async () => {
    const { body } = await create({});
    await callRoute(routes, revokeApiKeyRoute, { principal, params: { id: body.id } });
    expect(principalOf(body.key)).to.include({ ok: false, message: 'Invalid API key' });
    const again = await refusalOf(routes, revokeApiKeyRoute, { principal, params: { id: body.id } });
    expect(again).to.include(NOT_FOUND);
    fixture = await fixture.restart();
    expect(principalOf(body.key)).to.include({ ok: false, message: 'Invalid API key' });
  });

  it('of parallel revocations one answers, and a failed one leaves the key', async () => {
    const { body } = await create({});
    fixture.failCommits = true;
    expect(await fixture.auth.apiKeys.revoke(principal.userId, body.id)).to.have.property('ok', false);
    fixture.failCommits = false;
    expect(principalOf(body.key).ok).to.equal(true);
    const results = await Promise.all([
      fixture.auth.apiKeys.revoke(principal.userId, body.id),
      fixture.auth.apiKeys.revoke(principal.userId, body.id),
    ]);
    expect(results.map((result) => result.ok)).to.deep.equal([true, false]);
  });

  it('a key that cannot be saved does not work', async () => {
    fixture.failCommits = true;
    expect(
      await refusalOf(routes, createApiKeyRoute, { principal, body: { label: 'x', scope: 'read' } }),
    ).to.include(DISK_FULL);
    fixture.failCommits = false;
    expect((await callRoute(routes, listApiKeysRoute, { principal })).body.apiKeys).to.deep.equal([]);
  });

  it("another user's key is a 404 and stays out of the list", async () => {
    const { body } = await create({});
    const bob = await fixture.register('bob@example.com');
    const stranger: Principal = { kind: 'session', userId: bob.user.id, sessionId: bob.session.id };
    expect(
      await refusalOf(routes, revokeApiKeyRoute, { principal: stranger, params: { id: body.id } }),
    ).to.include({
      status: 404,
    });
    expect((await callRoute(routes, listApiKeysRoute, { principal: stranger })).body.apiKeys).to.deep.equal(
      [],
    );
    expect(principalOf(body.key).ok).to.equal(true);
  });

  it('an expiry in the past is refused, one with an offset is read', async () => {
    const past = new Date(fixture.clock.now()).toISOString();
    const body = { label: 'x', scope: 'read', expiresAt: past };
    expect((await refusalOf(routes, createApiKeyRoute, { principal, body })).paths).to.deep.equal([
      'expiresAt',
    ]);
    const made = await create({ expiresAt: '2027-01-01T01:00:00+01:00' });
    expect(made.body.expiresAt).to.equal('2027-01-01T00:00:00.000Z');
  });

  it('names only accounts of the caller', async () => {
    const bob = await fixture.register('bob@example.com');
    const foreign = unwrap(await fixture.newAccount(bob.user.id, { connector: 'paper' }));
    const body = { label: 'x', scope: 'read', tradeAccountIds: [accountId, foreign.id] };
    expect(await refusalOf(routes, createApiKeyRoute, { principal, body })).to.deep.include({
      status: 400,
      errorCode: 'VALIDATION_ERROR',
      paths: ['tradeAccountIds.1'],
    });
  });

  it('last use shows at once and is written once a minute', async () => {
    const { body } = await create({});
    const before = fixture.commits.length;
    await fixture.clock.advance(1_000);
    const usedAt = new Date(fixture.clock.now()).toISOString();
    for (let use = 0; use < 20; use += 1) principalOf(body.key);
    const list = await callRoute(routes, listApiKeysRoute, { principal });
    expect(list.body.apiKeys[0]?.lastUsedAt).to.equal(usedAt);
    expect(fixture.commits).to.have.length(before);
    await fixture.clock.advance(60_000);
    expect(fixture.commits).to.have.length(before + 1);
    fixture = await fixture.restart();
    expect(fixture.auth.apiKeys.list(principal.userId)[0]?.lastUsedAt).to.equal(Date.parse(usedAt));
  });

  it('the write of the last use does not bring a revoked key back', async () => {
    const { body } = await create({});
    principalOf(body.key);
    const revoking = fixture.auth.apiKeys.revoke(principal.userId, body.id);
    await fixture.clock.advance(60_000);
    unwrap(await revoking);
    fixture = await fixture.restart();
    expect(principalOf(body.key)).to.include({ ok: false });
  });

  it('bodies are strict', () => {
    const refused = (body: unknown) => createApiKeyRoute.body.safeParse(body).success === false;
    expect(refused({ label: '', scope: 'read' })).to.equal(true);
    expect(refused({ label: 'x'.repeat(65), scope: 'read' })).to.equal(true);
    expect(refused({ label: 'x', scope: 'admin' })).to.equal(true);
    expect(refused({ label: 'x', scope: 'read', tradeAccountIds: [] })).to.equal(true);
    expect(refused({ label: 'x', scope: 'read', expiresAt: 'tomorrow' })).to.equal(true);
    expect(refused({ label: 'x', scope: 'read', key: 'mine' })).to.equal(true);
  });
});
