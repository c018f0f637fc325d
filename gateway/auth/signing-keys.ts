/**
 * The gateway's own keys. One Ed25519 private key lives in the vault (`signing-key`, PKCS#8 as base64) and signs access
 * tokens; the keys that authenticate refresh tokens and session cookies are derived from it (HKDF, RFC 5869), so there is
 * one secret to keep and losing it signs everybody out.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Vault } from '../engine/ports/vault.ts';

const VAULT_NAME = 'signing-key';

export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly cookieKey: Buffer;
  readonly refreshKey: Buffer;
}

/** Reads the key from the vault, or makes it at the first start. Throws when a stored key is not Ed25519. */
export async function loadSigningKeys(vault: Vault): Promise<SigningKeys> {
  let stored = await vault.get(VAULT_NAME);
  if (stored === null) {
    const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' });
    stored = made.toString('base64');
    await vault.set(VAULT_NAME, stored);
  }
  const der = Buffer.from(stored, 'base64');
  const privateKey = readPrivateKey(der);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', der, '', purpose, 32));
  return {
    privateKey,
    publicKey: createPublicKey(privateKey),
    cookieKey: derive('tandem session cookie'),
    refreshKey: derive('tandem refresh token'),
  };
}

function readPrivateKey(der: Buffer): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
  } catch {
    // The parser's message is dropped, because it could quote the key.
  }
  if (key === null || key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`The vault entry "${VAULT_NAME}" is not an Ed25519 private key (PKCS#8, base64)`);
  }
  return key;
}
