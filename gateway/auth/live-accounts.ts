/**
 * Live accounts and their credentials: checked at the venue, kept in the vault, opened at the venue. Checked again once a
 * day and whenever the venue refuses a key.
 */
import type { TradeAccount } from '../domain/model.ts';
import { credentialNotification, type NotificationText } from '../domain/notification.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { CredentialReport, Venue, VenueCredentials, Venues } from '../engine/ports/venue.ts';
import { type CredentialCheck, type CredentialVault, networkOf } from './account-credentials.ts';
import type { AccountError } from './account-error.ts';
import type { AccountRegistry } from './account-registry.ts';
import type { AuthStore } from './auth-store.ts';
import { createKeyedLock } from './keyed-lock.ts';

/** Notice period: the owner is told this long before a key expires. */
const WARN_BEFORE_MS = 7 * 86_400_000;

export interface LiveAccountDeps {
  readonly registry: AccountRegistry;
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly venues: Venues;
  readonly vault: CredentialVault;
  readonly checkCredentials: CredentialCheck;
  /** Keeps new executions off an account until the returned function is called; null: account in use. */
  readonly holdAccount: (tradeAccountId: string) => (() => void) | null;
  /** Called when a venue has opened a live account; resolves when it was read, or could not be. Never rejects. */
  readonly onOpened: (account: TradeAccount) => Promise<void>;
  /** Called before a trade account becomes another account at the venue: data of the former is dropped. */
  readonly onReplaced: (account: TradeAccount) => Promise<void>;
  /** A notification to the account's owner, as rows of a commit. */
  readonly notice: (account: TradeAccount, text: NotificationText) => UnitOfWork;
}

/** `checked`: venue's latest report on them; undefined: the venue is asked. */
export interface GivenCredentials {
  readonly credentials: VenueCredentials;
  readonly checked: CredentialReport | undefined;
}

/** Longest wait of a connecting account for its first reading. The reading goes on after the answer. */
const FIRST_READING_MS = 3_000;

export interface LiveAccounts {
  /** Credentials are given out only after `together` is on disk. */
  readCredentials(id: string, together?: UnitOfWork): Promise<Result<VenueCredentials, AccountError>>;
  /** @param checked venue's latest report on the credentials; missing: the venue is asked */
  storeCredentials(
    id: string,
    credentials: VenueCredentials,
    together?: UnitOfWork,
    checked?: CredentialReport,
  ): Promise<Result<TradeAccount, AccountError>>;
  removeCredentials(id: string, together?: UnitOfWork): Promise<Result<void, AccountError>>;
  /**
   * Asks the venue again whether the credentials of a live account are good: an account whose credentials it refuses is
   * INVALID_CREDENTIALS, and READY again when it takes them. The owner is told of both a refusal and a near end.
   * @return false: the venue did not answer, so nothing is known
   */
  recheck(id: string): Promise<boolean>;
  /** Saves a new account with credentials that the venue takes. */
  connect(
    fresh: TradeAccount,
    venue: Venue,
    given: GivenCredentials,
    together?: (account: TradeAccount) => UnitOfWork,
  ): Promise<Result<TradeAccount, AccountError>>;
  /** Venue's latest report on the credentials; null: not asked since the start. */
  reportOf(tradeAccountId: string): CredentialReport | null;
}

export function createLiveAccounts(deps: LiveAccountDeps): LiveAccounts {
  const { registry, store, clock, logger, venues, vault, checkCredentials, holdAccount } = deps;
  /** Latest report of the venue on the credentials of each account. */
  const reports = new Map<string, CredentialReport>();
  /** One venue account is one trade account: a connecting call holds its name until the account is on disk. */
  const names = createKeyedLock();

  const atVenue = ({ id, exchangeIdentifier }: TradeAccount) => ({ tradeAccountId: id, exchangeIdentifier });

  async function save(
    account: TradeAccount,
    together?: UnitOfWork,
  ): Promise<Result<TradeAccount, AccountError>> {
    const saved = await registry.save({ ...account, updatedAt: clock.now() }, together);
    return saved.ok ? saved : fail({ kind: 'store', error: saved.error });
  }

  /** The other trade account that is this account at the venue. */
  const twin = (id: string, connector: string, exchangeIdentifier: string) =>
    registry
      .all()
      .find(
        (other) =>
          other.id !== id && other.connector === connector && other.exchangeIdentifier === exchangeIdentifier,
      );

  /** Runs `task` unless another trade account is this account at the venue, and none becomes it meanwhile. */
  function asOnly<T>(
    { id, connector, exchangeIdentifier }: TradeAccount,
    task: () => Promise<Result<T, AccountError>>,
  ): Promise<Result<T, AccountError>> {
    return names.run(`${connector} ${exchangeIdentifier}`, async () => {
      const other = twin(id, connector, exchangeIdentifier);
      return other === undefined ? task() : fail({ kind: 'connected_already', alias: other.alias });
    });
  }

  /**
   * Asks the venue for the account's name there, after checking that the vault may hold the credentials; fails if the
   * venue rejects them.
   */
  async function verify(
    connector: string,
    credentials: VenueCredentials,
    given: CredentialReport | undefined,
  ): Promise<Result<CredentialReport, AccountError>> {
    const admitted = vault.admitsLive();
    if (!admitted.ok) return admitted;
    if (given !== undefined) return ok(given);
    const checked = await checkCredentials(connector, credentials);
    if (!checked.ok) return fail({ kind: 'credentials', refusal: checked.error });
    return checked;
  }

  /** Opens a saved live account. If the venue does not open it, the account is DEGRADED and opened again later. */
  async function openNow(
    account: TradeAccount,
    venue: Venue,
    credentials: VenueCredentials,
  ): Promise<TradeAccount> {
    const opened = await venue.openAccount(atVenue(account), { credentials, network: networkOf(venue) });
    if (opened.ok) {
      // Nothing can be opened on an account before its first reading, so connecting it waits for that.
      await Promise.race([deps.onOpened(account), clock.sleep(FIRST_READING_MS)]);
      return account;
    }
    const { message } = opened.error;
    logger.warn({ tradeAccountId: account.id, reason: message }, 'the venue did not open an account');
    const degraded = await save({ ...account, status: 'DEGRADED' });
    return degraded.ok ? degraded.value : account;
  }

  async function connect(
    fresh: TradeAccount,
    venue: Venue,
    given: GivenCredentials,
    together?: (account: TradeAccount) => UnitOfWork,
  ): Promise<Result<TradeAccount, AccountError>> {
    if (fresh.mode === 'PAPER') return fail({ kind: 'no_credentials_wanted' });
    const { credentials } = given;
    const verified = await verify(fresh.connector, credentials, given.checked);
    if (!verified.ok) return verified;
    const { exchangeIdentifier } = verified.value;
    const account: TradeAccount = { ...fresh, exchangeIdentifier, status: 'READY' };
    return asOnly(account, async () => {
      // Vault, database, venue: in this order no account lacks its keys, and none trades without being on disk.
      const written = await vault.write(account.id, credentials);
      if (!written.ok) return written;
      const saved = await registry.save(account, together?.(account));
      if (saved.ok) {
        reports.set(account.id, verified.value);
        return ok(await openNow(account, venue, credentials));
      }
      // Nothing refers to the vault entry of an account that was not saved.
      await written.value();
      return fail({ kind: 'store', error: saved.error });
    });
  }

  const tell = (
    account: TradeAccount,
    category: 'CREDENTIALS_REFUSED' | 'CREDENTIALS_EXPIRING',
    reason: string,
  ): UnitOfWork => {
    const { id: tradeAccountId, connector } = account;
    return deps.notice(account, credentialNotification(category, { tradeAccountId, connector }, reason));
  };

  /** Warning that the key ends soon; null: it does not. */
  function endsSoon(expiresAt: number | null): string | null {
    if (expiresAt === null || expiresAt - clock.now() > WARN_BEFORE_MS) return null;
    const day = new Date(expiresAt).toISOString().slice(0, 10);
    return `The key ends on ${day}. Make a new one and store it before: without it nothing can be closed from here`;
  }

  return {
    connect,
    reportOf: (id) => reports.get(id) ?? null,
    readCredentials: (id, together) =>
      registry.exclusively(id, async (account): Promise<Result<VenueCredentials, AccountError>> => {
        const credentials = account.mode === 'PAPER' ? null : await vault.read(account.id);
        if (credentials === null) return fail({ kind: 'no_credentials' });
        const noted = together === undefined ? ok(undefined) : await store.commit(together);
        return noted.ok ? ok(credentials) : fail({ kind: 'store', error: noted.error });
      }),

    storeCredentials: (id, credentials, together, given) =>
      registry.exclusively(id, async (account): Promise<Result<TradeAccount, AccountError>> => {
        if (account.mode === 'PAPER') return fail({ kind: 'no_credentials_wanted' });
        const venue = venues.get(account.connector);
        if (venue === undefined) return fail({ kind: 'unknown_connector' });
        const verified = await verify(account.connector, credentials, given);
        if (!verified.ok) return verified;
        const { exchangeIdentifier } = verified.value;
        const ready: TradeAccount = { ...account, exchangeIdentifier, status: 'READY' };
        const isOther = !['', exchangeIdentifier].includes(account.exchangeIdentifier);
        // Positions of the former account would belong to nobody.
        const release = isOther ? holdAccount(account.id) : () => {};
        if (release === null) return fail({ kind: 'busy' });
        return asOnly(ready, async () => {
          const written = await vault.write(account.id, credentials);
          if (!written.ok) return written;
          if (isOther) await deps.onReplaced(account);
          const saved = await save(ready, together);
          if (!saved.ok) {
            await written.value();
            return saved;
          }
          reports.set(account.id, verified.value);
          return ok(await openNow(saved.value, venue, credentials));
        }).finally(release);
      }),

    removeCredentials: (id, together) =>
      registry.exclusively(id, async (account): Promise<Result<void, AccountError>> => {
        // Without credentials nobody could close the account's positions.
        const release = holdAccount(account.id);
        if (release === null) return fail({ kind: 'busy' });
        try {
          const erased = account.mode === 'LIVE' && (await vault.erase(account.id));
          if (!erased) return fail({ kind: 'no_credentials' });
          venues.get(account.connector)?.closeAccount?.(atVenue(account));
          reports.delete(account.id);
          const saved = await save({ ...account, status: 'NO_CREDENTIALS' }, together);
          return saved.ok ? ok(undefined) : saved;
        } finally {
          release();
        }
      }),

    async recheck(id) {
      let isAnswered = true;
      await registry.exclusively(id, async (account): Promise<Result<TradeAccount, AccountError>> => {
        const venue = venues.get(account.connector);
        if (venue === undefined || account.mode === 'PAPER' || account.status === 'NO_CREDENTIALS')
          return ok(account);
        const credentials = await vault.read(id).catch(() => null);
        if (credentials === null) return ok(account);
        const checked = await checkCredentials(account.connector, credentials);
        if (checked.ok) {
          reports.set(id, checked.value);
          const ending = endsSoon(checked.value.expiresAt);
          const told = ending === null ? {} : tell(account, 'CREDENTIALS_EXPIRING', ending);
          if (account.status !== 'INVALID_CREDENTIALS') {
            const noted = await store.commit(told);
            return noted.ok ? ok(account) : fail({ kind: 'store', error: noted.error });
          }
          const ready = await save({ ...account, status: 'READY' }, told);
          return ready.ok ? ok(await openNow(ready.value, venue, credentials)) : ready;
        }
        isAnswered = checked.error.kind === 'refused';
        if (!isAnswered || account.status === 'INVALID_CREDENTIALS') return ok(account);
        reports.delete(id);
        const { message } = checked.error;
        logger.warn({ tradeAccountId: id, reason: message }, 'the venue refuses the credentials');
        return save(
          { ...account, status: 'INVALID_CREDENTIALS' },
          tell(account, 'CREDENTIALS_REFUSED', message),
        );
      });
      return isAnswered;
    },
  };
}
