/** Sign-in, registration where it is open, and sign-in over a screen whose session has ended. */
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Unauthorized } from '../../gateway/client/client.ts';
import { loginBody, registerRoute } from '../../gateway/contract/auth.ts';
import { gateway } from '../api/client.ts';
import { desktop } from '../api/desktop.ts';
import { entered, useSession, useUser } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import layout from '../components/layout.module.css';
import { TextField } from '../components/text-field.tsx';
import { draftFields } from '../features/draft-fields/draft-fields.ts';
import { FormProblems } from '../features/form-dialog/form-problems.tsx';
import { type FormSend, useFormSend } from '../features/form-dialog/use-form-send.ts';
import css from './gate.module.css';
import { GatePage } from './gate-page.tsx';
import { setupCodeOfLink } from './setup-code.ts';
import { WalletSignIn } from './wallet-sign-in.tsx';

const FIELDS = /^(email|password|setupCode)$/;

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

/** Sign-in dialog over the screen, which keeps all typed text. */
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
      description="Sign in again to go on. What you typed is kept."
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
  /** Email of the user whose session ended; another user may sign in as well. */
  readonly email?: string;
  readonly password?: RefObject<HTMLInputElement | null>;
}) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A dialog sets the focus itself.
    if (!bare) first.current?.focus();
  }, [bare]);
  return (
    <>
      {!bare && <h1 className={css['title']}>Sign in</h1>}
      {!bare && <p className={css['intro']}>To this gateway, on this machine.</p>}
      <CredentialsForm
        email={email}
        first={first}
        password={password}
        passwordName="current-password"
        confirm="Sign in"
        onSend={(draft, { send }) =>
          send(loginBody, { method: 'email' as const, ...draft }, async (body) => {
            await gateway.call('POST /auth/login', { body });
            await entered();
          })
        }
      />
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

/** @param onDone after the gateway made the user and signed them in */
export function RegisterForm({ onDone }: { readonly onDone: () => Promise<void> }) {
  const asksSetupCode = useSession((facts) => facts.asksSetupCode);
  const [setupCode, setSetupCode] = useState(setupCodeOfLink);
  return (
    <>
      <h1 className={css['title']}>Create your user</h1>
      <p className={css['intro']}>
        The user stays on this machine. Nothing is sent anywhere, no mail either.
      </p>
      <CredentialsForm
        passwordName="new-password"
        confirm="Create user"
        onSend={(draft, { send }) => {
          const asked = { ...draft, ...(asksSetupCode ? { setupCode: setupCode.trim() } : {}) };
          return send(registerRoute.body, asked, async (body) => {
            await gateway.call('POST /auth/register', { body });
            await onDone();
          });
        }}
      >
        {({ errors }) =>
          asksSetupCode && (
            <TextField
              label="Setup code"
              error={errors('setupCode')}
              help="It stands where Tandem was started, and in the file setup-code of its data folder"
              name="setup-code"
              value={setupCode}
              onChange={setSetupCode}
            />
          )
        }
      </CredentialsForm>
      <WalletSignIn onDone={onDone} setupCode={asksSetupCode && setupCode !== '' ? setupCode.trim() : null} />
    </>
  );
}

function CredentialsForm({
  email = '',
  first,
  password,
  passwordName,
  confirm,
  onSend,
  children,
}: {
  readonly email?: string;
  readonly first?: RefObject<HTMLInputElement | null>;
  readonly password?: RefObject<HTMLInputElement | null> | undefined;
  readonly passwordName: 'current-password' | 'new-password';
  /** Verb on the button. */
  readonly confirm: string;
  readonly onSend: (
    draft: { readonly email: string; readonly password: string },
    sending: FormSend,
  ) => Promise<boolean>;
  /** Further fields. */
  readonly children?: (sending: FormSend) => ReactNode;
}) {
  const [draft, setDraft] = useState({ email, password: '' });
  const sending = useFormSend(FIELDS, { settles: false });
  const { text } = draftFields(draft, setDraft, sending.errors);
  const isWrong = sending.error instanceof Unauthorized;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSend(draft, sending);
  };
  return (
    <form className={layout['stack']} onSubmit={submit} noValidate>
      <TextField
        label="E-mail"
        {...(first === undefined ? {} : { ref: first })}
        type="email"
        autoComplete="username"
        {...text('email')}
      />
      <TextField
        label="Password"
        help={passwordName === 'new-password' ? 'At least 10 characters' : undefined}
        {...(password === undefined ? {} : { ref: password })}
        type="password"
        autoComplete={passwordName}
        {...text('password')}
        error={isWrong ? 'E-mail or password is wrong' : sending.errors('password')}
      />
      {!isWrong && <FormProblems sending={sending} />}
      {children?.(sending)}
      <Button type="submit" kind="primary" wide busy={sending.step !== 'idle'}>
        {confirm}
      </Button>
    </form>
  );
}
