/**
 * Calls to the gateway that serves this page. Signing in, reading and deciding each prove this page's key, which the
 * session is bound to; the session's cookie alone authenticates nothing.
 */
import { provingFetch } from './key-proof.js';

/**
 * @typedef {object} Interaction
 * @property {string} uid
 * @property {{ name: 'login' | 'consent', details: { expiresAt: string, account?: Account } }} prompt
 * @property {{ client_id: string, redirect_uri: string, scope: string }} params
 * @property {{ clientId: string, clientName: string, redirectUris: string[] }} client
 */

/** @typedef {{ email: string | null, walletAddress: string | null }} Account */

/**
 * Terms of a mandate, as the gateway's contract says. The page shows some of them and hands on the others as they are.
 * @typedef {Record<string, unknown> & {
 *   maxSlippage: string | null,
 *   validUntil: string | null,
 *   lossStop: { usd: string, then: string } | null,
 *   approval: { when: string, aboveUsd: string | null, duplicates?: string },
 *   runaway?: { refusals: number | null, reopenings: number | null, feesUsd: string | null },
 *   manage: string,
 *   kinds: string[],
 *   rights: Record<string, boolean>,
 * }} Mandate
 */

/**
 * `caps` is what a live account is armed for; null: play money.
 * @typedef {{
 *   id: string,
 *   alias: string,
 *   money: 'PAPER' | 'TESTNET' | 'LIVE',
 *   venue: string,
 *   caps: { opens: boolean, perOrderUsd: string, totalUsd: string } | null,
 * }} TermsAccount
 */

/**
 * Choices of the page.
 * @typedef {object} Terms
 * @property {TermsAccount[]} accounts
 * @property {{ name: string, title: string, mandate: Mandate, sentences: string[] }[]} presets
 * @property {{ mandate: Mandate, sentences: string[] } | null} proposal
 * @property {{ id: string, connectedAt: string, active: boolean }[]} continues
 * @property {boolean} full
 * @property {{ id: string, name: string, connectedAt: string, lastSeenAt: string | null }[]} connected
 */

/**
 * Refusal by the gateway, or a call that got no answer.
 * @typedef {object} Refusal
 * @property {false} ok
 * @property {number} status 0: no answer came
 * @property {string} message
 * @property {string | null} requestId
 * @property {{ path: string, message: string }[]} details faults of single fields
 */

/**
 * @template T
 * @typedef {{ ok: true, body: T } | Refusal} Answer
 */

/** Longest wait for an answer: the gateway delays a sign-in after many failures by up to 5 s. */
const PATIENCE_MS = 20_000;

/**
 * @typedef {object} CallOptions
 * @property {object} [body]
 * @property {typeof provingFetch} [through] default: `fetch`, which sends no proof
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {CallOptions} [options]
 * @returns {Promise<Answer<any>>}
 */
async function call(method, path, { body, through = fetch } = {}) {
  try {
    const response = await through(path, {
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
    const details = Array.isArray(content?.details) ? content.details : [];
    const requestId = response.headers.get('x-request-id');
    return { ok: false, status: response.status, message, requestId, details };
  } catch {
    // Connection refused, cut off, timed out, or an answer of another program: the person sees one message for all.
    return { ok: false, status: 0, message: '', requestId: null, details: [] };
  }
}

/** @param {string} uid */
const interactionPath = (uid) => `/interaction/${encodeURIComponent(uid)}`;

/**
 * @param {string} uid
 * @returns {Promise<Answer<Interaction>>}
 */
export function readInteraction(uid) {
  return call('GET', interactionPath(uid), { through: provingFetch });
}

/**
 * Binds the request to an account, or renews the session of the account that it is bound to.
 * @param {string} uid
 * @param {object} credential as of `POST /auth/login`
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function signIn(uid, credential) {
  return call('POST', `${interactionPath(uid)}/login`, { body: credential, through: provingFetch });
}

/**
 * @param {string} uid
 * @returns {Promise<Answer<Terms>>}
 */
export function readTerms(uid) {
  return call('GET', `${interactionPath(uid)}/terms`, { through: provingFetch });
}

/**
 * Sentences of a mandate.
 * @param {string} uid
 * @param {Mandate} mandate
 * @param {boolean} isProposal
 * @returns {Promise<Answer<{ mandate: Mandate, sentences: string[] }>>}
 */
export function sayMandate(uid, mandate, isProposal) {
  const body = { mandate, ...(isProposal ? { asProposed: true } : {}) };
  return call('POST', `${interactionPath(uid)}/terms`, { body, through: provingFetch });
}

/**
 * @param {string} uid
 * @param {readonly string[]} scopes
 * @param {object} limits
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function confirm(uid, scopes, limits) {
  return call('POST', `${interactionPath(uid)}/confirm`, {
    body: { scopes, ...limits },
    through: provingFetch,
  });
}

/**
 * @param {string} uid
 * @returns {Promise<Answer<{ returnTo: string }>>}
 */
export function abort(uid) {
  return call('POST', `${interactionPath(uid)}/abort`, { through: provingFetch });
}

/**
 * Account of the desktop app's session; in a browser this page has no session but that of the request.
 * @returns {Promise<Answer<Account>>}
 */
export function readAccount() {
  return call('GET', '/auth/me');
}

/**
 * @param {string} address
 * @returns {Promise<Answer<{ nonce: string, message: string }>>}
 */
export function walletChallenge(address) {
  return call('POST', '/auth/nonce', { body: { address } });
}
