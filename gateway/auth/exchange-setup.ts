/**
 * Venue and key of an account set-up: the venue of the trade account that the caller names, and the key from the
 * request or else one that the vault holds for an account of the caller.
 */
import type { Principal, TradeAccount } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Venue, VenueCredentials, Venues } from '../engine/ports/venue.ts';
import type { AccountName, ExchangeSetup, SetupError, SetupKey } from '../engine/ports/venue-setup.ts';
import { type CredentialVault, networkOf } from './account-credentials.ts';
import type { Accounts } from './accounts.ts';

export interface SetupPlace {
  readonly venue: Venue;
  readonly setup: ExchangeSetup;
}

/** A key, and the caller's trade account that has it; null: it came with the request. */
export interface KeyAtHand {
  readonly key: SetupKey;
  readonly account: TradeAccount | null;
}

export interface KeyWanted {
  readonly accountIndex?: number | undefined;
  readonly walletAddress?: string | undefined;
  /** undefined: that of the trade account which the caller names. */
  readonly apiKeyIndex?: number | undefined;
  readonly apiPrivateKey?: string | undefined;
}

export interface ExchangeSetups {
  /** @param account names venue and network; null: mainnet of a venue with set-up; answer null: none has it */
  at(account: TradeAccount | null): Promise<SetupPlace | null>;
  keyFor(
    principal: Principal,
    place: SetupPlace,
    wanted: KeyWanted,
    named: TradeAccount | null,
  ): Promise<Result<KeyAtHand, SetupError>>;
  /** @param named looked at first */
  storedKey(
    principal: Principal,
    { venue }: Pick<SetupPlace, 'venue'>,
    wanted: { readonly accountIndex: number; readonly apiKeyIndex: number },
    named: TradeAccount | null,
  ): Promise<KeyAtHand | null>;
}

/** The account that a request names: exactly one of the two fields is set. */
export function nameOf(wanted: Pick<KeyWanted, 'accountIndex' | 'walletAddress'>): AccountName {
  const { accountIndex, walletAddress = '' } = wanted;
  return accountIndex === undefined ? { walletAddress } : { accountIndex };
}

export function createExchangeSetups(deps: {
  readonly venues: Venues;
  readonly accounts: Pick<Accounts, 'list'>;
  readonly vault: Pick<CredentialVault, 'read'>;
}): ExchangeSetups {
  const { venues, accounts, vault } = deps;

  const isAt = (credentials: VenueCredentials, wanted: { accountIndex: number; apiKeyIndex: number }) =>
    String(credentials['accountIndex']) === String(wanted.accountIndex) &&
    String(credentials['apiKeyIndex']) === String(wanted.apiKeyIndex);

  const storedKey: ExchangeSetups['storedKey'] = async (principal, { venue }, wanted, named) => {
    const { accountIndex, apiKeyIndex } = wanted;
    const own = accounts.list(principal).filter(({ connector }) => connector === venue.info.id);
    const inOrder = own.toSorted((a, b) => Number(b.id === named?.id) - Number(a.id === named?.id));
    for (const account of inOrder) {
      const credentials = await vault.read(account.id);
      if (credentials !== null && isAt(credentials, wanted))
        return { key: { accountIndex, apiKeyIndex, credentials }, account };
    }
    return null;
  };

  /** Number of the key with which a trade account is connected to this account at the venue; null: it is not. */
  async function ownIndex(named: TradeAccount | null, accountIndex: number): Promise<number | null> {
    if (named === null) return null;
    const credentials = await vault.read(named.id);
    const index = Number(credentials?.['apiKeyIndex'] ?? Number.NaN);
    return credentials !== null && isAt(credentials, { accountIndex, apiKeyIndex: index }) ? index : null;
  }

  return {
    storedKey,

    async at(account) {
      const venue =
        account === null
          ? venues.all().find((one) => one.setup !== undefined && networkOf(one) === 'mainnet')
          : venues.get(account.connector);
      return venue?.setup === undefined ? null : { venue, setup: await venue.setup() };
    },

    async keyFor(principal, place, wanted, named) {
      const found = await place.setup.accountIndexOf(nameOf(wanted));
      if (!found.ok) return found;
      const { apiPrivateKey } = wanted;
      const accountIndex = found.value;
      const apiKeyIndex = wanted.apiKeyIndex ?? (await ownIndex(named, accountIndex));
      if (apiKeyIndex === null)
        return fail({
          kind: 'invalid',
          path: 'apiKeyIndex',
          message: 'Name the key: the trade account in the header has none of this account',
        });
      if (apiPrivateKey !== undefined) {
        const credentials = { accountIndex, apiKeyIndex, apiPrivateKey };
        return ok({ key: { accountIndex, apiKeyIndex, credentials }, account: null });
      }
      const stored = await storedKey(principal, place, { accountIndex, apiKeyIndex }, named);
      if (stored !== null) return ok(stored);
      return fail({
        kind: 'invalid',
        path: 'apiPrivateKey',
        message: 'No connected account has this key: give it, or connect the account',
      });
    },
  };
}
