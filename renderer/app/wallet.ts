/** A wallet that an extension put into the page (EIP-1193): the gateway's text, signed (EIP-191). */
import { gateway } from '../api/client.ts';

interface Wallet {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

const REFUSED_BY_USER = 4001;

export class WalletRefused extends Error {}

/** null: there is none. */
export function findWallet(): Wallet | null {
  const found: unknown = Reflect.get(globalThis, 'ethereum');
  return typeof found === 'object' &&
    found !== null &&
    'request' in found &&
    typeof found.request === 'function'
    ? (found as Wallet)
    : null;
}

function hex(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function wasRefused(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === REFUSED_BY_USER;
}

/** @param setupCode where it is asked for @throws WalletRefused in words for its user; what the gateway says */
export async function signInWithWallet(wallet: Wallet, setupCode: string | null): Promise<void> {
  const ask = async (method: string, params?: readonly unknown[]) => {
    try {
      return await wallet.request(params === undefined ? { method } : { method, params });
    } catch (error) {
      throw new WalletRefused(
        wasRefused(error)
          ? 'The wallet did not sign. Nothing happened.'
          : 'The wallet could not sign in. Try again.',
        { cause: error },
      );
    }
  };
  const accounts = await ask('eth_requestAccounts');
  const address = Array.isArray(accounts) ? String(accounts[0] ?? '') : '';
  const { nonce, message } = await gateway.call('POST /auth/nonce', { body: { address } });
  const signature = String(await ask('personal_sign', [hex(message), address]));
  const body = { method: 'wallet' as const, address, nonce, signature };
  await gateway.call('POST /auth/login', {
    body: setupCode === null ? body : { ...body, setupCode },
  });
}
