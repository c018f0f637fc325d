/**
 * AES-256-GCM of one vault entry. The entry's name is the additional data, so an entry moved under another name does not
 * open. Every write draws a fresh 96-bit nonce (NIST SP 800-38D §8.2.2; far below 2^32 writes a key).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SealedEntry {
  /** base64, 12 bytes */
  readonly nonce: string;
  /** base64 */
  readonly ciphertext: string;
  /** base64, 16 bytes */
  readonly tag: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function seal(key: Uint8Array, name: string, value: string): SealedEntry {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(name, 'utf8'));
  const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return {
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

/** The value of a sealed entry; null when key, name or content do not fit together. */
export function unseal(key: Uint8Array, name: string, entry: SealedEntry): string | null {
  const nonce = Buffer.from(entry.nonce, 'base64');
  const tag = Buffer.from(entry.tag, 'base64');
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name, 'utf8'));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(entry.ciphertext, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
