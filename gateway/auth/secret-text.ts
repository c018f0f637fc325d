/** Random secrets and the only form in which the gateway keeps them. */
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, lowercase hex. Enough for secrets of 256 random bits: there is nothing to guess that a slow hash would slow. */
export function sha256Hex(secret: string): string {
  return hash('sha256', secret, 'hex');
}
