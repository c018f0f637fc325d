/** Signing in with a wallet, which signs the gateway's text (EIP-191). */
import { gateway } from '../../api/client.ts';
import { addressOf, signText, type Wallet } from './wallet.ts';

const SIGN_IN = 'sign in';

/**
 * @param setupCode where the gateway asks for one @throws WalletRefused with a message for the user; errors of the
 * gateway
 */
export async function signInWithWallet(wallet: Wallet, setupCode: string | null): Promise<void> {
  const address = await addressOf(wallet, SIGN_IN);
  const { nonce, message } = await gateway.call('POST /auth/nonce', { body: { address } });
  const signature = await signText(wallet, SIGN_IN, message, address);
  const body = { method: 'wallet' as const, address, nonce, signature };
  await gateway.call('POST /auth/login', {
    body: setupCode === null ? body : { ...body, setupCode },
  });
}
