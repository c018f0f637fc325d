/** Tokens with which others read an account at the venue. */
import { ok } from '../../../../domain/result.ts';
import type { SetupKey, SetupResult } from '../../../../engine/ports/venue-setup.ts';
import type { SetupParts } from '../setup-parts.ts';
import { authToken } from '../signing/signing.ts';
import { keysOf, venueTime, withSigner } from './accounts.ts';
import { invalid } from './refuse.ts';

/** The venue takes tokens of up to 8 hours. */
const LONGEST_MS = 8 * 3_600_000;

export function createToken(
  parts: SetupParts,
  key: SetupKey,
  until: number | null,
): SetupResult<{ readonly token: string; readonly expiresAt: number }> {
  return withSigner(parts, key, async (signer) => {
    const now = venueTime(parts);
    if (until !== null && until <= now) return invalid('deadline', 'It has passed');
    if (until !== null && until > now + LONGEST_MS) return invalid('deadline', 'At most 8 hours from now');
    const { accountIndex, apiKeyIndex } = signer;
    // A token of another key would be refused at its first use, without a word why.
    const keys = await keysOf(parts, accountIndex);
    if (!keys.ok) return keys;
    if (keys.value.get(apiKeyIndex) !== signer.key.publicKey)
      return invalid('apiPrivateKey', `The venue does not have this key as ${apiKeyIndex} of the account`);
    const deadline = Math.floor((until ?? now + LONGEST_MS) / 1_000);
    return ok({
      token: authToken(signer.key, { accountIndex, apiKeyIndex, deadline }),
      expiresAt: deadline * 1_000,
    });
  });
}
