/** A wallet from a browser extension (EIP-1193), which signs the gateway's text (EIP-191). */
import { gateway } from '../api/client.ts';

interface Wallet {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

const REFUSED_BY_USER = 4001;

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

function hex(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function wasRefused(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === REFUSED_BY_USER;
}

/**
 * @param setupCode where the gateway asks for one @throws WalletRefused with a message for the user; errors of the
 * gateway
 */
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
