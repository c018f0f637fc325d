/**
 * The key of this page and the proofs made with it (RFC 9449, DPoP). The key is in this page's memory only and cannot
 * be exported; a page of another port, which gets the same cookies, cannot use the key.
 */

/** Age up to which a nonce is used here; the gateway accepts its nonces for two minutes. */
const NONCE_MS = 60_000;

/** @type {{ text: string, at: number } | null} */
let nonce = null;

/** True: the page runs in a browser. In the desktop app, the app itself signs in for the page. */
const isPage = location.protocol === 'http:' || location.protocol === 'https:';

const key = isPage
  ? await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  : null;

/** @param {Uint8Array} bytes */
function toBase64Url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** @param {object} value */
function encode(value) {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}

/**
 * @param {CryptoKeyPair} pair
 * @param {string} method
 * @param {string} path
 */
async function makeProof(pair, method, path) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: `${location.origin}${path}`,
    iat: Math.floor(Date.now() / 1_000),
    ...(nonce === null ? {} : { nonce: nonce.text }),
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    pair.privateKey,
    new TextEncoder().encode(signed),
  );
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
}

/** @param {Response} response */
function keepNonce(response) {
  const text = response.headers.get('dpop-nonce');
  if (text !== null) nonce = { text, at: performance.now() };
}

/**
 * `fetch` with a proof. A nonce is fetched first when there is no fresh one, and the call is repeated once when the
 * gateway refuses the nonce, because the gateway may have restarted.
 * @param {string} path
 * @param {RequestInit & { method: string, headers?: Record<string, string> }} init
 * @returns {Promise<Response>}
 */
export async function provingFetch(path, init) {
  if (key === null) return fetch(path, init);
  if (nonce === null || performance.now() - nonce.at > NONCE_MS) {
    keepNonce(await fetch('/app/start', { cache: 'no-store', credentials: 'omit', redirect: 'error' }));
  }
  const send = async () => {
    const dpop = await makeProof(key, init.method, path);
    const response = await fetch(path, { ...init, headers: { ...init.headers, dpop } });
    keepNonce(response);
    return response;
  };
  const response = await send();
  const isStale = /\buse_dpop_nonce\b/.test(response.headers.get('www-authenticate') ?? '');
  return isStale ? send() : response;
}
