/** A new password. Every other session ends with the old one. */
import { useState } from 'react';
import { passwordRoute } from '../../../gateway/contract/auth.ts';
import { gateway, queries } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { useCheckedForm } from '../../features/checked-form/use-checked-form.ts';
import css from './settings.module.css';

const EMPTY = { current: '', next: '', again: '' };

export function Password() {
  const user = useUser();
  const [draft, setDraft] = useState(EMPTY);
  const [differs, setDiffers] = useState(false);
  const form = useCheckedForm(
    passwordRoute.body,
    (path) => path === 'current' || path === 'next',
    async (body) => {
      await gateway.call('POST /auth/password', { body });
      setDraft(EMPTY);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'GET /auth/sessions' });
      say('The password is changed', { kind: 'success', detail: 'Every other session has ended.' });
    },
  );
  if (user !== null && user.email === null)
    return (
      <Panel title="Password">
        <p className={css['quiet']}>You sign in with a wallet: there is no password to change.</p>
      </Panel>
    );
  const change = (part: Partial<typeof EMPTY>) => setDraft({ ...draft, ...part });
  return (
    <Panel title="Change password">
      <form
        className={css['stack']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const { current, next, again } = draft;
          setDiffers(next !== again);
          if (next === again) void form.send({ current, next });
        }}
      >
        {/* Password managers look for whose password it is. */}
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={user?.email ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Field label="Current password" error={form.errorAt('current')}>
          <Input
            type="password"
            autoComplete="current-password"
            value={draft.current}
            onChange={({ target }) => change({ current: target.value })}
          />
        </Field>
        <div className={css['pair']}>
          <Field label="New password" help="10 to 128 characters" error={form.errorAt('next')}>
            <Input
              type="password"
              autoComplete="new-password"
              value={draft.next}
              onChange={({ target }) => change({ next: target.value })}
            />
          </Field>
          <Field label="Again" error={differs ? 'Not the same' : undefined}>
            <Input
              type="password"
              autoComplete="new-password"
              value={draft.again}
              onChange={({ target }) => change({ again: target.value })}
            />
          </Field>
        </div>
        {form.error !== null && <ErrorState compact error={form.error} />}
        <div>
          <Button type="submit" busy={form.busy}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
