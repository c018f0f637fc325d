/** A key that the owner's wallet allows, from making it to the account that can be connected with it. */
import { ok, type Result } from '../../../../domain/result.ts';
import type {
  CredentialRefusal,
  CredentialReport,
  VenueCredentials,
  WalletApproval,
  WalletRequest,
} from '../../../../engine/ports/venue.ts';
import type { ExchangeSetup, NewKey } from '../../../../engine/ports/venue-setup.ts';
import { asCredentialRefusal } from './refuse.ts';

/** @param displayName of the venue and its network */
export function approvalOf(key: NewKey, displayName: string): WalletApproval {
  const { credentials, txInfo, messageToSign, expiresAt, accountIndex, apiKeyIndex, publicKey } = key;
  return {
    credentials,
    toSign: { message: messageToSign },
    carried: txInfo,
    terms: [
      { name: 'Exchange', value: displayName },
      { name: 'Account', value: String(accountIndex) },
      { name: 'Owner', value: key.owner },
      { name: 'Index of the key', value: String(apiKeyIndex) },
      { name: 'Public key', value: publicKey },
      { name: 'May withdraw or transfer', value: "only to the owner's own address" },
      { name: 'Ends', value: 'when another key takes its index' },
    ],
    expiresAt,
  };
}

export async function prepareWallet(
  setup: ExchangeSetup,
  displayName: string,
  { address }: WalletRequest,
): Promise<Result<WalletApproval, CredentialRefusal>> {
  const made = await setup.createKey({ walletAddress: address }, null);
  if (made.ok) return ok(approvalOf(made.value, displayName));
  const { error } = made;
  const isWallet = error.kind === 'invalid' && error.path === 'walletAddress';
  return asCredentialRefusal(isWallet ? { ...error, path: 'address' } : error, 'address');
}

/** @param report venue's report on the credentials once the key is there */
export async function completeWallet(
  setup: ExchangeSetup,
  report: (credentials: VenueCredentials) => Promise<Result<CredentialReport, CredentialRefusal>>,
  { credentials, carried }: WalletApproval,
  signature: string,
): Promise<Result<CredentialReport, CredentialRefusal>> {
  const registered = await setup.registerKey({ txInfo: carried ?? '', signature });
  // A repetition after an answer that was lost: whether the key is there decides.
  if (!registered.ok && registered.error.kind !== 'noop')
    return asCredentialRefusal(registered.error, 'signature');
  return report(credentials);
}
