/**
 * Asks the user to sign in again before money moves, unless they just did: a screen that was left open is not enough.
 * The new session replaces the page's own.
 */
import { type ReactNode, useState } from 'react';
import { Unauthorized } from '../../../gateway/client/client.ts';
import { gateway } from '../../api/client.ts';
import { useNow } from '../../api/clock.ts';
import { useGet } from '../../api/queries.ts';
import { useUser } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { TextField } from '../../components/text-field.tsx';
import { addressOf, findWallet, WalletRefused } from '../wallet/wallet.ts';
import { signInWithWallet } from '../wallet/wallet-sign-in.ts';

const FRESH_MS = 5 * 60_000;
const WRONG = 'This is not the password of the signed-in user';

export interface FreshSession {
  /** False: the age of the session is not known yet. */
  readonly isKnown: boolean;
  /** Field or note for signing in again; null: not needed. */
  readonly field: ReactNode;
  /** Signs in again if necessary. False: the password is missing or wrong, and the field says so. */
  readonly prove: () => Promise<boolean>;
}

export function useFreshSession(): FreshSession {
  const user = useUser();
  const sessions = useGet('GET /auth/sessions', {}, { shared: true, freshForMs: 0 });
  const now = useNow();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const current = sessions.data?.sessions.find((one) => one.current);
  const isFresh = current !== undefined && now - Date.parse(current.createdAt) < FRESH_MS;
  const prove = async () => {
    if (isFresh) return true;
    setError(null);
    if (user?.email == null) {
      await byWallet(user?.walletAddress ?? '');
      return true;
    }
    if (password === '') {
      setError('Type your password');
      return false;
    }
    try {
      await gateway.call('POST /auth/login', { body: { method: 'email', email: user.email, password } });
    } catch (refused) {
      if (!(refused instanceof Unauthorized)) throw refused;
      setError(WRONG);
      return false;
    }
    setPassword('');
    await sessions.refetch();
    return true;
  };
  const field =
    current === undefined || isFresh ? null : user?.email == null ? (
      <p className={layout['quiet']}>Your wallet is asked to sign you in again first.</p>
    ) : (
      <TextField
        label="Your password again"
        help="Signing in is more than five minutes ago"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={error ?? undefined}
      />
    );
  return { isKnown: current !== undefined, field, prove };
}

/** @throws WalletRefused with a message for the user; errors of the gateway */
async function byWallet(address: string): Promise<void> {
  const wallet = findWallet();
  if (wallet === null) throw new WalletRefused('This browser has no wallet to sign in with.');
  // Another address would sign in another user.
  const chosen = await addressOf(wallet, 'sign in');
  if (chosen.toLowerCase() !== address.toLowerCase())
    throw new WalletRefused(`Choose ${address} in the wallet: it is the one that you sign in with.`);
  await signInWithWallet(wallet, null);
}
