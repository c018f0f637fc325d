/** A wallet from a browser extension (EIP-1193). */

export interface Wallet {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

const REFUSED_BY_USER = 4001;

/** Refusal or failure of the wallet; its message is for the user. */
export class WalletRefused extends Error {}

/** null: the browser has no wallet. */
export function findWallet(): Wallet | null {
  const found: unknown = Reflect.get(globalThis, 'ethereum');
  return typeof found === 'object' &&
    found !== null &&
    'request' in found &&
    typeof found.request === 'function'
    ? (found as Wallet)
    : null;
}

function wasRefused(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === REFUSED_BY_USER;
}

/** @param what the wallet is asked for, for the message of a failure: `sign in` @throws WalletRefused */
export async function askWallet(
  wallet: Wallet,
  what: string,
  method: string,
  params?: readonly unknown[],
): Promise<unknown> {
  try {
    return await wallet.request(params === undefined ? { method } : { method, params });
  } catch (error) {
    throw new WalletRefused(
      wasRefused(error)
        ? 'The wallet did not sign. Nothing happened.'
        : `The wallet could not ${what}. Try again.`,
      { cause: error },
    );
  }
}

/** The account that the wallet is set to; empty: it named none. @throws WalletRefused */
export async function addressOf(wallet: Wallet, what: string): Promise<string> {
  const accounts = await askWallet(wallet, what, 'eth_requestAccounts');
  return Array.isArray(accounts) ? String(accounts[0] ?? '') : '';
}

/** The wallet's signature of a text (EIP-191). @throws WalletRefused */
export async function signText(wallet: Wallet, what: string, text: string, address: string): Promise<string> {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'));
  return String(await askWallet(wallet, what, 'personal_sign', [`0x${bytes.join('')}`, address]));
}
