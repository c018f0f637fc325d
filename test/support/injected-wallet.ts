/** A wallet in the page as its extension puts one there (EIP-1193), with a real key of the test behind it. */
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { hexToString } from 'viem/utils';

export type WalletAccount = ReturnType<typeof privateKeyToAccount>;

/** Signs a text as the wallet's user; null: refuses. */
export type Signer = (text: string) => Promise<string> | null;

export function newWallet(): WalletAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** Signs EIP-712 typed data as the wallet's user; null: refuses. */
export type TypedSigner = (
  typedData: Parameters<WalletAccount['signTypedData']>[0],
) => Promise<string> | null;

const ARBITRUM = '0xa4b1';

/** Call it before the page is loaded. */
export async function injectWallet(
  page: Page,
  { address }: Pick<WalletAccount, 'address'>,
  sign: Signer,
  signTyped: TypedSigner = () => null,
): Promise<void> {
  await page.exposeFunction('__wallet', async (method: string, params: readonly string[] = []) => {
    if (method === 'eth_requestAccounts') return [address];
    if (method === 'eth_chainId') return ARBITRUM;
    if (method === 'eth_signTypedData_v4') return signTyped(JSON.parse(params[1] ?? '{}'));
    return method === 'personal_sign' ? sign(hexToString(`0x${(params[0] ?? '').slice(2)}`)) : null;
  });
  await page.addInitScript(`window.ethereum = {
    async request({ method, params }) {
      const answer = await window.__wallet(method, params);
      if (answer === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      return answer;
    },
  };`);
}
