/** Signing in, registering where that is open, and signing in again over a screen whose session ended. */
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { loginBody, registerRoute } from '../../gateway/contract/auth.ts';
import { gateway } from '../api/client.ts';
import { desktop } from '../api/desktop.ts';
import { entered, useSession, useUser } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, Input } from '../components/field.tsx';
import { ErrorState } from '../components/states.tsx';
import css from './gate.module.css';
import { GatePage } from './gate-page.tsx';
import { setupCodeOfLink } from './setup-code.ts';
import { type EntryForm, useEntryForm } from './use-entry-form.ts';
import { WalletSignIn } from './wallet-sign-in.tsx';

export function SignIn() {
  const registration = useSession((facts) => facts.registration);
  const [mode, setMode] = useState<'sign-in' | 'register'>('sign-in');
  return (
    <GatePage>
      {mode === 'sign-in' ? <SignInForm /> : <RegisterForm onDone={entered} />}
      {registration === 'open' && (
        <div className={css['buttons']}>
          <Button kind="ghost" onClick={() => setMode(mode === 'sign-in' ? 'register' : 'sign-in')}>
            {mode === 'sign-in' ? 'Create another user' : 'Sign in instead'}
          </Button>
        </div>
      )}
    </GatePage>
  );
}

/** What was typed on the screen behind it is still there afterwards. */
export function SessionExpired() {
  const email = useUser()?.email ?? '';
  const password = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      {...(email === '' ? {} : { initialFocus: password })}
      onClose={() => undefined}
      easyToClose={false}
      mustAnswer
      title="Your session has ended"
      description="Sign in again to go on. Nothing on this page is lost."
      size="small"
    >
      <SignInForm bare email={email} password={password} />
    </Dialog>
  );
}

function SignInForm({
  bare = false,
  email = '',
  password,
}: {
  readonly bare?: boolean;
  /** Whose session it was; another user may sign in as well. */
  readonly email?: string;
  readonly password?: RefObject<HTMLInputElement | null>;
}) {
  const form = useEntryForm(email);
  const body = { method: 'email' as const, email: form.email, password: form.password };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(loginBody, body, async () => {
      await gateway.call('POST /auth/login', { body });
      await entered();
    });
  };
  return (
    <>
      {!bare && <h1 className={css['title']}>Sign in</h1>}
      {!bare && <p className={css['intro']}>To this gateway, on this machine.</p>}
      <form className={css['form']} onSubmit={submit} noValidate>
        <Credentials
          form={form}
          passwordName="current-password"
          {...(password === undefined ? {} : { password })}
        />
        <Button type="submit" kind="primary" wide busy={form.busy}>
          Sign in
        </Button>
      </form>
      <WalletSignIn onDone={entered} />
      {!bare && !desktop.isDesktop && (
        <p className={css['aside']}>
          This browser stays signed in by a key that it keeps. If it was cleared, sign in again, or start
          Tandem with <code>tandem start --open</code>.
        </p>
      )}
    </>
  );
}

function Credentials({
  form,
  passwordName,
  password,
}: {
  readonly form: EntryForm;
  readonly passwordName: 'current-password' | 'new-password';
  readonly password?: RefObject<HTMLInputElement | null>;
}) {
  return (
    <>
      <Field label="E-mail" error={form.errors['email']}>
        <Input
          type="email"
          name="email"
          autoComplete="username"
          value={form.email}
          onChange={(event) => form.setEmail(event.currentTarget.value)}
        />
      </Field>
      <Field
        label="Password"
        error={form.errors['password']}
        help={passwordName === 'new-password' ? 'At least 10 characters' : undefined}
      >
        <Input
          {...(password === undefined ? {} : { ref: password })}
          type="password"
          name="password"
          autoComplete={passwordName}
          value={form.password}
          onChange={(event) => form.setPassword(event.currentTarget.value)}
        />
      </Field>
      {form.failure !== null && <ErrorState compact error={form.failure} />}
    </>
  );
}

/** @param onDone after the gateway made the user and signed them in */
export function RegisterForm({ onDone }: { readonly onDone: () => Promise<void> }) {
  const form = useEntryForm();
  const asksSetupCode = useSession((facts) => facts.asksSetupCode);
  const [setupCode, setSetupCode] = useState(setupCodeOfLink);
  const body = {
    email: form.email,
    password: form.password,
    ...(asksSetupCode ? { setupCode: setupCode.trim() } : {}),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(registerRoute.body, body, async () => {
      await gateway.call('POST /auth/register', { body });
      await onDone();
    });
  };
  return (
    <>
      <h1 className={css['title']}>Create your user</h1>
      <p className={css['intro']}>
        It lives on this machine only. Nothing is sent anywhere, and no mail is written to the address.
      </p>
      <form className={css['form']} onSubmit={submit} noValidate>
        <Credentials form={form} passwordName="new-password" />
        {asksSetupCode && (
          <Field
            label="Setup code"
            error={form.errors['setupCode']}
            help="It stands where Tandem was started, and in the file setup-code of its data folder"
          >
            <Input
              name="setup-code"
              autoComplete="off"
              spellCheck={false}
              value={setupCode}
              onChange={(event) => setSetupCode(event.currentTarget.value)}
            />
          </Field>
        )}
        <Button type="submit" kind="primary" wide busy={form.busy}>
          Create user
        </Button>
      </form>
      <WalletSignIn onDone={onDone} setupCode={asksSetupCode && setupCode !== '' ? setupCode.trim() : null} />
    </>
  );
}
