/**
 * Trade accounts and their venue credentials: made, changed, removed. A paper account is opened and funded at its venue
 * when it is made; a live one becomes READY when its credentials have been accepted by the venue.
 */
import type { TradeAccount } from '../domain/model.ts';
import type { Money } from '../domain/money.ts';
import type { NotificationText } from '../domain/notification.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { CredentialReport, Venue, VenueCredentials, Venues } from '../engine/ports/venue.ts';
import type { ConnectorStatus } from '../engine/ports/venue-status.ts';
import { type CredentialCheck, type CredentialVault, networkOf } from './account-credentials.ts';
import type { AccountError } from './account-error.ts';
import { type AccountHealth, healthOf } from './account-health.ts';
import { type AccountRegistry, createAccountRegistry } from './account-registry.ts';
import type { AuthStore } from './auth-store.ts';
import { createLiveAccounts, type LiveAccounts } from './live-accounts.ts';

export interface NewAccount {
  readonly userId: string;
  readonly alias: string;
  readonly connector: string;
  readonly metadata: TradeAccount['metadata'];
  readonly credentials: VenueCredentials | null;
  /** Venue's latest report on the credentials; missing: the venue is asked. */
  readonly checked?: CredentialReport;
}

type Commit = (unit: UnitOfWork) => Promise<Result<unknown, StoreError>>;

/** Runs `remove`, which removes the account, while the objects that end with it cannot change. */
type AroundRemoval = (
  account: TradeAccount,
  remove: (commit: Commit) => Promise<Result<void, StoreError>>,
) => Promise<Result<void, StoreError>>;

/** Every method that changes an account writes the change and `together` in one commit. */
export interface Accounts
  extends Omit<AccountRegistry, 'adopt' | 'save' | 'remove' | 'exclusively'>,
    Omit<LiveAccounts, 'connect' | 'reportOf'> {
  /** Kind of money of the account. */
  moneyOf(account: TradeAccount): Money;
  /** Status and checks of the account at this moment, the connector's state included. */
  health(account: TradeAccount): AccountHealth;
  create(
    wanted: NewAccount,
    together?: (account: TradeAccount) => UnitOfWork,
  ): Promise<Result<TradeAccount, AccountError>>;
  change(
    id: string,
    patch: { readonly alias?: string; readonly metadata?: TradeAccount['metadata'] },
  ): Promise<Result<TradeAccount, AccountError>>;
  remove(id: string, together?: UnitOfWork): Promise<Result<void, AccountError>>;
  /** Sets what commits the removal of an account, in one unit with the end of its alerts. */
  onRemoving(around: AroundRemoval): void;
  /** Sets the starting balance again; refused while the account has a position or a working order. */
  resetPaper(id: string): Promise<Result<TradeAccount, AccountError>>;
  /** Funded account of the first user at the first paper venue, not committed yet; null: no paper venue. */
  prepareFirst(userId: string): Promise<TradeAccount | null>;
  /** Adds a prepared account to the registry after its commit. */
  adopt(account: TradeAccount): void;
  /** Makes every account that can trade known to its venue again; runs at start, after the venues. */
  openAll(connector?: string): Promise<void>;
}

export function createAccounts(options: {
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly venues: Venues;
  /** Status as in `GET /connectors`; undefined: there is no such connector. */
  readonly connectorStatus: (connector: string) => ConnectorStatus | undefined;
  /** Fault in the account's history at the venue; null: the history is sound. */
  readonly accountProblem: (tradeAccountId: string) => string | null;
  readonly vault: CredentialVault;
  readonly checkCredentials: CredentialCheck;
  /** Keeps new executions off an account until the returned function is called; null: account in use. */
  readonly holdAccount: (tradeAccountId: string) => (() => void) | null;
  /** Called when a venue has opened a live account; resolves when it was read, or could not be. Never rejects. */
  readonly onOpened: (account: TradeAccount) => Promise<void>;
  /** Called before a trade account becomes another account at the venue: data of the former is dropped. */
  readonly onReplaced: (account: TradeAccount) => Promise<void>;
  /** Called once an account is gone. */
  readonly onRemoved: (account: TradeAccount) => Promise<void>;
  /** A notification to the account's owner, as rows of a commit. */
  readonly notice: (account: TradeAccount, text: NotificationText) => UnitOfWork;
  /** Deletes the stored holdings outside baskets of a paper account that its venue reset at `resetAt` (epoch ms). */
  readonly forgetHoldings: (tradeAccountId: string, resetAt: number) => Promise<void>;
  readonly loaded: readonly TradeAccount[];
}): Accounts {
  const { store, clock, ids, logger, venues, vault, holdAccount, forgetHoldings } = options;
  const registry = createAccountRegistry(store, options.loaded);
  let aroundRemoval: AroundRemoval = (_, remove) => remove((unit) => store.commit(unit));
  const live = createLiveAccounts({ ...options, registry });

  const atVenue = (account: TradeAccount) => ({
    tradeAccountId: account.id,
    exchangeIdentifier: account.exchangeIdentifier,
  });

  async function save(
    account: TradeAccount,
    together?: UnitOfWork,
  ): Promise<Result<TradeAccount, AccountError>> {
    const saved = await registry.save({ ...account, updatedAt: clock.now() }, together);
    return saved.ok ? saved : fail({ kind: 'store', error: saved.error });
  }

  function draft(wanted: NewAccount, venue: Venue): TradeAccount {
    const id = ids.next();
    const paper = venue.info.mode === 'PAPER';
    const now = clock.now();
    return {
      id,
      userId: wanted.userId,
      alias: wanted.alias,
      connector: wanted.connector,
      mode: venue.info.mode,
      // A paper venue knows the account by the gateway's own id; a live venue names the account when its credentials
      // are checked.
      exchangeIdentifier: paper ? id : '',
      status: paper ? 'READY' : 'NO_CREDENTIALS',
      metadata: wanted.metadata,
      createdAt: now,
      updatedAt: now,
    };
  }

  return {
    readCredentials: live.readCredentials,
    storeCredentials: live.storeCredentials,
    removeCredentials: live.removeCredentials,
    recheck: live.recheck,
    find: registry.find,
    get: registry.get,
    all: registry.all,
    list: registry.list,
    adopt: registry.adopt,
    health: (account) =>
      healthOf(
        account,
        options.connectorStatus(account.connector),
        account.mode === 'LIVE'
          ? (venues.get(account.connector)?.accountStatus?.(atVenue(account)) ?? null)
          : null,
        options.accountProblem(account.id),
        live.reportOf(account.id),
        account.mode === 'PAPER' ? venues.get(account.connector)?.faults?.of(atVenue(account)) : [],
      ),
    moneyOf({ mode, connector }) {
      const venue = mode === 'LIVE' ? venues.get(connector) : undefined;
      return { mode, network: venue === undefined ? null : networkOf(venue) };
    },

    async create(wanted, together) {
      const venue = venues.get(wanted.connector);
      if (venue === undefined) return fail({ kind: 'unknown_connector' });
      const account = draft(wanted, venue);
      const { credentials } = wanted;
      if (credentials !== null)
        return live.connect(account, venue, { credentials, checked: wanted.checked }, together);
      if (account.status === 'READY') {
        const opened = await venue.openAccount(atVenue(account));
        if (!opened.ok) return fail({ kind: 'venue', error: opened.error });
      }
      const saved = await registry.save(account, together?.(account));
      return saved.ok ? saved : fail({ kind: 'store', error: saved.error });
    },

    change: (id, patch) =>
      registry.exclusively(id, (account) =>
        save({
          ...account,
          alias: patch.alias ?? account.alias,
          metadata: patch.metadata === undefined ? account.metadata : patch.metadata,
        }),
      ),

    onRemoving: (around) => {
      aroundRemoval = around;
    },

    remove: (id, together) =>
      registry.exclusively(id, async (account): Promise<Result<void, AccountError>> => {
        const release = holdAccount(account.id);
        if (release === null) return fail({ kind: 'busy' });
        // Credentials are deleted first: after a crash in between, no account would refer to the secret, and it could
        // never be found again.
        const erase = async () => {
          if (account.mode === 'LIVE') await vault.erase(account.id);
        };
        const removed = await aroundRemoval(account, (commit) =>
          registry.remove(account.id, erase, (gone) => commit({ ...together, ...gone })),
        ).finally(release);
        if (!removed.ok) return fail({ kind: 'store', error: removed.error });
        venues.get(account.connector)?.closeAccount?.(atVenue(account));
        await options.onRemoved(account);
        return ok(undefined);
      }),

    resetPaper: (id) =>
      registry.exclusively(id, async (account): Promise<Result<TradeAccount, AccountError>> => {
        const venue = venues.get(account.connector);
        if (venue?.resetAccount === undefined || account.mode !== 'PAPER') {
          return fail({
            kind: 'venue',
            error: { kind: 'unsupported', message: 'Only paper accounts can be reset' },
          });
        }
        const release = holdAccount(account.id);
        if (release === null) return fail({ kind: 'busy' });
        const reset = await venue
          .resetAccount(atVenue(account))
          .then(async (done) => {
            if (done.ok) await forgetHoldings(account.id, done.value);
            return done;
          })
          .finally(release);
        if (!reset.ok) return fail({ kind: 'venue', error: reset.error });
        return save({ ...account, status: 'READY' });
      }),

    async prepareFirst(userId) {
      const venue = venues.all().find(({ info }) => info.mode === 'PAPER');
      if (venue === undefined) return null;
      const connector = venue.info.id;
      const account = draft({ userId, alias: 'Paper', connector, metadata: null, credentials: null }, venue);
      // Funding is idempotent at the venue. If the account is not saved afterwards, only an unused paper account is
      // left there.
      const opened = await venue.openAccount(atVenue(account));
      if (opened.ok) return account;
      logger.warn(
        { tradeAccountId: account.id, reason: opened.error.message },
        'paper account not opened yet',
      );
      return { ...account, status: 'DEGRADED' };
    },

    async openAll(only) {
      for (const { id, status, connector } of registry.all()) {
        if (only !== undefined && connector !== only) continue;
        const venue = venues.get(connector);
        // An account whose key is refused can still be watched.
        if (venue === undefined || status === 'NO_CREDENTIALS') continue;
        await registry.exclusively(id, async (account): Promise<Result<TradeAccount, AccountError>> => {
          // The vault's error text may quote the secret, so it is not passed on; the venue then reports missing
          // credentials.
          const credentials = account.mode === 'LIVE' ? await vault.read(id).catch(() => null) : null;
          const access = credentials === null ? undefined : { credentials, network: networkOf(venue) };
          const opened = await venue.openAccount(atVenue(account), access);
          if (!opened.ok) {
            logger.warn(
              { tradeAccountId: id, reason: opened.error.message },
              'the venue did not open an account',
            );
          }
          if (opened.ok && account.mode === 'LIVE') void options.onOpened(account);
          if (account.status === 'INVALID_CREDENTIALS') return ok(account);
          const next = opened.ok ? 'READY' : 'DEGRADED';
          return next === account.status ? ok(account) : save({ ...account, status: next });
        });
      }
    },
  };
}
