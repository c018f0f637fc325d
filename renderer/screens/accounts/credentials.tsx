/**
 * Venue credentials go in and never come out here: what is typed is sent once and forgotten. The gateway asks the venue
 * before it keeps them.
 */
import { Plus, X } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { type TradeAccount, useClient } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import {
  type CredentialBody,
  type CredentialField,
  type CredentialLine,
  credentialBody,
  NO_LINE,
} from './account-words.ts';
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

/** Nothing typed yet. @param fields undefined: the venue does not say what it asks for */
export function emptyDraft(fields: readonly CredentialField[] | undefined): CredentialDraft {
  if (fields === undefined) return { lines: [{ ...NO_LINE, key: 0 }], next: 1 };
  const lines = fields.map((field, key) => ({ name: field.name, value: '', kind: field.kind, field, key }));
  return { lines, next: lines.length };
}

/** Which line is wrong, and how. */
export interface LineError {
  readonly line: number;
  readonly message: string;
}

/** The gateway names a field of the credentials by its name; which line that is. */
export function lineErrorOf(error: unknown, lines: readonly CredentialLine[]): LineError | null {
  if (!(error instanceof ValidationFailed)) return null;
  for (const { path, message } of error.fields) {
    const name = path.replace(/^credentials\./, '');
    const line = lines.findIndex((one) => one.name.trim() === name);
    if (line >= 0) return { line, message };
  }
  return null;
}

export function CredentialLines({
  draft,
  onChange,
  error,
  first,
}: {
  readonly draft: CredentialDraft;
  readonly onChange: (draft: CredentialDraft) => void;
  readonly error: LineError | null;
  /** The first input, for a dialog that begins there. */
  readonly first?: RefObject<HTMLInputElement | null>;
}) {
  const { lines, next } = draft;
  const change = (index: number, part: Partial<CredentialLine>) =>
    onChange({ next, lines: lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  const isDescribed = lines.every(({ field }) => field !== undefined);
  return (
    <fieldset className={css['lines']}>
      <legend>{isDescribed ? 'Credentials' : 'Credentials, as the venue names them'}</legend>
      {lines.map((line, index) =>
        line.field !== undefined ? (
          <Field
            key={line.key}
            label={line.field.label}
            help={line.field.hint ?? undefined}
            error={error?.line === index ? error.message : undefined}
          >
            <Input
              {...(first === undefined || index > 0 ? {} : { ref: first })}
              type={line.field.secret ? 'password' : 'text'}
              autoComplete={line.field.secret ? 'new-password' : 'off'}
              placeholder={line.kind === 'yes-no' ? 'yes or no' : undefined}
              value={line.value}
              invalid={error?.line === index}
              onChange={({ target }) => change(index, { value: target.value })}
            />
          </Field>
        ) : (
          <div key={line.key} className={css['line']}>
            <Input
              {...(first === undefined || index > 0 ? {} : { ref: first })}
              aria-label={`Name of field ${index + 1}`}
              placeholder="Name"
              value={line.name}
              invalid={error?.line === index}
              onChange={({ target }) => change(index, { name: target.value })}
            />
            <Input
              aria-label={`Value of field ${index + 1}`}
              placeholder="Value"
              type="password"
              autoComplete="new-password"
              value={line.value}
              invalid={error?.line === index}
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
            {error?.line === index && (
              <p className={css['lineError']} role="alert">
                {error.message}
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
      <p className={css['quiet']}>
        They are checked with the venue, kept in the keychain of this computer only, and never shown again.
        Use a key that cannot withdraw.
      </p>
    </fieldset>
  );
}

export function StoreCredentials({
  account,
  onClose,
}: {
  readonly account: TradeAccount;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const first = useRef<HTMLInputElement>(null);
  const connectors = useGet('GET /connectors', {}, { shared: true });
  const { credentials } = connectors.data?.connectors.find(({ id }) => id === account.connector) ?? {};
  const [typed, setTyped] = useState<CredentialDraft | null>(null);
  const draft = typed ?? emptyDraft(credentials);
  const [mistake, setMistake] = useState<LineError | null>(null);
  const store = useAction(async (body: CredentialBody) => {
    await client.call('PUT /trade-accounts/{id}/credentials', { params: { id: account.id }, body });
    await readAccountsAnew();
  });
  const refused = lineErrorOf(store.error, draft.lines);
  return (
    <Dialog
      open
      onClose={onClose}
      easyToClose={false}
      initialFocus={first}
      title={
        <>
          Credentials of <bdi>{account.alias}</bdi>
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" form="store-credentials" busy={store.busy}>
            Check and store
          </Button>
        </>
      }
    >
      <form
        id="store-credentials"
        className={css['form']}
        noValidate
        autoComplete="off"
        onSubmit={async (event) => {
          event.preventDefault();
          const read = credentialBody(draft.lines);
          if (!('body' in read)) {
            setMistake(read);
            return;
          }
          setMistake(null);
          if (!(await store.run(read.body))) return;
          say(`The venue accepts the credentials of ${account.alias}`, { kind: 'success' });
          onClose();
        }}
      >
        <CredentialLines first={first} draft={draft} onChange={setTyped} error={mistake ?? refused} />
        {store.error !== null && refused === null && <ErrorState compact error={store.error} />}
      </form>
    </Dialog>
  );
}
