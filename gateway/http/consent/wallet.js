/** Signing in with a wallet in the browser (EIP-1193), which signs the gateway's text (EIP-191). */
import { walletChallenge } from './interaction-api.js';

/** @typedef {{ request(call: { method: string, params?: unknown[] }): Promise<unknown> }} Wallet */
/** @typedef {{ method: 'wallet', address: string, nonce: string, signature: string }} WalletCredential */

const REFUSED_BY_USER = 4001;

/** @returns {Wallet | null} */
export function findWallet() {
  const wallet = /** @type {{ ethereum?: Wallet }} */ (window).ethereum;
  return typeof wallet?.request === 'function' ? wallet : null;
}

/** @param {string} text */
function hex(text) {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * @param {Wallet} wallet
 * @returns {Promise<{ ok: true, credential: WalletCredential } | { ok: false, message: string }>}
 */
export async function walletCredential(wallet) {
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' });
    const address = Array.isArray(accounts) ? String(accounts[0] ?? '') : '';
    const challenge = await walletChallenge(address);
    if (!challenge.ok) return { ok: false, message: 'The gateway gave no text to sign. Try again.' };
    const { nonce, message } = challenge.body;
    const signature = await wallet.request({ method: 'personal_sign', params: [hex(message), address] });
    return { ok: true, credential: { method: 'wallet', address, nonce, signature: String(signature) } };
  } catch (error) {
    const refused =
      typeof error === 'object' && error !== null && 'code' in error && error.code === REFUSED_BY_USER;
    return {
      ok: false,
      message: refused
        ? 'The wallet did not sign. Nothing happened.'
        : 'The wallet could not sign in. Try again.',
    };
  }
}
