/** Adds a trade account: paper at once, live with its credentials or without them for now. */
import { useRef, useState } from 'react';
import { createTradeAccountRoute } from '../../../gateway/contract/trade-accounts.ts';
import { chooseAccount, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import { PaperCaution } from '../../components/paper-caution.tsx';
import { Select } from '../../components/select.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { useCheckedForm } from '../../features/checked-form/use-checked-form.ts';
import { type Connector, type CredentialBody, credentialBody } from './account-words.ts';
import css from './accounts.module.css';
import {
  type CredentialDraft,
  CredentialLines,
  emptyDraft,
  type LineError,
  lineErrorOf,
} from './credentials.tsx';
import { readAccountsAnew } from './read-accounts.ts';

const FORM = 'create-account';

export function CreateAccount({
  connectors,
  onClose,
}: {
  readonly connectors: readonly Connector[];
  readonly onClose: () => void;
}) {
  const client = useClient();
  const first = useRef<HTMLInputElement>(null);
  const [alias, setAlias] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [withCredentials, setWithCredentials] = useState(true);
  const [typed, setTyped] = useState<{ readonly on: string; readonly draft: CredentialDraft } | null>(null);
  const [mistake, setMistake] = useState<LineError | null>(null);
  // The venues may come after the dialog was opened.
  const connectorId = chosen ?? connectors[0]?.id ?? '';
  const connector = connectors.find(({ id }) => id === connectorId);
  const isLive = connector?.mode === 'LIVE';
  const draft = typed?.on === connectorId ? typed.draft : emptyDraft(connector?.credentials);
  const form = useCheckedForm(
    createTradeAccountRoute.body,
    (path) => path === 'alias' || path === 'connector',
    async (body) => {
      const made = await client.call('POST /trade-accounts', { body });
      await readAccountsAnew();
      chooseAccount(made.id);
      say(`${made.alias} is there, and shown now`, { kind: 'success' });
    },
  );
  const refused = lineErrorOf(form.error, draft.lines);
  const submit = async () => {
    let credentials: CredentialBody | undefined;
    setMistake(null);
    if (isLive && withCredentials) {
      const read = credentialBody(draft.lines);
      if (!('body' in read)) {
        setMistake(read);
        return;
      }
      credentials = read.body;
    }
    const body = { alias, connector: connectorId, ...(credentials === undefined ? {} : { credentials }) };
    if (await form.send(body)) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      easyToClose={false}
      title="Add a trade account"
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" form={FORM} busy={form.busy}>
            Add account
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className={css['form']}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label="Name" error={form.errorAt('alias')}>
          <Input ref={first} value={alias} maxLength={48} onChange={({ target }) => setAlias(target.value)} />
        </Field>
        <Field label="Venue" error={form.errorAt('connector')}>
          <Select
            options={connectors.map(({ id, displayName, mode }) => ({
              value: id,
              label: displayName,
              hint: mode,
            }))}
            value={connectorId}
            onChange={setChosen}
          />
        </Field>
        {isLive ? (
          <>
            <Checkbox checked={withCredentials} onChange={setWithCredentials}>
              Store its credentials now
            </Checkbox>
            {withCredentials && (
              <CredentialLines
                draft={draft}
                onChange={(next) => setTyped({ on: connectorId, draft: next })}
                error={mistake ?? refused}
              />
            )}
          </>
        ) : (
          <>
            <p className={css['quiet']}>
              A paper account starts with 100,000 USDC of play money. It needs no credentials.
            </p>
            <PaperCaution className={css['quiet'] ?? ''} />
          </>
        )}
        {form.error !== null && refused === null && <ErrorState compact error={form.error} />}
      </form>
    </Dialog>
  );
}
