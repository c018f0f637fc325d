/** Puts the parts of authentication together. Loads users, sessions, keys and accounts once; afterwards all is in memory. */

import type { TradeAccount } from '../domain/model.ts';
import type { NotificationText } from '../domain/notification.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { Vault } from '../engine/ports/vault.ts';
import type { Venues } from '../engine/ports/venue.ts';
import type { ConnectorStatus } from '../engine/ports/venue-status.ts';
import {
  type CredentialCheck,
  type CredentialVault,
  checkAtVenue,
  createCredentialVault,
} from './account-credentials.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { type AuditTrail, createAuditTrail } from './audit.ts';
import type { AuthStore } from './auth-store.ts';
import { createAuthenticator, type SyncAuthenticator } from './authenticator.ts';
import { createExchangeSetups, type ExchangeSetups } from './exchange-setup.ts';
import { type GrantRegistry, noGrants } from './grant-registry.ts';
import { createKeyProofs, type KeyProofs } from './key-proofs.ts';
import { createKnownDevices, type KnownDevices } from './known-devices.ts';
import { createLiveCredentials, type LiveCredentials } from './live-credentials.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasswords } from './passwords.ts';
import { createPresence, type Presence } from './presence.ts';
import { createRefusedSignIns } from './refused-sign-ins.ts';
import { createSessionCookies, type SessionCookies } from './session-cookie.ts';
import { createSessionSecrets } from './session-secrets.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSetupCode, type SetupCode } from './setup-code.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInLinks, type SignInLinks } from './sign-in-links.ts';
import { loadSigningKeys } from './signing-keys.ts';
import { type AccessTokens, createAccessTokens } from './tokens.ts';
import { createUsers, type RegistrationPolicy, type Users } from './users.ts';
import { createVenueChecks, type VenueChecks } from './venue-checks.ts';
import { PeerAttempts } from './waiting-line.ts';
import { createWalletApprovals, type WalletApprovals } from './wallet-approvals.ts';
import { createWalletLogin, type WalletLogin } from './wallet-login.ts';
import { createWsTickets, type WsTickets } from './ws-tickets.ts';

export interface AuthSettings {
  readonly registration: RegistrationPolicy;
  /** File for the setup code of the first user under `registration: 'first'`. Default: no code is required. */
  readonly setupCodeFile?: string;
  /** `iss` of access tokens. */
  readonly issuer: string;
  /** `aud` of access tokens. */
  readonly audience: string;
  /**
   * Authorities the gateway answers on (`tandem.localhost:7391`, …), the usual one first. A function, because the port
   * is known after listening.
   */
  readonly hosts: () => readonly string[];
  /** Gateway version, named in venue checks. */
  readonly version?: string;
  /** True: a file vault may keep live venue credentials too. */
  readonly allowFileVault?: boolean;
}

export interface AuthOptions {
  readonly store: AuthStore | Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly venues: Venues;
  /** Connector status as `GET /connectors` says it. Default: the status that the venue reports. */
  readonly connectorStatus?: (connector: string) => ConnectorStatus | undefined;
  /** Fault in an account's history at the venue; null: the history is sound. Default: always null. */
  readonly accountProblem?: (tradeAccountId: string) => string | null;
  readonly settings: AuthSettings;
  /**
   * Keeps new executions off an account until the returned function is called; null: the account has positions or a
   * running execution.
   */
  readonly holdAccount: (tradeAccountId: string) => (() => void) | null;
  readonly forgetHoldings: (tradeAccountId: string, resetAt: number) => Promise<void>;
  readonly grants?: GrantRegistry;
  /** Called when a venue has opened a live account; missing: nobody follows it. */
  readonly onOpened?: (account: TradeAccount) => Promise<void>;
  /** Called before a trade account becomes another account at the venue; missing: nothing is known of the former. */
  readonly onReplaced?: (account: TradeAccount) => Promise<void>;
  /** Called once a trade account is gone. Default nothing. */
  readonly onRemoved?: (account: TradeAccount) => Promise<void>;
  /** A notification to an account's owner, as rows of a commit; missing: no notification. */
  readonly notice?: (account: TradeAccount, text: NotificationText) => UnitOfWork;
  /** Check of venue credentials. Default: the venue of the connector is asked. */
  readonly checkCredentials?: CredentialCheck;
}

export interface Auth {
  readonly authenticator: SyncAuthenticator;
  /** Trade accounts; also the `AccountDirectory` of http/. */
  readonly accounts: Accounts;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly tokens: AccessTokens;
  readonly apiKeys: ApiKeys;
  readonly signIn: SignIn;
  /** Tells whether the person behind a session is there. */
  readonly presence: Presence;
  readonly proofs: KeyProofs;
  /** Devices whose attempts to sign in do not wait behind those of strangers. */
  readonly devices: KnownDevices;
  readonly wallets: WalletLogin;
  /** Trading keys that a wallet approves. */
  readonly approvals: WalletApprovals;
  /** Venues and keys of account set-up. */
  readonly exchange: ExchangeSetups;
  readonly checks: VenueChecks;
  readonly credentialStore: Pick<CredentialVault, 'kind' | 'refusal'>;
  readonly tickets: WsTickets;
  readonly links: SignInLinks;
  readonly setup: SetupCode;
  /** Credentials that come in a WebSocket message, and whether they are still valid later. */
  readonly live: LiveCredentials;
  readonly audit: AuditTrail;
  readonly settings: AuthSettings;
  /** Writes the waiting `lastUsedAt` values. To be called before the store closes. */
  close(): Promise<void>;
}

export async function createAuth(options: AuthOptions): Promise<Auth> {
  const { store, clock, ids, logger, settings } = options;
  const [keys, userRows, sessionRows, keyRows, accountRows] = await Promise.all([
    loadSigningKeys(options.vault),
    store.users(),
    store.sessions(),
    store.apiKeys(),
    store.accounts(),
  ]);
  const secrets = createSessionSecrets(keys);
  const cookies = createSessionCookies(secrets);
  const users = createUsers(settings.registration, userRows);
  const sessions = createSessions({ store, clock, ids, logger, secrets, loaded: sessionRows });
  const apiKeys = createApiKeys({ store, clock, ids, logger, loaded: keyRows });
  const vault = createCredentialVault(options.vault, settings.allowFileVault === true);
  const accounts = createAccounts({
    store,
    clock,
    ids,
    logger,
    venues: options.venues,
    connectorStatus: options.connectorStatus ?? ((id) => options.venues.get(id)?.status()),
    accountProblem: options.accountProblem ?? (() => null),
    vault,
    checkCredentials: options.checkCredentials ?? checkAtVenue(options.venues),
    holdAccount: options.holdAccount,
    onOpened: options.onOpened ?? (() => Promise.resolve()),
    onReplaced: options.onReplaced ?? (async () => {}),
    onRemoved: options.onRemoved ?? (async () => {}),
    notice: options.notice ?? (() => ({})),
    forgetHoldings: options.forgetHoldings,
    loaded: accountRows,
  });
  const tokens = createAccessTokens({
    keys,
    clock,
    ids,
    issuer: settings.issuer,
    audience: settings.audience,
  });
  const wallets = createWalletLogin(clock);
  const approvals = createWalletApprovals({
    store,
    clock,
    ids,
    vault: options.vault,
    venues: options.venues,
    admitsLive: vault.admitsLive,
  });
  const audit = createAuditTrail({ clock, ids });
  const links = createSignInLinks(clock, users);
  const setup = createSetupCode(
    settings.registration === 'first' && users.count() === 0,
    settings.setupCodeFile ?? null,
  );
  const attempts = new PeerAttempts();
  const presence = createPresence(clock);
  const signIn = createSignIn({
    store,
    audit,
    clock,
    ids,
    users,
    sessions,
    accounts,
    passwords: createPasswords(attempts),
    throttle: createLoginThrottle(clock, undefined, attempts),
    wallets,
    links,
    setup,
    refused: createRefusedSignIns({ store, audit, clock }),
    presence,
  });
  const grants = options.grants ?? noGrants;
  const tickets = createWsTickets(clock, sessions);
  const authenticator = createAuthenticator({
    keys: apiKeys.index,
    tokens,
    sessions,
    cookies,
    grants,
    clock,
  });
  return {
    authenticator,
    accounts,
    users,
    sessions,
    cookies,
    tokens,
    apiKeys,
    signIn,
    presence,
    proofs: createKeyProofs({ clock, hosts: settings.hosts, isKnown: sessions.knownKey }),
    devices: createKnownDevices({ authenticator, cookies }),
    wallets,
    approvals,
    exchange: createExchangeSetups({ venues: options.venues, accounts, vault }),
    checks: createVenueChecks({
      store,
      clock,
      vault,
      venues: options.venues,
      version: settings.version ?? '',
    }),
    credentialStore: { kind: vault.kind, refusal: vault.refusal },
    tickets,
    links,
    setup,
    live: createLiveCredentials({ authenticator, apiKeys, sessions, tickets, grants }),
    audit,
    settings,
    async close() {
      await Promise.all([sessions.close(), apiKeys.close()]);
    },
  };
}
