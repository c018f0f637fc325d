/** Keys of an account: made here, allowed by the owner's wallet, registered at the venue. */
import { fail, ok, type Result } from '../../../../domain/result.ts';
import type {
  AccountName,
  KeyName,
  NewKey,
  SetupError,
  SetupResult,
  Signed,
} from '../../../../engine/ports/venue-setup.ts';
import type { SetupParts } from '../setup-parts.ts';
import { createPrivateKey, LighterKey, signTransaction } from '../signing/signing.ts';
import { accountIndexOf, accountOf, freeKeyIndex, keysOf, nonceOf, venueTime } from './accounts.ts';
import { parse, SIGNED_WITHIN_MS, submit, verify } from './submit.ts';

export async function createKey(
  parts: SetupParts,
  name: AccountName,
  wantedIndex: number | null,
): SetupResult<NewKey> {
  const found = await accountIndexOf(parts, name);
  if (!found.ok) return found;
  const accountIndex = found.value;
  const account = await accountOf(parts, accountIndex, 'accountIndex');
  if (!account.ok) return account;
  const index = wantedIndex === null ? await freeKeyIndex(parts, accountIndex) : ok(wantedIndex);
  if (!index.ok) return index;
  const apiKeyIndex = index.value;
  const nonce = await nonceOf(parts, { accountIndex, apiKeyIndex });
  if (!nonce.ok) return nonce;
  const privateKey = createPrivateKey();
  const key = new LighterKey(privateKey);
  try {
    const { publicKey } = key;
    const expiresAt = venueTime(parts) + SIGNED_WITHIN_MS;
    // The new key signs for itself; the wallet says that it may.
    const signed = signTransaction(key, parts.chainId, {
      ...{ kind: 'changePubKey', accountIndex, apiKeyIndex, publicKey },
      ...{ nonce: nonce.value, expiredAt: expiresAt },
    });
    return ok({
      ...{ accountIndex, apiKeyIndex, publicKey, privateKey, nonce: nonce.value, expiresAt },
      ...{ txInfo: signed.txInfo, messageToSign: signed.messageToSign ?? '' },
      owner: account.value.l1_address,
      credentials: { accountIndex, apiKeyIndex, apiPrivateKey: privateKey },
    });
  } finally {
    key.wipe();
  }
}

export function readKey(
  parts: SetupParts,
  txInfo: string,
): Result<KeyName & { readonly txHash: string }, SetupError> {
  const parsed = parse(parts, 'changePubKey', txInfo);
  if (!parsed.ok) return parsed;
  const { tx, txHash } = parsed.value;
  return ok({ txHash, ...nameOf(tx) });
}

const nameOf = ({ accountIndex, apiKeyIndex, publicKey }: KeyName): KeyName => ({
  ...{ accountIndex, apiKeyIndex, publicKey },
});

export async function registerKey(
  parts: SetupParts,
  signed: Signed,
): SetupResult<KeyName & { readonly txHash: string }> {
  const verified = await verify(parts, 'changePubKey', signed);
  if (!verified.ok) return verified;
  const { tx, txHash } = verified.value;
  const name = nameOf(tx);
  const sent = await submit(parts, verified.value);
  const listed = sent.ok && sent.value === 'executed' ? true : await isListed(parts, name);
  if (listed) return ok({ txHash, ...name });
  if (!sent.ok) return sent;
  return fail({ kind: 'unknown', message: 'the venue does not list the key yet' });
}

async function isListed(parts: SetupParts, { accountIndex, apiKeyIndex, publicKey }: KeyName) {
  const keys = await keysOf(parts, accountIndex);
  return keys.ok && keys.value.get(apiKeyIndex) === publicKey;
}
