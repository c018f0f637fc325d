/**
 * Account set-up at a venue with a wallet as owner: keys, tokens, approvals and withdrawals. The text to sign is made
 * here and passed in again with the signature. Times are epoch ms, amounts decimal strings of USDC.
 */
import type { DecimalString } from '../../domain/decimal.ts';
import type { Result } from '../../domain/result.ts';
import type { VenueCredentials, VenueError } from './venue-terms.ts';

export type SetupError =
  | VenueError
  /** The input is wrong; `path` names the field of the request. */
  | { readonly kind: 'invalid'; readonly path: string; readonly message: string }
  /** Nothing to do: it is done already. */
  | { readonly kind: 'noop'; readonly message: string }
  /** Not possible now. `retryAt`: earliest time to retry. */
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

/** A key of an account, by its number, and the credentials that contain it. */
export interface SetupKey {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  readonly credentials: VenueCredentials;
}

/** Text for the wallet to sign (EIP-191), and the transaction to pass in again with its signature. */
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
  /** Credentials in the connector's form, including the private key. */
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

/** Set-up calls. A submission has an effect only with a signature of the account's owner, as the venue names it. */
export interface ExchangeSetup {
  /** Number of an account; for a wallet with several, that of its main account. */
  accountIndexOf(account: AccountName): SetupResult<number>;
  /** @param apiKeyIndex null: the lowest free one */
  createKey(account: AccountName, apiKeyIndex: number | null): SetupResult<NewKey>;
  /** Key that a `txInfo` registers, and the hash of the transaction. Makes no request. */
  readKey(txInfo: string): Result<KeyName & { readonly txHash: string }, SetupError>;
  /** Resolves when the venue lists the key. A key that is listed already is `noop`. */
  registerKey(signed: Signed): SetupResult<KeyName & { readonly txHash: string }>;
  /** @param expiresAt end of the approval; null: in a year */
  prepareIntegrator(key: SetupKey, expiresAt: number | null): SetupResult<ToSign>;
  /** @param key of the account, if known: its next transaction then takes this one into account */
  submitIntegrator(signed: Signed, key: SetupKey | null): SetupResult<{ readonly txHash: string }>;
  /** @param until null: the longest lifetime that the venue allows */
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
   * @param wanted must match the signed withdrawal; amount null: any amount
   * @param key null: the one that prepared the withdrawal, as long as it is remembered
   */
  submitWithdrawal(
    signed: Signed,
    wanted: { readonly amount: DecimalString | null; readonly toAddress: string },
    key: SetupKey | null,
  ): SetupResult<{ readonly txHash: string; readonly status: 'executed' | 'pending' }>;
  /** Account and key of the transaction. Makes no request. */
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
