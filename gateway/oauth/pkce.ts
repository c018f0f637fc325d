/** PKCE with `S256` (RFC 7636). */
import { createHash, timingSafeEqual } from 'node:crypto';

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;
/** Code challenge: base64url of 32 bytes, unpadded. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export function isVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

export function matchesChallenge(verifier: string, challenge: string): boolean {
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return (
    computed.length === challenge.length && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  );
}
