/** Creates an API key and shows the key once: only this dialog holds the key, until the dialog closes. */
import { useState } from 'react';
import { createApiKeyRoute } from '../../../gateway/contract/api-keys.ts';
import { GATEWAY_ADDRESS } from '../../api/gateway-address.ts';
import { readAnew } from '../../api/queries.ts';
import { type TradeAccount, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { FieldGroup } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { RadioGroup } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { ShownOnce } from '../../features/shown-once/shown-once.tsx';
import css from './developers.module.css';
import { type KeyDraft, keyBody, LIVES, NEW_KEY } from './key-form.ts';

const SHOWN = /^(label|expiresAt|tradeAccountIds(\.\d+)?)$/;

export function CreateKey({
  accounts,
  onClose,
}: {
  readonly accounts: readonly TradeAccount[];
  readonly onClose: () => void;
}) {
  const client = useClient();
  const [draft, setDraft] = useState<KeyDraft>(NEW_KEY);
  const [key, setKey] = useState<string | null>(null);
  const sending = useFormSend(SHOWN, { settles: false });
  if (key !== null)
    return (
      <ShownOnce
        secret={key}
        title={`API key “${draft.label}”`}
        label="The API key"
        copy="Copy key"
        onClose={onClose}
      >
        <p className={layout['quiet']}>
          Try it: <code>export TANDEM_API_KEY=…</code>, then
        </p>
        <CodeBlock
          label="A call with the key"
          copyLabel="Copy"
          text={`curl ${GATEWAY_ADDRESS}/trade-accounts -H "x-api-key: $TANDEM_API_KEY"\n`}
        />
      </ShownOnce>
    );
  const { errors } = sending;
  const { choice, text } = draftFields(draft, setDraft, errors);
  const submit = async () => {
    await sending.send(createApiKeyRoute.body, keyBody(draft, Date.now()), async (body) => {
      setKey((await client.call('POST /api-keys', { body })).key);
      void readAnew('GET /api-keys');
    });
    // The form does not close the dialog, because the dialog now shows the created key instead.
    return false;
  };
  return (
    <FormDialog
      title="Create an API key"
      sending={sending}
      confirm="Create key"
      back={<Button onClick={onClose}>Cancel</Button>}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Label"
        help="The program that uses it, so that you know it again."
        maxLength={64}
        {...text('label')}
      />
      <FieldGroup legend="It may">
        <RadioGroup
          label="It may"
          {...choice('scope')}
          options={[
            { value: 'read', label: 'Read: positions, orders, fills, balances' },
            { value: 'read_write', label: 'Read and trade' },
          ]}
        />
        {draft.scope === 'read_write' && (
          <p role="status" className={layout['caution']}>
            It can also read the venue credentials that are stored here, decrypted, unless limits forbid it.
          </p>
        )}
      </FieldGroup>
      <FieldGroup legend="Accounts">
        <RadioGroup
          label="Accounts"
          value={draft.onlySome ? 'some' : 'all'}
          onChange={(which) => choice('onlySome').onChange(which === 'some')}
          options={[
            { value: 'all', label: 'All, also later ones' },
            { value: 'some', label: 'Only these', disabled: accounts.length === 0 },
          ]}
        />
        {draft.onlySome && (
          <div className={css['indented']}>
            {accounts.map(({ id, alias }) => (
              <Checkbox
                key={id}
                checked={draft.tradeAccountIds.includes(id)}
                onChange={(chosen) =>
                  choice('tradeAccountIds').onChange(
                    chosen
                      ? [...draft.tradeAccountIds, id]
                      : draft.tradeAccountIds.filter((one) => one !== id),
                  )
                }
              >
                {alias}
              </Checkbox>
            ))}
            {errors('tradeAccountIds') !== undefined && (
              <p role="alert" className={layout['problem']}>
                Choose at least one account.
              </p>
            )}
          </div>
        )}
      </FieldGroup>
      <SelectField
        label="Expires"
        options={LIVES}
        {...choice('life')}
        error={draft.life === 'date' ? undefined : errors('expiresAt')}
      />
      {draft.life === 'date' && (
        <TextField
          label="Last day"
          type="date"
          {...text('date', 'expiresAt')}
          error={errors('expiresAt') && 'A day from today on'}
        />
      )}
    </FormDialog>
  );
}
