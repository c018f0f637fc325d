/** Accounts at the venue by number or by wallet, and the keys that they have. */
import { ok, type Result } from '../../../../domain/result.ts';
import type { AccountName, SetupError, SetupKey, SetupResult } from '../../../../engine/ports/venue-setup.ts';
import { FIRST_KEY_INDEX, LAST_KEY_INDEX } from '../access.ts';
import { readAccount } from '../account-reads.ts';
import type { LighterError } from '../client.ts';
import type { SetupParts } from '../setup-parts.ts';
import type { Signer } from '../signer.ts';
import { apiKeys, nextNonce, type WireAccount } from '../wire.ts';
import { invalid, wrong } from './refuse.ts';
import { ownedAccounts } from './wire.ts';

const ALL_KEYS = 255;
const NO_SUCH_KEY = 21_109;

/** The venue's time in whole epoch ms. */
export function venueTime({ venueClock }: SetupParts): number {
  return Math.floor(venueClock.now());
}

/** The number of an account; of a wallet with several, that of its main account. */
export async function accountIndexOf({ client }: SetupParts, account: AccountName): SetupResult<number> {
  if ('accountIndex' in account) return ok(account.accountIndex);
  const { getAddress } = await import('viem/utils');
  const told = await client.get(
    {
      lane: 'history',
      path: '/api/v1/accountsByL1Address',
      query: { l1_address: getAddress(account.walletAddress.toLowerCase()) },
    },
    ownedAccounts,
  );
  if (!told.ok && told.error.kind !== 'rejected') return told;
  const owned = told.ok ? told.value.sub_accounts.map(({ index }) => index) : [];
  if (owned.length === 0)
    return invalid('walletAddress', 'The venue has no account of this wallet on this network');
  // Subaccounts are made after their main account, and have higher numbers.
  return ok(Math.min(...owned));
}

/** @param path of the request, for an account that the venue does not have */
export async function accountOf(parts: SetupParts, index: number, path: string): SetupResult<WireAccount> {
  const told = await readAccount(parts, index, 'history');
  if (told.ok || told.error.kind !== 'rejected') return told;
  return invalid(path, 'The venue has no account of this number on this network');
}

/** Public keys of the account by their index. */
export async function keysOf(
  { client }: SetupParts,
  accountIndex: number,
): Promise<Result<ReadonlyMap<number, string>, LighterError>> {
  const query = { account_index: accountIndex, api_key_index: ALL_KEYS };
  const told = await client.get({ lane: 'history', path: '/api/v1/apikeys', query }, apiKeys);
  if (!told.ok) return told.error.code === NO_SUCH_KEY ? ok(new Map()) : told;
  return ok(
    new Map(
      told.value.api_keys.map(({ api_key_index, public_key }) => [
        api_key_index,
        public_key.replace(/^0x/i, '').toLowerCase(),
      ]),
    ),
  );
}

export async function freeKeyIndex(parts: SetupParts, accountIndex: number): SetupResult<number> {
  const keys = await keysOf(parts, accountIndex);
  if (!keys.ok) return keys;
  for (let index = FIRST_KEY_INDEX; index <= LAST_KEY_INDEX; index += 1)
    if (!keys.value.has(index)) return ok(index);
  return invalid('apiKeyIndex', 'The account has all the keys that it can have: name one to replace');
}

/** Asks the venue, past the queue of the key: nothing is sent now, and the queue must not wait for a wallet. */
export async function nonceOf(
  { client }: SetupParts,
  key: { readonly accountIndex: number; readonly apiKeyIndex: number },
): SetupResult<number> {
  const query = { account_index: key.accountIndex, api_key_index: key.apiKeyIndex };
  const told = await client.get({ lane: 'history', path: '/api/v1/nextNonce', query }, nextNonce);
  return told.ok ? ok(told.value.nonce) : told;
}

/** Runs `task` with the key, which is wiped afterwards. */
export async function withSigner<T>(
  parts: SetupParts,
  key: SetupKey,
  task: (signer: Signer) => SetupResult<T>,
): Promise<Result<T, SetupError>> {
  const signer = parts.signerFor(key.credentials);
  if (!signer.ok) return wrong(signer.error);
  try {
    return await task(signer.value);
  } finally {
    signer.value.key.wipe();
  }
}
