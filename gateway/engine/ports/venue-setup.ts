/**
 * Setting up an account at a venue whose owner is a wallet: keys, tokens, the owner's approvals and withdrawals. What the
 * wallet signs is made here and handed in again with its signature. Times are epoch ms, amounts decimal strings of USDC.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Result } from '../../domain/result.ts';
import type { VenueCredentials, VenueError } from './venue-terms.ts';

export type SetupError =
  | VenueError
  /** What was handed in is wrong; `path` names the field of the request. */
  | { readonly kind: 'invalid'; readonly path: string; readonly message: string }
  /** It is so already. */
  | { readonly kind: 'noop'; readonly message: string }
  /** Not now. `retryAt`: not before. */
  | {
      readonly kind: 'busy';
      readonly reason: string;
      readonly message: string;
      readonly retryAt: number;
    }
  /** A setting of the gateway is missing. */
  | { readonly kind: 'not_configured'; readonly message: string };

export type SetupResult<T> = Promise<Result<T, SetupError>>;

/** Account at the venue: its number, or the wallet that owns it. */
export type AccountName = { readonly accountIndex: number } | { readonly walletAddress: string };

/** A key of an account, by its number, and the credentials that have it. */
export interface SetupKey {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  readonly credentials: VenueCredentials;
}

/** What the wallet signs (EIP-191), and what is handed in again with its signature. */
export interface ToSign {
  /** Opaque. */
  readonly txInfo: string;
  readonly messageToSign: string;
  readonly expiresAt: number;
}

export interface Signed {
  readonly txInfo: string;
  /** `0x` and 130 hex digits. */
  readonly signature: string;
}

export interface KeyName {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  readonly publicKey: string;
}

export interface NewKey extends ToSign, KeyName {
  readonly nonce: number;
  /** Address of the account's owner, who has to sign. */
  readonly owner: string;
  /** As the connector takes them; the private key is in here. */
  readonly credentials: VenueCredentials;
  readonly privateKey: string;
}

export interface Withdrawal {
  readonly poolAccountIndex: number;
  readonly amount: DecimalString;
  readonly fee: DecimalString;
  readonly toAddress: string;
}

export type AccountTier = 'standard' | 'plus' | 'premium';

export interface Deposit {
  readonly depositAddress: string;
  readonly fromChainId: string;
  readonly fromAmount: DecimalString;
  readonly txHash: string;
  readonly status: string;
  readonly createdAt: number;
}

/** A submission never moves anything unless the signature is that of the account's owner, as the venue names it. */
export interface ExchangeSetup {
  /** The number of an account; of a wallet with several, that of its main account. */
  accountIndexOf(account: AccountName): SetupResult<number>;
  /** @param apiKeyIndex null: the lowest free one */
  createKey(account: AccountName, apiKeyIndex: number | null): SetupResult<NewKey>;
  /** The key that a `txInfo` registers, and the hash of the transaction. Asks nobody. */
  readKey(txInfo: string): Result<KeyName & { readonly txHash: string }, SetupError>;
  /** Done when the venue lists the key. A key that it lists already is `noop`. */
  registerKey(signed: Signed): SetupResult<KeyName & { readonly txHash: string }>;
  /** @param expiresAt end of the approval; null: in a year */
  prepareIntegrator(key: SetupKey, expiresAt: number | null): SetupResult<ToSign>;
  /** @param key of the account, where it is known: its next transaction then knows of this one */
  submitIntegrator(signed: Signed, key: SetupKey | null): SetupResult<{ readonly txHash: string }>;
  /** @param until null: as long as the venue lets it live */
  authToken(
    key: SetupKey,
    until: number | null,
  ): SetupResult<{ readonly token: string; readonly expiresAt: number }>;
  /** @param toAddress null: the account's owner */
  prepareWithdrawal(
    key: SetupKey,
    wanted: { readonly amount: DecimalString; readonly toAddress: string | null },
  ): SetupResult<Withdrawal & ToSign>;
  /**
   * @param wanted what was signed has to be this; amount null: whatever was signed
   * @param key null: the one with which the withdrawal was prepared, for as long as it is remembered
   */
  submitWithdrawal(
    signed: Signed,
    wanted: { readonly amount: DecimalString | null; readonly toAddress: string },
    key: SetupKey | null,
  ): SetupResult<{ readonly txHash: string; readonly status: 'executed' | 'pending' }>;
  /** Account and key of the transaction; asks nobody. */
  readSigner(
    txInfo: string,
  ): Result<{ readonly accountIndex: number; readonly apiKeyIndex: number }, SetupError>;
  changeTier(
    key: SetupKey,
    tier: AccountTier,
  ): SetupResult<{ readonly tier: AccountTier; readonly changedAt: number; readonly nextChangeAt: number }>;
  depositAddresses(
    walletAddress: string,
    wanted: { readonly market: string | null; readonly asset: string | null },
  ): SetupResult<readonly { readonly chainFamily: string; readonly address: string }[]>;
  deposits(walletAddress: string): SetupResult<readonly Deposit[]>;
}
