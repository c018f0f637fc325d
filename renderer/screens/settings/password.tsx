/** Form that changes the password. The change ends every other session of the user. */
import { useState } from 'react';
import { passwordRoute } from '../../../gateway/contract/auth.ts';
import { gateway } from '../../api/client.ts';
import { readAnew } from '../../api/queries.ts';
import { useUser } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import css from './settings.module.css';

const EMPTY = { current: '', next: '', again: '' };

export function Password() {
  const user = useUser();
  const [draft, setDraft] = useState(EMPTY);
  const sending = useFormSend(/^(current|next|again)$/, { settles: false });
  const { text } = draftFields(draft, setDraft, sending.errors);
  const submit = () => {
    const { current, next, again } = draft;
    if (next !== again)
      return sending.refuse([{ path: 'again', message: 'Not the same as the new password' }]);
    return sending.send(passwordRoute.body, { current, next }, async (body) => {
      await gateway.call('POST /auth/password', { body });
      setDraft(EMPTY);
      void readAnew('GET /auth/sessions');
      say('The password is changed', { kind: 'success', detail: 'Every other session has ended.' });
    });
  };
  if (user !== null && user.email === null)
    return (
      <Panel title="Password">
        <p className={layout['quiet']}>You sign in with a wallet: there is no password to change.</p>
      </Panel>
    );
  return (
    <Panel title="Change password">
      <form
        className={layout['stack']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {/* Password managers need the account's name. */}
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={user?.email ?? ''}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          {...text('current')}
        />
        <div className={css['pair']}>
          <TextField
            label="New password"
            help="10 to 128 characters"
            type="password"
            autoComplete="new-password"
            {...text('next')}
          />
          <TextField label="Repeat password" type="password" autoComplete="new-password" {...text('again')} />
        </div>
        <FormProblems sending={sending} />
        <div>
          <Button type="submit" busy={sending.step !== 'idle'}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
