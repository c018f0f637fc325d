/**
 * Keys of pages and proofs of their possession (RFC 9449, DPoP). The private key cannot be read, not even by the page:
 * it only signs, and only for pages of its own origin.
 */

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The type `CryptoKey`, which Node does not call by this name. */
type Key = Parameters<typeof crypto.subtle.sign>[1];

export interface PageKey {
  readonly privateKey: Key;
  readonly publicKey: Key;
}

/** Rejects where the page's origin is not a secure one (`localhost` and names under it are). */
export async function createPageKey(): Promise<PageKey> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
}

/** Value of the header `DPoP` for one request. @param url without its query */
export async function makeProof(
  key: PageKey,
  request: { readonly method: string; readonly url: string; readonly nonce: string | null },
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key.publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const claims = {
    jti: crypto.randomUUID(),
    htm: request.method,
    htu: request.url,
    iat: Math.floor(Date.now() / 1_000),
    ...(request.nonce === null ? {} : { nonce: request.nonce }),
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key.privateKey,
    new TextEncoder().encode(signed),
  );
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}

function encode(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
