/** Signing in with a wallet from a browser extension; renders nothing where there is no wallet. */
import { Unauthorized } from '../../gateway/client/client.ts';
import { Button } from '../components/button.tsx';
import { ErrorState } from '../components/states.tsx';
import { useAction } from '../features/one-at-a-time/use-action.ts';
import { findWallet, WalletRefused } from '../features/wallet/wallet.ts';
import { signInWithWallet } from '../features/wallet/wallet-sign-in.ts';
import css from './gate.module.css';

/** @param onDone called once the gateway has signed the wallet in, as a new user if necessary */
export function WalletSignIn({
  onDone,
  setupCode = null,
}: {
  readonly onDone: () => Promise<void>;
  /** Needed where the gateway asks for a setup code. */
  readonly setupCode?: string | null;
}) {
  const wallet = findWallet();
  const signIn = useAction(async () => {
    if (wallet === null) return;
    await signInWithWallet(wallet, setupCode);
    await onDone();
  });
  if (wallet === null) return null;
  return (
    <>
      <p className={css['or']}>or</p>
      <Button wide busy={signIn.busy} onClick={() => void signIn.run()}>
        Sign in with your wallet
      </Button>
      {signIn.error !== null && <WalletProblem error={signIn.error} />}
    </>
  );
}

function WalletProblem({ error }: { readonly error: unknown }) {
  if (!(error instanceof WalletRefused || error instanceof Unauthorized))
    return (
      <div className={css['problem']}>
        <ErrorState compact error={error} />
      </div>
    );
  return (
    <p role="alert" className={css['walletProblem']}>
      {error instanceof WalletRefused ? error.message : `The gateway refused this wallet: ${error.message}.`}
    </p>
  );
}
