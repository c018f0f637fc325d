import { expect } from 'chai';
import type { CredentialCheck } from '../../../gateway/auth/account-credentials.ts';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import {
  changeTradeAccountRoute,
  createTradeAccountRoute,
  listTradeAccountsRoute,
  readCredentialsRoute,
  readTradeAccountRoute,
  removeCredentialsRoute,
  removeTradeAccountRoute,
  resetPaperRoute,
  storeCredentialsRoute,
} from '../../../gateway/contract/trade-accounts.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import { fail, ok } from '../../../gateway/domain/result.ts';
import type { Vault } from '../../../gateway/engine/ports/vault.ts';
import { tradeAccountRoutes } from '../../../gateway/http/routes/trade-accounts.ts';
import { createMemoryVault } from '../../../gateway/vault/memory-vault.ts';
import { type AuthFixture, startAuth, UNARMED } from './auth-fixture.ts';
import { BUSY, callRoute, NOT_FOUND, NOT_IMPLEMENTED, refusalOf, VENUE_SILENT } from './call-route.ts';

const SECRET = 'venue-secret-3141592653';
const CREDENTIALS = { apiKey: 'public-part', apiSecret: SECRET, accountIndex: 7 };

const check: CredentialCheck = async (connector, credentials) => {
  if (connector !== 'live') return fail({ kind: 'unsupported', message: 'none' });
  if (credentials['apiSecret'] === 'no answer') return fail({ kind: 'unknown', message: 'timeout' });
  if (credentials['apiSecret'] !== SECRET) {
    return fail({ kind: 'refused', path: 'apiSecret', message: 'The venue does not accept it' });
  }
  return ok({ exchangeIdentifier: 'venue-account-7', expiresAt: null, warnings: [] });
};

describe('trade accounts', () => {
  let fixture: AuthFixture;
  let routes: readonly BoundRoute[];
  let principal: Principal;
  let stranger: Principal;
  let paperId: string;
  let vault: Vault;

  const create = async (body: object) =>
    (await callRoute(routes, createTradeAccountRoute, { principal, body })).body;
  const createLive = () => create({ alias: 'Live', connector: 'live', credentials: CREDENTIALS });
  const on = (id: string) => ({ principal, params: { id } });
  const list = async (as: Principal) =>
    (await callRoute(routes, listTradeAccountsRoute, { principal: as })).body.tradeAccounts;

  beforeEach(async () => {
    vault = createMemoryVault();
    fixture = await startAuth({
      settings: { registration: 'open' },
      options: { checkCredentials: check, vault },
    });
    routes = tradeAccountRoutes(fixture.auth, UNARMED);
    const ada = await fixture.register();
    principal = { kind: 'session', userId: ada.user.id, sessionId: ada.session.id };
    paperId = ada.tradeAccount?.id ?? '';
    const bob = await fixture.register('bob@example.com');
    stranger = { kind: 'session', userId: bob.user.id, sessionId: bob.session.id };
  });
  afterEach(() => fixture.close());

  describe('creation', () => {
    it('opens a paper account at its venue', async () => {
      const account = await create({ alias: ' Second ', connector: 'paper', metadata: { desk: 'a' } });
      expect(account).to.deep.include({
        alias: 'Second',
        connector: 'paper',
        mode: 'PAPER',
        status: 'READY',
        metadata: { desk: 'a' },
      });
      expect(account.checks.every((entry) => entry.ok)).to.equal(true);
      expect(fixture.paper.opened.at(-1)).to.deep.equal({
        tradeAccountId: account.id,
        exchangeIdentifier: account.exchangeIdentifier,
      });
      expect((await list(principal)).map((entry) => entry.id)).to.deep.equal([paperId, account.id]);
    });

    it('a paper account takes no credentials', async () => {
      const body = { alias: 'X', connector: 'paper', credentials: CREDENTIALS };
      expect((await refusalOf(routes, createTradeAccountRoute, { principal, body })).paths).to.deep.equal([
        'credentials',
      ]);
    });

    it('a venue that does not open the account leaves none', async () => {
      fixture.paper.refusal = { kind: 'unknown', message: 'no answer' };
      const body = { alias: 'X', connector: 'paper' };
      expect(await refusalOf(routes, createTradeAccountRoute, { principal, body })).to.include(VENUE_SILENT);
      expect(await list(principal)).to.have.length(1);
    });

    it('without credentials a live account waits for them', async () => {
      const account = await create({ alias: 'Live', connector: 'live' });
      expect(account).to.include({ mode: 'LIVE', status: 'NO_CREDENTIALS', exchangeIdentifier: '' });
      expect(account.checks.find((entry) => entry.name === 'credentials')?.ok).to.equal(false);
      expect(fixture.live.opened).to.deep.equal([]);
    });

    it('with credentials it is ready, and named by the venue', async () => {
      expect(await createLive()).to.include({ status: 'READY', exchangeIdentifier: 'venue-account-7' });
    });

    it('refused credentials name their field and leave neither account nor secret', async () => {
      const body = { alias: 'Live', connector: 'live', credentials: { apiSecret: 'wrong' } };
      expect((await refusalOf(routes, createTradeAccountRoute, { principal, body })).paths).to.deep.equal([
        'credentials.apiSecret',
      ]);
      expect(await list(principal)).to.have.length(1);
    });
  });

  describe('reach', () => {
    it("another user's account is a 404 on every route", async () => {
      const body = { alias: 'mine now', ...CREDENTIALS };
      const routesOfOne = [
        [readTradeAccountRoute, {}],
        [changeTradeAccountRoute, { alias: 'mine now' }],
        [removeTradeAccountRoute, {}],
        [storeCredentialsRoute, body],
        [readCredentialsRoute, {}],
        [removeCredentialsRoute, {}],
        [resetPaperRoute, {}],
      ] as const;
      for (const [contract, given] of routesOfOne) {
        const refusal = await refusalOf(routes, contract, {
          principal: stranger,
          params: { id: paperId },
          body: given,
        });
        expect(refusal, `${contract.method} ${contract.path}`).to.include(NOT_FOUND);
      }
      expect(await list(stranger)).to.deep.equal([]);
    });
  });

  describe('change', () => {
    it('renames, replaces and clears metadata, and keeps what is not named', async () => {
      const change = async (body: object) =>
        (await callRoute(routes, changeTradeAccountRoute, { ...on(paperId), body })).body;
      expect(await change({ metadata: { a: [1, { b: null }] } })).to.deep.include({
        alias: 'Paper',
        metadata: { a: [1, { b: null }] },
      });
      expect(await change({ alias: 'Main' })).to.deep.include({
        alias: 'Main',
        metadata: { a: [1, { b: null }] },
      });
      expect(await change({ metadata: null })).to.include({ alias: 'Main', metadata: null });
      fixture = await fixture.restart();
      expect(fixture.auth.accounts.get(paperId)).to.include({ alias: 'Main', metadata: null });
    });

    it('parallel changes of different fields are both kept', async () => {
      await Promise.all([
        fixture.auth.accounts.change(paperId, { alias: 'Main' }),
        fixture.auth.accounts.change(paperId, { metadata: { a: 1 } }),
      ]);
      expect(fixture.auth.accounts.get(paperId)).to.deep.include({ alias: 'Main', metadata: { a: 1 } });
    });

    it('needs something to change, and nothing unknown', () => {
      const refused = (body: unknown) => changeTradeAccountRoute.body.safeParse(body).success === false;
      expect(refused({})).to.equal(true);
      expect(refused({ alias: ' ' })).to.equal(true);
      expect(refused({ alias: 'x'.repeat(49) })).to.equal(true);
      expect(refused({ alias: 'ok', connector: 'live' })).to.equal(true);
      expect(refused({ metadata: { note: 'x'.repeat(5_000) } })).to.equal(true);
    });
  });

  describe('removal', () => {
    it('409 while positions or working orders exist', async () => {
      fixture.openBusiness.add(paperId);
      expect(await refusalOf(routes, removeTradeAccountRoute, on(paperId))).to.include(BUSY);
      fixture.openBusiness.clear();
      expect((await callRoute(routes, removeTradeAccountRoute, on(paperId))).status).to.equal(204);
      expect(await refusalOf(routes, readTradeAccountRoute, on(paperId))).to.include({ status: 404 });
      fixture = await fixture.restart();
      expect(fixture.auth.accounts.get(paperId)).to.equal(undefined);
    });

    it('takes the credentials with it', async () => {
      const live = await createLive();
      expect(await vault.get(`venue:${live.id}`)).to.include(SECRET);
      await callRoute(routes, removeTradeAccountRoute, on(live.id));
      expect(await vault.get(`venue:${live.id}`)).to.equal(null);
    });

    it('puts the account out of reach before it is on disk, and back when that fails', async () => {
      fixture.failCommits = true;
      const removing = fixture.auth.accounts.remove(paperId);
      await Promise.resolve();
      await Promise.resolve();
      expect(fixture.auth.accounts.find(principal, paperId)).to.equal(undefined);
      expect(await removing).to.have.property('ok', false);
      fixture.failCommits = false;
      expect(fixture.auth.accounts.find(principal, paperId)?.id).to.equal(paperId);
    });
  });

  describe('credentials', () => {
    it('POST and DELETE on an account without any are a 404', async () => {
      const live = await create({ alias: 'Live', connector: 'live' });
      for (const id of [paperId, live.id]) {
        for (const contract of [readCredentialsRoute, removeCredentialsRoute]) {
          expect(await refusalOf(routes, contract, on(id))).to.include(NOT_FOUND);
        }
      }
    });

    it('are verified, stored, given back and removed', async () => {
      const live = await create({ alias: 'Live', connector: 'live' });
      const stored = await callRoute(routes, storeCredentialsRoute, { ...on(live.id), body: CREDENTIALS });
      expect(stored.body).to.include({ status: 'READY', exchangeIdentifier: 'venue-account-7' });
      expect(fixture.live.opened.map((opened) => opened.tradeAccountId)).to.deep.equal([live.id]);
      const read = await callRoute(routes, readCredentialsRoute, on(live.id));
      expect(read.headers['cache-control']).to.equal('no-store');
      expect(read.body).to.deep.equal({
        connector: 'live',
        exchangeIdentifier: 'venue-account-7',
        credentials: CREDENTIALS,
      });
      expect((await callRoute(routes, removeCredentialsRoute, on(live.id))).status).to.equal(204);
      expect((await callRoute(routes, readTradeAccountRoute, on(live.id))).body.status).to.equal(
        'NO_CREDENTIALS',
      );
      expect(await vault.get(`venue:${live.id}`)).to.equal(null);
    });

    it('refused ones change nothing; a silent venue is a 500 to retry', async () => {
      const live = await createLive();
      const put = (apiSecret: string) =>
        refusalOf(routes, storeCredentialsRoute, { ...on(live.id), body: { apiSecret } });
      expect((await put('wrong')).paths).to.deep.equal(['apiSecret']);
      expect(await put('no answer')).to.include(VENUE_SILENT);
      expect((await callRoute(routes, readCredentialsRoute, on(live.id))).body.credentials).to.deep.equal(
        CREDENTIALS,
      );
    });

    it('a file vault beside its key is refused for live ones unless allowed', async () => {
      const fileVault: Vault = { ...createMemoryVault(), kind: 'file' };
      for (const allowFileVault of [false, true]) {
        const other = await startAuth({
          settings: { allowFileVault },
          options: { checkCredentials: check, vault: fileVault },
        });
        const { user } = await other.register();
        const made = await other.newAccount(user.id, { credentials: CREDENTIALS });
        expect(made.ok).to.equal(allowFileVault);
        await other.close();
      }
    });

    it('without live connectors none are taken: 501', async () => {
      const other = await startAuth();
      const { user, session } = await other.register();
      const as: Principal = { kind: 'session', userId: user.id, sessionId: session.id };
      const body = { alias: 'Live', connector: 'live', credentials: CREDENTIALS };
      const refusal = await refusalOf(tradeAccountRoutes(other.auth, UNARMED), createTradeAccountRoute, {
        principal: as,
        body,
      });
      expect(refusal).to.include(NOT_IMPLEMENTED);
      await other.close();
    });
  });

  describe('paper reset', () => {
    it('resets at the venue', async () => {
      expect((await callRoute(routes, resetPaperRoute, on(paperId))).status).to.equal(200);
      expect(fixture.paper.reset.map((account) => account.tradeAccountId)).to.deep.equal([paperId]);
    });

    it('409 with open business, 501 for a live account', async () => {
      fixture.openBusiness.add(paperId);
      expect(await refusalOf(routes, resetPaperRoute, on(paperId))).to.include({ status: 409 });
      expect(fixture.paper.reset).to.deep.equal([]);
      const live = await createLive();
      expect(await refusalOf(routes, resetPaperRoute, on(live.id))).to.include(NOT_IMPLEMENTED);
    });
  });

  it('shows a connector that is not up as DEGRADED, with the reason', async () => {
    fixture.paper.connectorStatus = { status: 'DOWN', since: 0, reason: 'feed lost' };
    const { body } = await callRoute(routes, readTradeAccountRoute, on(paperId));
    expect(body.status).to.equal('DEGRADED');
    expect(body.checks.find((entry) => entry.name === 'connector')).to.deep.equal({
      name: 'connector',
      ok: false,
      detail: 'DOWN: feed lost',
    });
  });

  it('shows a live account that its venue says is in trouble as DEGRADED, with the reason, and no other', async () => {
    const { id } = await createLive();
    Object.assign(fixture.live, {
      accountStatus: () => ({ status: 'DEGRADED', trading: 'UP', reason: 'its stream is down', until: 0 }),
    });
    const { body } = await callRoute(routes, readTradeAccountRoute, on(id));
    expect(body.status).to.equal('DEGRADED');
    expect(body.checks.find(({ name }) => name === 'account')).to.deep.equal({
      name: 'account',
      ok: false,
      detail: 'It trades: its stream is down, until 1970-01-01T00:00:00.000Z',
    });
    expect(body.checks.find(({ name }) => name === 'connector')).to.include({ ok: true });
    expect((await callRoute(routes, readTradeAccountRoute, on(paperId))).body.status).to.equal('READY');
  });
});
