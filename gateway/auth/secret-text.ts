/** Random secrets, and the hash that the gateway stores in their place. */
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, lowercase hex. A slow hash would add nothing: secrets of 256 random bits cannot be guessed. */
export function sha256Hex(secret: string): string {
  return hash('sha256', secret, 'hex');
}
