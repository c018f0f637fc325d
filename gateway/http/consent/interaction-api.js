/**
 * Calls of the gateway that serves this page. The session travels as a cookie that scripts cannot read; no token ever
 * reaches this page.
 */

/**
 * @typedef {object} Interaction
 * @property {string} uid
 * @property {{ name: 'login' | 'consent', details: { expiresAt: string } }} prompt
 * @property {{ client_id: string, redirect_uri: string, scope: string }} params
 * @property {{ clientId: string, clientName: string, redirectUris: string[] }} client
 */

/** @typedef {{ email: string | null, walletAddress: string | null }} Account */

/**
 * What the gateway said no to, or why it could not be asked.
 * @typedef {object} Refusal
 * @property {false} ok
 * @property {number} status 0: no answer came
 * @property {string} message
 * @property {string | null} requestId
 */

/**
 * @template T
 * @typedef {{ ok: true, body: T } | Refusal} Answer
 */

/** A sign-in after many failures is delayed by up to 5 s; a gateway that is silent for longer than this is away. */
const PATIENCE_MS = 20_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer<any>>}
 */
async function call(method, path, body) {
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const content = text === '' ? null : JSON.parse(text);
    if (response.ok) return { ok: true, body: content };
    const message = typeof content?.message === 'string' ? content.message : '';
    return { ok: false, status: response.status, message, requestId: response.headers.get('x-request-id') };
  } catch {
    // Refused, cut off, timed out or not ours: for the person here it is all the same.
    return { ok: false, status: 0, message: '', requestId: null };
  }
}

/** @param {string} uid */
const interactionPath = (uid) => `/interaction/${encodeURIComponent(uid)}`;

/**
 * @param {string} uid
 * @returns {Promise<Answer<Interaction>>}
 */
export function readInteraction(uid) {
  return call('GET', interactionPath(uid));
}

/**
 * Binds the request to an account, or renews the session of the account that it is bound to.
 * @param {string} uid
 * @param {object} credential as of `POST /auth/login`
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function signIn(uid, credential) {
  return call('POST', `${interactionPath(uid)}/login`, credential);
}

/**
 * @param {string} uid
 * @param {readonly string[]} scopes
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function confirm(uid, scopes) {
  return call('POST', `${interactionPath(uid)}/confirm`, { scopes });
}

/**
 * @param {string} uid
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function abort(uid) {
  return call('POST', `${interactionPath(uid)}/abort`);
}

/** @returns {Promise<Answer<Account>>} */
export function readAccount() {
  return call('GET', '/auth/me');
}

/**
 * @param {string} address
 * @returns {Promise<Answer<{ nonce: string, message: string }>>}
 */
export function walletChallenge(address) {
  return call('POST', '/auth/nonce', { address });
}
