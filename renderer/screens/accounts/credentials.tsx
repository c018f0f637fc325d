/**
 * Form for venue credentials, which are never shown again: the typed values are sent once and forgotten. The gateway
 * checks them with the venue before it stores them.
 */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { storeCredentialsRoute } from '../../../gateway/contract/trade-accounts.ts';
import { useGet } from '../../api/queries.ts';
import { type TradeAccount, useClient } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import type { FormPart } from '../../features/draft-fields/draft-fields.ts';
import type { FieldIssue } from '../../features/field-errors/field-errors.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { storedIn } from '../../features/gateway-checks/check-words.ts';
import { type CredentialField, type CredentialLine, credentialBody, NO_LINE } from './account-words.ts';
import css from './accounts.module.css';
import { readAccountsAnew } from './read-accounts.ts';

const MOST_LINES = 16;
const KINDS = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'yes-no', label: 'Yes or no' },
] as const;

interface NumberedLine extends CredentialLine {
  readonly key: number;
}

export interface CredentialDraft {
  readonly lines: readonly NumberedLine[];
  readonly next: number;
}

/** An empty draft. @param fields undefined: the venue does not describe its credential fields */
export function emptyDraft(fields: readonly CredentialField[] | undefined): CredentialDraft {
  if (fields === undefined) return { lines: [{ ...NO_LINE, key: 0 }], next: 1 };
  const lines = fields.map((field, key) => ({ name: field.name, value: '', kind: field.kind, field, key }));
  return { lines, next: lines.length };
}

/** Converts a line's mistake to an issue of its form. */
export function lineIssue({
  line,
  message,
}: {
  readonly line: number;
  readonly message: string;
}): FieldIssue {
  return { path: `lines.${line}`, message };
}

/** Index of the line that an issue is about: the gateway refers to a credential field by its name. */
export function lineOf(path: string, { lines }: CredentialDraft): number | undefined {
  const name = path.replace(/^credentials\./, '');
  const line = lines.findIndex((one, index) => path === `lines.${index}` || one.name.trim() === name);
  return line >= 0 ? line : undefined;
}

/** Gateway's credential store, and its reason if it refuses to store; null: not known yet. */
export function useCredentialStore(): Answer<'GET /connectors'>['credentialStore'] | null {
  return useGet('GET /connectors', {}, { shared: true }).data?.credentialStore ?? null;
}

/** Shown in place of a form whose credentials would be refused. */
export function StoreRefusal({ text }: { readonly text: string }) {
  return (
    <p className={layout['problem']} role="alert">
      {text}.
    </p>
  );
}

export function CredentialLines({ value: { lines, next }, onChange, errors }: FormPart<CredentialDraft>) {
  const store = useCredentialStore();
  const change = (index: number, part: Partial<CredentialLine>) =>
    onChange({ next, lines: lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  const errorAt = (index: number, name: string) =>
    errors(`lines.${index}`) ?? errors(`credentials.${name}`) ?? errors(name);
  if (typeof store?.refusal === 'string') return <StoreRefusal text={store.refusal} />;
  const isDescribed = lines.every(({ field }) => field !== undefined);
  return (
    <fieldset className={css['lines']}>
      <legend>{isDescribed ? 'Credentials' : 'Credentials, as the venue names them'}</legend>
      {lines.map((line, index) =>
        line.field !== undefined ? (
          <TextField
            key={line.key}
            label={line.field.label}
            help={line.field.hint ?? undefined}
            type={line.field.secret ? 'password' : 'text'}
            autoComplete={line.field.secret ? 'new-password' : 'off'}
            placeholder={line.kind === 'yes-no' ? 'yes or no' : undefined}
            value={line.value}
            onChange={(value) => change(index, { value })}
            error={errorAt(index, line.name)}
          />
        ) : (
          <div key={line.key} className={css['line']}>
            <Input
              aria-label={`Name of field ${index + 1}`}
              placeholder="Name"
              value={line.name}
              invalid={errorAt(index, line.name.trim()) !== undefined}
              onChange={({ target }) => change(index, { name: target.value })}
            />
            <Input
              aria-label={`Value of field ${index + 1}`}
              placeholder="Value"
              type="password"
              autoComplete="new-password"
              value={line.value}
              invalid={errorAt(index, line.name.trim()) !== undefined}
              onChange={({ target }) => change(index, { value: target.value })}
            />
            <Select<CredentialLine['kind']>
              label={`Kind of field ${index + 1}`}
              options={KINDS}
              value={line.kind}
              onChange={(kind) => change(index, { kind })}
            />
            <IconButton
              label={`Remove field ${index + 1}`}
              icon={<X />}
              disabled={lines.length === 1}
              onClick={() => onChange({ next, lines: lines.filter((_, at) => at !== index) })}
            />
            {errorAt(index, line.name.trim()) !== undefined && (
              <p className={css['lineError']} role="alert">
                {errorAt(index, line.name.trim())}
              </p>
            )}
          </div>
        ),
      )}
      {!isDescribed && (
        <div>
          <Button
            kind="ghost"
            icon={<Plus />}
            disabled={lines.length >= MOST_LINES}
            onClick={() => onChange({ next: next + 1, lines: [...lines, { ...NO_LINE, key: next }] })}
          >
            Add field
          </Button>
        </div>
      )}
      <p className={layout['quiet']}>
        The venue checks them. They are stored {storedIn(store?.kind)} and never shown again. Use a key that
        cannot withdraw.
      </p>
    </fieldset>
  );
}

/** Properties of a dialog about one account. */
export interface AccountDialogProps {
  readonly account: TradeAccount;
  readonly onClose: () => void;
}

export function StoreCredentials({ account, onClose }: AccountDialogProps) {
  const client = useClient();
  const connectors = useGet('GET /connectors', {}, { shared: true });
  const { credentials } = connectors.data?.connectors.find(({ id }) => id === account.connector) ?? {};
  const [typed, setTyped] = useState<CredentialDraft | null>(null);
  const draft = typed ?? emptyDraft(credentials);
  const sending = useFormSend({ test: (path) => lineOf(path, draft) !== undefined }, { settles: false });
  const canStore = useCredentialStore()?.refusal == null;
  const submit = async () => {
    const read = credentialBody(draft.lines);
    if (!('body' in read)) return sending.refuse([lineIssue(read)]);
    return sending.send(storeCredentialsRoute.body, read.body, async (body) => {
      await client.call('PUT /trade-accounts/{id}/credentials', { params: { id: account.id }, body });
      await readAccountsAnew();
      say(`The venue accepts the credentials of ${account.alias}`, { kind: 'success', account });
    });
  };
  return (
    <FormDialog
      account={account}
      title={
        <>
          Credentials of <bdi>{account.alias}</bdi>
        </>
      }
      sending={sending}
      confirm="Check and store"
      canSend={canStore}
      onSubmit={submit}
      onClose={onClose}
    >
      <CredentialLines value={draft} onChange={setTyped} errors={sending.errors} />
    </FormDialog>
  );
}
