/** Screen on which a person proves who they are: a password, or a wallet where the browser has one. */
import { type FormEvent, useRef, useState } from 'react';
import type { Request } from '../../gateway/client/client.ts';
import { Refusal } from '../../gateway/client/errors.ts';
import type { InteractionBody } from '../../gateway/contract/oauth.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import layout from '../components/layout.module.css';
import { TextField } from '../components/text-field.tsx';
import { useAction } from '../features/one-at-a-time/use-action.ts';
import { addressOf, findWallet, signText, type Wallet, WalletRefused } from '../features/wallet/wallet.ts';
import { call, statusOf } from './interaction-api.ts';
import { shownName } from './plain-words.ts';
import { Screen } from './screen.tsx';
import { uid } from './start-page.tsx';

const params = { uid };
type Credential = Request<'POST /interaction/{uid}/login'>['body'];

const wallet = findWallet();

interface SignInProps {
  /** null: the request is bound to an account already, whose user has to sign in again. */
  readonly client: InteractionBody['client'] | null;
  readonly email: string;
  readonly onEmail: (typed: string) => void;
  readonly onSignedIn: (returnTo: string) => Promise<void>;
  /** `returnTo` null: nobody is signed in, so nobody can deny. */
  readonly onDenied: (returnTo: string | null) => void;
  /** For refusals that this screen has no text for. */
  readonly onRefused: (error: unknown) => Promise<void>;
}

/** State of the form, and calls to the gateway. */
function useSignIn({ email, onSignedIn, onDenied, onRefused }: SignInProps) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useAction((work: () => Promise<void>) => work().catch(onRefused));
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  async function use(body: Credential, words: (refusal: Refusal) => string): Promise<void> {
    try {
      const { returnTo } = await call('POST /interaction/{uid}/login', { params, body });
      await onSignedIn(returnTo);
    } catch (error) {
      if (!(error instanceof Refusal) || ![400, 401, 403].includes(error.status)) throw error;
      setProblem(words(error));
    } finally {
      setPassword('');
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const name = email.trim();
    if (name === '' || password === '') {
      setProblem('Enter your e-mail and your password.');
      (name === '' ? emailField : passwordField).current?.focus();
      return;
    }
    setProblem(null);
    void run(async () => {
      await use({ method: 'email', email: name, password }, ({ status }) =>
        status === 403 ? 'This request belongs to another account.' : 'E-mail or password is wrong.',
      );
      passwordField.current?.focus();
    });
  }

  async function signInWith(chosen: Wallet): Promise<void> {
    try {
      const address = await addressOf(chosen, 'sign in');
      const { nonce, message } = await call('POST /auth/nonce', { body: { address } }).catch(() => {
        throw new WalletRefused('The gateway gave no text to sign. Try again.');
      });
      const signature = await signText(chosen, 'sign in', message, address);
      await use(
        { method: 'wallet', address, nonce, signature },
        (refusal) => `The gateway refused this wallet: ${refusal.message}.`,
      );
    } catch (error) {
      if (!(error instanceof WalletRefused)) throw error;
      setProblem(error.message);
    }
  }

  async function refuse(): Promise<void> {
    try {
      onDenied((await call('POST /interaction/{uid}/abort', { params })).returnTo);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      onDenied(null);
    }
  }

  const signWith = (chosen: Wallet) => {
    setProblem(null);
    void run(() => signInWith(chosen));
  };
  const deny = () => void run(refuse);
  return { password, setPassword, problem, busy, emailField, passwordField, submit, signWith, deny };
}

export function SignIn(props: SignInProps) {
  const { client, email, onEmail } = props;
  const form = useSignIn(props);
  return (
    <Screen heading="Sign in to your gateway" focus={form.emailField}>
      {client === null ? (
        <p>
          This request waits for the account that it was begun with. Sign in with that account to decide about
          it.
        </p>
      ) : (
        <p>
          <strong>
            <bdi>{shownName(client)}</bdi>
          </strong>{' '}
          <Badge tone="warn">unverified</Badge> wants to connect. Nothing is allowed by signing in: you decide
          that in the next step.
        </p>
      )}
      <form id="login-form" method="post" className={layout['stack']} noValidate onSubmit={form.submit}>
        {form.problem !== null && (
          <p role="alert" className={layout['problem']}>
            {form.problem}
          </p>
        )}
        <TextField
          label="E-mail"
          ref={form.emailField}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          required
          value={email}
          onChange={onEmail}
        />
        <TextField
          label="Password"
          ref={form.passwordField}
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={form.password}
          onChange={form.setPassword}
        />
        <Button kind="primary" type="submit" wide disabled={form.busy}>
          {form.busy ? 'One moment…' : 'Sign in'}
        </Button>
        {wallet !== null && (
          <Button wide disabled={form.busy} onClick={() => form.signWith(wallet)}>
            Sign in with your wallet
          </Button>
        )}
      </form>
      <p className={layout['quiet']}>Your password goes to your gateway only. The agent never sees it.</p>
      {client !== null && (
        <Button kind="ghost" disabled={form.busy} onClick={form.deny}>
          Deny without signing in
        </Button>
      )}
    </Screen>
  );
}
