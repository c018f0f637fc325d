/**
 * Proof of a wallet: the gateway hands out an EIP-4361 text with a nonce, the wallet signs it (EIP-191), the signer is
 * recovered and compared. The text is kept in memory and never taken from the client, so a signature over a text for
 * another host, address or nonce recovers to another address and fails.
 *
 * Contract wallets (EIP-1271) would need a chain to ask and are not supported.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../engine/ports/system.ts';

const LIFETIME_MS = 5 * 60_000;
/** Challenges are public: one address must not push out the nonces of others, and the total is bounded. */
const MAX_OPEN_PER_ADDRESS = 10;
const MAX_OPEN = 1_000;
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

export interface WalletChallenge {
  readonly nonce: string;
  /** EIP-4361 text to sign. */
  readonly message: string;
  /** Expiry of the challenge in epoch ms. */
  readonly expiresAt: number;
}

export interface WalletLogin {
  /** `host` is the authority that the wallet sees in its address bar, e.g. `tandem.localhost:7391`. */
  challenge(address: string, host: string): Promise<WalletChallenge>;
  /** The EIP-55 address of a right signature; null: a wrong one. The nonce is spent either way. */
  prove(proof: {
    readonly address: string;
    readonly nonce: string;
    readonly signature: string;
  }): Promise<string | null>;
}

interface OpenChallenge extends WalletChallenge {
  /** Wallet address in EIP-55 spelling. */
  readonly address: string;
}

export function createWalletLogin(clock: Clock): WalletLogin {
  const open = new Map<string, OpenChallenge>();
  let lastTurn = Promise.resolve();

  /**
   * Waits for a turn of the event loop without another signature check, because recovering a signer takes
   * milliseconds.
   */
  function ownTurn(): Promise<void> {
    lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return lastTurn;
  }

  /**
   * Makes room for one more challenge of the address by removing the oldest. A map keeps insertion order, so the
   * first is the oldest.
   */
  function makeRoom(address: string): void {
    const now = clock.now();
    for (const challenge of open.values()) if (now >= challenge.expiresAt) open.delete(challenge.nonce);
    const [oldest] = open.values();
    if (oldest !== undefined && open.size >= MAX_OPEN) open.delete(oldest.nonce);
    const own = [...open.values()].filter((challenge) => challenge.address === address);
    const [ownOldest] = own;
    if (ownOldest !== undefined && own.length >= MAX_OPEN_PER_ADDRESS) open.delete(ownOldest.nonce);
  }

  return {
    async challenge(givenAddress, host) {
      // viem is loaded on first use: a start needs neither keccak nor secp256k1.
      const { getAddress } = await import('viem/utils');
      const address = getAddress(givenAddress.toLowerCase());
      const now = clock.now();
      const nonce = randomBytes(16).toString('hex');
      const expiresAt = now + LIFETIME_MS;
      const message = signInText({ host, address, nonce, issuedAt: now, expiresAt });
      makeRoom(address);
      open.set(nonce, { nonce, message, expiresAt, address });
      return { nonce, message, expiresAt };
    },
    async prove({ address, nonce, signature }) {
      const challenge = open.get(nonce);
      open.delete(nonce);
      if (challenge === undefined || clock.now() >= challenge.expiresAt) return null;
      if (challenge.address.toLowerCase() !== address.toLowerCase() || !SIGNATURE.test(signature))
        return null;
      const { recoverMessageAddress } = await import('viem/utils');
      await ownTurn();
      try {
        const signer = await recoverMessageAddress({
          message: challenge.message,
          signature: signature as `0x${string}`,
        });
        return signer === challenge.address ? signer : null;
      } catch {
        // A signature that is no point on the curve counts as wrong.
        return null;
      }
    },
  };
}

/** EIP-4361 text after its ABNF. viem's composer refuses `[::1]`, which is one of the gateway's hosts. */
function signInText(fields: {
  readonly host: string;
  readonly address: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}): string {
  return [
    `${fields.host} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    'Sign in to Tandem.',
    '',
    `URI: http://${fields.host}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${fields.nonce}`,
    `Issued At: ${new Date(fields.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(fields.expiresAt).toISOString()}`,
  ].join('\n');
}
