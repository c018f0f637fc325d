/** Credentials of a Hyperliquid account: an agent key, which trades and cannot withdraw, and the address it trades for. */
import type { VenueCredentials } from '../../../engine/ports/venue.ts';
import { addressOf, fromHex, type Hex } from './signing/keys.ts';

export interface Keys {
  /** Lower case. */
  readonly account: string;
  readonly agent: string;
  /** 32 bytes; zeroed when the account is closed. */
  readonly privateKey: Uint8Array;
}

/** Path and sentence of the field that is wrong. */
export interface WrongField {
  readonly path: string;
  readonly message: string;
}

export function readKeys({ accountAddress, agentPrivateKey }: VenueCredentials): Keys | WrongField {
  const account = String(accountAddress ?? '')
    .trim()
    .toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(account))
    return { path: 'accountAddress', message: 'An address is 0x and 40 hex digits' };
  const secret = String(agentPrivateKey ?? '').trim();
  const hex: Hex = secret.startsWith('0x') ? (secret as Hex) : `0x${secret}`;
  const wrong = { path: 'agentPrivateKey', message: 'A private key is 64 hex digits' };
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex)) return wrong;
  try {
    const privateKey = fromHex(hex, 32);
    return { account, agent: addressOf(privateKey), privateKey };
  } catch {
    return wrong;
  }
}
