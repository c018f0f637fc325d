/** Checks that a key may trade for an account, and collects facts about the account that a person should know first. */
import { dec } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { CredentialRefusal, CredentialReport, VenueCredentials } from '../../../engine/ports/venue.ts';
import { FIRST_KEY_INDEX, type Keys, readKeys } from './access.ts';
import { readAccount } from './account-reads.ts';
import type { Client, LighterError } from './client.ts';
import type { Signer } from './signer.ts';
import * as wire from './wire.ts';

const ALL_KEYS = 255;
const NO_SUCH_KEY = 21_109;
const STANDARD = 0;
const UNIFIED = 1;

export interface CredentialDeps {
  readonly client: Client;
  /** Signs readings with keys that are not those of an open account. */
  readonly signerWith: (keys: Keys) => Signer;
}

function refused(path: string, message: string): Result<never, CredentialRefusal> {
  return fail({ kind: 'refused', path, message });
}

function silent(error: LighterError): Result<never, CredentialRefusal> {
  if (error.kind === 'throttled') return fail({ ...error, kind: 'throttled' });
  return fail({ kind: 'unknown', message: error.message });
}

export async function checkAccess(
  deps: CredentialDeps,
  credentials: VenueCredentials,
): Promise<Result<CredentialReport, CredentialRefusal>> {
  const keys = readKeys(credentials);
  if ('path' in keys) return refused(keys.path, keys.message);
  try {
    return await checkKeys(deps, keys);
  } finally {
    keys.key.wipe();
  }
}

/** One question after the other: they spend a standard account's sixty requests a minute. */
async function checkKeys(
  { client, signerWith }: CredentialDeps,
  keys: Keys,
): Promise<Result<CredentialReport, CredentialRefusal>> {
  const { accountIndex, apiKeyIndex, key } = keys;
  const account = await readAccount({ client }, accountIndex, 'history');
  if (!account.ok) {
    if (account.error.kind !== 'rejected') return silent(account.error);
    return refused('accountIndex', 'The venue has no account of this number on this network');
  }
  const query = { account_index: accountIndex, api_key_index: ALL_KEYS };
  const listed = await client.get({ lane: 'history', path: '/api/v1/apikeys', query }, wire.apiKeys);
  if (!listed.ok && listed.error.code !== NO_SUCH_KEY) return silent(listed.error);
  const registered = listed.ok ? listed.value.api_keys : [];
  const own = registered.find(({ api_key_index }) => api_key_index === apiKeyIndex);
  if (own === undefined)
    return refused('apiKeyIndex', `The account has no API key ${apiKeyIndex} at the venue`);
  if (plain(own.public_key) !== key.publicKey) return refused('apiPrivateKey', wrongKey(registered, keys));
  const mode = account.value.account_trading_mode ?? STANDARD;
  if (mode !== STANDARD && mode !== UNIFIED) {
    const message = `The account is in trading mode ${mode}, whose margin Tandem does not understand yet`;
    return refused('accountIndex', message);
  }
  const active = await signerWith(keys).get(
    { lane: 'history', path: '/api/v1/accountActiveOrders', query: { account_index: accountIndex } },
    wire.orders,
  );
  if (!active.ok) {
    if (active.error.kind !== 'auth') return silent(active.error);
    return refused('apiPrivateKey', `The venue does not take what the key signs: ${active.error.message}`);
  }
  const held = account.value.positions.filter(({ position }) => !dec(position).isZero()).length;
  const open = active.value.orders.length;
  const others = registered.filter(
    ({ api_key_index: index }) => index >= FIRST_KEY_INDEX && index !== apiKeyIndex,
  ).length;
  return ok({
    exchangeIdentifier: String(accountIndex),
    expiresAt: null,
    warnings: [
      ...(held > 0
        ? [
            `The account holds ${held} positions already. They stay outside of Tandem's baskets until you take them over`,
          ]
        : []),
      ...(open > 0
        ? [`The account has ${open} open orders of other programs. Tandem leaves them alone`]
        : []),
      ...(others > 0
        ? [`The account has ${others} other API keys: another program may trade it at the same time`]
        : []),
      ...(mode === UNIFIED
        ? ['The account is unified: collateral other than USDC counts in its equity as the venue values it']
        : []),
      ...(dec(account.value.total_asset_value).isZero() ? ['The account has no balance for perpetuals'] : []),
    ],
  });
}

/** A key of another index is the most likely slip. */
function wrongKey(
  registered: readonly { readonly api_key_index: number; readonly public_key: string }[],
  { apiKeyIndex, key }: Keys,
): string {
  const other = registered.find(({ public_key }) => plain(public_key) === key.publicKey);
  if (other !== undefined)
    return `This is the key of index ${other.api_key_index}, not of index ${apiKeyIndex}`;
  return `The venue has another key under index ${apiKeyIndex}: this one was replaced, or belongs to another account`;
}

const plain = (publicKey: string) => publicKey.replace(/^0x/i, '').toLowerCase();
