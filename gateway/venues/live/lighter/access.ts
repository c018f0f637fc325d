/** Credentials of a Lighter account: its number, and one of its keys with that key's number. */
import type { VenueCredentials } from '../../../engine/ports/venue.ts';
import { LighterKey } from './signing/signing.ts';

/** Keys below are of the venue's own programs; 255 stands for all. */
export const FIRST_KEY_INDEX = 4;
export const LAST_KEY_INDEX = 254;
const LAST_ACCOUNT = 2 ** 48 - 2;

export interface Keys {
  readonly accountIndex: number;
  readonly apiKeyIndex: number;
  /** Wiped when the account is closed. */
  readonly key: LighterKey;
}

/** Path and sentence of the field that is wrong. */
export interface WrongField {
  readonly path: string;
  readonly message: string;
}

export function readKeys({ accountIndex, apiKeyIndex, apiPrivateKey }: VenueCredentials): Keys | WrongField {
  const account = wholeOf(accountIndex);
  if (account === null || account > LAST_ACCOUNT)
    return { path: 'accountIndex', message: 'An account index is a whole number' };
  const index = wholeOf(apiKeyIndex);
  if (index === null || index < FIRST_KEY_INDEX || index > LAST_KEY_INDEX) {
    const reserved = index !== null && index < FIRST_KEY_INDEX;
    const why = reserved ? `: 0 to ${FIRST_KEY_INDEX - 1} belong to the venue's own programs` : '';
    return { path: 'apiKeyIndex', message: `A key index is ${FIRST_KEY_INDEX} to ${LAST_KEY_INDEX}${why}` };
  }
  try {
    const key = new LighterKey(String(apiPrivateKey ?? '').trim());
    // An invalid scalar of the curve shows only here.
    void key.publicKey;
    return { accountIndex: account, apiKeyIndex: index, key };
  } catch {
    return { path: 'apiPrivateKey', message: 'A private key of Lighter is 80 hex digits' };
  }
}

function wholeOf(value: unknown): number | null {
  const text = String(value ?? '').trim();
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
