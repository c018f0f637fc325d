/** Adds a trade account: paper at once; live with credentials, or without them at first. */
import { useState } from 'react';
import { createTradeAccountRoute } from '../../../gateway/contract/trade-accounts.ts';
import { chooseAccount, useClient } from '../../api/session.ts';
import { moneyWord } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { PaperCaution } from '../../components/paper-caution.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { type Connector, credentialBody } from './account-words.ts';
import {
  type CredentialDraft,
  CredentialLines,
  emptyDraft,
  lineIssue,
  lineOf,
  useCredentialStore,
} from './credentials.tsx';
import { readAccountsAnew } from './read-accounts.ts';

export function CreateAccount({
  connectors,
  onClose,
}: {
  readonly connectors: readonly Connector[];
  readonly onClose: () => void;
}) {
  const client = useClient();
  const [alias, setAlias] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [withCredentials, setWithCredentials] = useState(true);
  const [typed, setTyped] = useState<{ readonly on: string; readonly draft: CredentialDraft } | null>(null);
  // The venues may load after the dialog has opened.
  const connectorId = chosen ?? connectors[0]?.id ?? '';
  const connector = connectors.find(({ id }) => id === connectorId);
  const isLive = connector?.mode === 'LIVE';
  const draft = typed?.on === connectorId ? typed.draft : emptyDraft(connector?.credentials);
  const asksCredentials = isLive && withCredentials;
  const canStore = useCredentialStore()?.refusal == null;
  const sending = useFormSend(
    {
      test: (path) => /^(alias|connector)$/.test(path) || lineOf(path, draft) !== undefined,
    },
    { settles: false },
  );
  const submit = async () => {
    const read = asksCredentials ? credentialBody(draft.lines) : null;
    if (read !== null && !('body' in read)) return sending.refuse([lineIssue(read)]);
    const body = {
      alias,
      connector: connectorId,
      ...(read === null ? {} : { credentials: read.body }),
    };
    return sending.send(createTradeAccountRoute.body, body, async () => {
      const made = await client.call('POST /trade-accounts', { body });
      await readAccountsAnew();
      // Only the user selects a live account, so that nothing trades there by itself.
      if (made.mode === 'PAPER') chooseAccount(made.id);
      say(made.mode === 'PAPER' ? `${made.alias} is there, and shown now` : `${made.alias} is there`, {
        kind: 'success',
        account: made,
      });
    });
  };
  return (
    <FormDialog
      title="Add a trade account"
      sending={sending}
      confirm="Add account"
      canSend={canStore || !asksCredentials}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        maxLength={48}
        value={alias}
        onChange={setAlias}
        error={sending.errors('alias')}
      />
      <SelectField
        label="Venue"
        options={connectors.map((one) => ({
          value: one.id,
          label: one.displayName,
          hint: moneyWord(one),
        }))}
        value={connectorId}
        onChange={setChosen}
        error={sending.errors('connector')}
      />
      {isLive ? (
        <>
          <Checkbox checked={withCredentials} onChange={setWithCredentials}>
            Store its credentials now
          </Checkbox>
          {withCredentials && (
            <CredentialLines
              value={draft}
              onChange={(next) => setTyped({ on: connectorId, draft: next })}
              errors={sending.errors}
            />
          )}
        </>
      ) : (
        <>
          <p className={layout['quiet']}>
            A paper account starts with 100,000 USDC of play money. It needs no credentials.
          </p>
          <PaperCaution className={layout['quiet'] ?? ''} />
        </>
      )}
    </FormDialog>
  );
}
