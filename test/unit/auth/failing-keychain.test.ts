/** A keychain that fails while an exchange key is stored: refused with the remedy, and nothing is stored by half. */
import { expect } from 'chai';
import type { CredentialCheck } from '../../../gateway/auth/account-credentials.ts';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import {
  createTradeAccountRoute,
  listTradeAccountsRoute,
  storeCredentialsRoute,
} from '../../../gateway/contract/trade-accounts.ts';
import { completeWalletApproval, prepareWalletApproval } from '../../../gateway/contract/wallet-approvals.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import { ok } from '../../../gateway/domain/result.ts';
import { tradeAccountRoutes } from '../../../gateway/http/routes/trade-accounts.ts';
import { walletApprovalRoutes } from '../../../gateway/http/routes/wallet-approvals.ts';
import { type Keychain, openKeychainVault } from '../../../gateway/vault/keychain-vault.ts';
import { type AuthFixture, startAuth, UNARMED } from './auth-fixture.ts';
import { callRoute, refusalOf } from './call-route.ts';
import { venuesOf } from './venue-stand-in.ts';

const SECRET = 'venue-secret-3141592653';
const OTHER = 'venue-secret-2718281828';
const LOCKED = `Object does not exist at path for ${SECRET}`;

const check: CredentialCheck = async (_, { apiSecret }) =>
  ok({
    exchangeIdentifier: `account of ${apiSecret === OTHER ? 'other' : 'first'}`,
    expiresAt: null,
    warnings: [],
  });

describe('a keychain that fails while an exchange key is stored', () => {
  let fixture: AuthFixture;
  let routes: readonly BoundRoute[];
  let principal: Principal;
  /** Entries of the keychain, by name. */
  let entries: Map<string, string>;
  /** Moment at which writing an entry fails; null: it does not. */
  let fails: 'before it has stored it' | 'after it has stored it' | null;
  /** False: writing fails once. */
  let isLasting: boolean;

  beforeEach(async () => {
    entries = new Map();
    fails = null;
    isLasting = true;
    const keychain: Keychain = {
      getPassword: async (_, name) => entries.get(name) ?? null,
      setPassword: async (_, name, value) => {
        const when = fails;
        if (!isLasting) fails = null;
        if (when !== 'before it has stored it') entries.set(name, value);
        if (when !== null) throw new Error(LOCKED);
      },
      deletePassword: async (_, name) => entries.delete(name),
    };
    const vault = await openKeychainVault({ load: async () => keychain });
    fixture = await startAuth({ options: { checkCredentials: check, vault } });
    fixture.live.prepareWallet = async () =>
      ok({
        credentials: { apiSecret: SECRET },
        toSign: { message: 'sign me' },
        terms: [],
        expiresAt: fixture.clock.now() + 600_000,
      });
    fixture.live.completeWallet = async () =>
      ok({ exchangeIdentifier: 'account of first', expiresAt: null, warnings: [] });
    const venues = venuesOf(fixture.paper, fixture.live);
    routes = [
      ...tradeAccountRoutes(fixture.auth, UNARMED),
      ...walletApprovalRoutes(fixture.auth, venues, UNARMED),
    ];
    const { user, session } = await fixture.register();
    principal = { kind: 'session', userId: user.id, sessionId: session.id };
  });
  afterEach(() => fixture.close());

  const credentials = { apiSecret: SECRET };
  const paste = { alias: 'Live', connector: 'live', credentials };
  const live = async () =>
    (await callRoute(routes, listTradeAccountsRoute, { principal })).body.tradeAccounts.filter(
      ({ mode }) => mode === 'LIVE',
    );
  const keys = () => [...entries.keys()].filter((name) => name.startsWith('venue:'));

  function isRefused(refusal: {
    readonly status: number;
    readonly message: string;
    readonly errorCode?: string;
  }) {
    expect(refusal).to.include({ status: 409, errorCode: 'CREDENTIALS_NOT_STORED' });
    expect(refusal.message).to.include('unlock it').and.to.include('The key was not stored');
    expect(refusal.message).not.to.include(SECRET);
  }

  for (const name of ['before it has stored it', 'after it has stored it'] as const) {
    it(`a new account, ${name}: 409, no account and no key`, async () => {
      fails = name;
      isRefused(await refusalOf(routes, createTradeAccountRoute, { principal, body: paste }));
      expect(await live()).to.deep.equal([]);
      expect(keys()).to.deep.equal([]);
    });

    it(`a key from a wallet, ${name}: 409, and nothing waits`, async () => {
      fails = name;
      const body = { address: `0x${'a'.repeat(40)}`, chainId: 1 };
      const call = { principal, params: { id: 'live' }, body };
      isRefused(await refusalOf(routes, prepareWalletApproval, call));
      expect(keys()).to.deep.equal([]);
    });

    it(`another key of an account, ${name}: 409, and the account keeps its own`, async () => {
      const { id } = (await callRoute(routes, createTradeAccountRoute, { principal, body: paste })).body;
      const before = entries.get(`venue:${id}`);
      fails = name;
      isLasting = false;
      const call = { principal, params: { id }, body: { apiSecret: OTHER } };
      isRefused(await refusalOf(routes, storeCredentialsRoute, call));
      expect(entries.get(`venue:${id}`)).to.equal(before);
      expect((await live())[0]).to.include({ exchangeIdentifier: 'account of first', status: 'READY' });
    });
  }

  it('an approved key of a wallet: 409, and the approval can be completed later', async () => {
    const request = { address: `0x${'a'.repeat(40)}`, chainId: 1 };
    const asked = { principal, params: { id: 'live' }, body: request };
    const { id } = (await callRoute(routes, prepareWalletApproval, asked)).body;
    fails = 'before it has stored it';
    const signed = {
      principal,
      params: { id: 'live', approvalId: id },
      body: { signature: `0x${'1'.repeat(130)}` },
    };
    isRefused(await refusalOf(routes, completeWalletApproval, signed));
    expect(await live()).to.deep.equal([]);
    fails = null;
    await callRoute(routes, completeWalletApproval, signed);
    const [account] = await live();
    expect(keys()).to.deep.equal([`venue:${account?.id}`]);
  });

  it('a database that refuses another key of an account: the account keeps its own', async () => {
    const { id } = (await callRoute(routes, createTradeAccountRoute, { principal, body: paste })).body;
    const before = entries.get(`venue:${id}`);
    fixture.failCommits = true;
    const call = { principal, params: { id }, body: { apiSecret: OTHER } };
    expect((await refusalOf(routes, storeCredentialsRoute, call)).status).to.equal(500);
    expect(entries.get(`venue:${id}`)).to.equal(before);
  });
});
