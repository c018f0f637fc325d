/** Changes what one agent or key may do. Less holds at once; more asks for the password. */
import { useState } from 'react';
import { changeMandate } from '../../../gateway/contract/agents.ts';
import { MANDATE_KINDS, MANDATE_RIGHTS, mandate } from '../../../gateway/contract/mandate.ts';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import { mandateSentences } from '../../../gateway/contract/mandate-words.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccounts, useClient } from '../../api/session.ts';
import { ModeBadge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { type Agent, KIND_WORDS, namedAccounts, RIGHT_WORDS } from './agent-words.ts';
import css from './agents.module.css';
import { Difference } from './difference.tsx';
import { draftOf, termsOf } from './mandate-form.ts';

const SHOWN = /^(password|mandate\.(max\w+|lossStop\.usd|approval\.aboveUsd|validUntil|accounts(\.\d+)?))$/;
const STOPS = [
  { value: 'SUSPEND', label: 'It is stopped' },
  { value: 'SUSPEND_AND_CLOSE', label: 'It is stopped and closed out' },
] as const;
const ASKS = [
  { value: 'always', label: 'Before every order' },
  { value: 'above', label: 'Above an amount' },
  { value: 'never', label: 'Never' },
] as const;

export function EditLimits({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const client = useClient();
  const accounts = useAccounts();
  const named = namedAccounts(accounts);
  // Fixed while the dialog is open: the end does not move with the clock.
  const [now] = useState(() => Date.now());
  const [begun] = useState(() => agent.mandate?.terms ?? presetMandate('small_and_asked', accounts, now));
  const [draft, setDraft] = useState(() => draftOf(begun, now));
  const sending = useFormSend(SHOWN, { settles: false });
  const { errors } = sending;
  const { choice, flag, number, text } = draftFields(draft, setDraft, errors);
  const terms = termsOf(begun, draft, now);
  const checked = mandate.safeParse(terms);
  const asksPassword = errors('password') !== undefined || draft.password !== '';
  const submit = () => {
    const body = {
      mandate: terms,
      ifVersion: agent.mandate?.version ?? 0,
      ...(draft.password === '' ? {} : { password: draft.password }),
    };
    return sending.send(changeMandate.body, body, async () => {
      await client.call('PUT /agents/{id}/mandate', { params: { id: agent.id }, body });
      await readAnew('GET /agents', 'GET /audit-log');
      say(`Limits of ${agent.name} are set`, { kind: 'success' });
    });
  };
  const within = <T,>(list: readonly T[], one: T, isIn: boolean) =>
    isIn ? [...list, one] : list.filter((other) => other !== one);
  return (
    <FormDialog
      title={
        <>
          Limits of <bdi>{agent.name}</bdi>
        </>
      }
      description="What you take away holds at once. An empty field does not limit."
      size="large"
      sending={sending}
      confirm="Set limits"
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={css['form']}>
        <TextField label="One order, at most" after="USD" {...number('maxOrderUsd', 'mandate.maxOrderUsd')} />
        <TextField
          label="Opened in 24 hours, at most"
          after="USD"
          {...number('maxOpenedUsd24h', 'mandate.maxOpenedUsd24h')}
        />
        <TextField
          label="Held and waiting, at most"
          after="USD"
          {...number('maxGrossUsd', 'mandate.maxGrossUsd')}
        />
        <TextField label="Leverage, at most" after="x" {...number('maxLeverage', 'mandate.maxLeverage')} />
        <TextField label="Positions, at most" {...number('maxPositions', 'mandate.maxPositions')} />
        <TextField label="Waiting orders, at most" {...number('maxResting', 'mandate.maxResting')} />
        <TextField
          label="Loss in a day that stops it"
          after="USD"
          {...number('lossUsd', 'mandate.lossStop.usd')}
        />
        <SelectField label="Then" options={STOPS} {...choice('lossThen')} />
        <SelectField label="You are asked" options={ASKS} {...choice('when')} />
        {draft.when === 'above' && (
          <TextField label="Asked above" after="USD" {...number('aboveUsd', 'mandate.approval.aboveUsd')} />
        )}
        <TextField label="Opens for" after="days" {...number('days', 'mandate.validUntil')} />
      </div>
      <div className={css['form']}>
        <FieldGroup legend="On these accounts">
          {accounts.map((account) => (
            <Checkbox
              key={account.id}
              checked={draft.accounts.includes(account.id)}
              onChange={(isIn) => choice('accounts').onChange(within(draft.accounts, account.id, isIn))}
            >
              {account.alias} <ModeBadge mode={account.mode} network={account.network} />
            </Checkbox>
          ))}
        </FieldGroup>
        <FieldGroup legend="It may">
          {MANDATE_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              checked={draft.kinds.includes(kind)}
              onChange={(isIn) => choice('kinds').onChange(within(draft.kinds, kind, isIn))}
            >
              {KIND_WORDS[kind]}
            </Checkbox>
          ))}
        </FieldGroup>
        <FieldGroup legend="It may also">
          <Checkbox
            checked={draft.manage === 'ALL'}
            onChange={(isAll) => choice('manage').onChange(isAll ? 'ALL' : 'OWN')}
          >
            Change and close what it did not place
          </Checkbox>
          <Checkbox {...flag('reduceOnly')}>Only make positions smaller</Checkbox>
          {MANDATE_RIGHTS.map((right) => (
            <Checkbox
              key={right}
              checked={draft.rights[right]}
              onChange={(has) => choice('rights').onChange({ ...draft.rights, [right]: has })}
            >
              {RIGHT_WORDS[right]}
            </Checkbox>
          ))}
        </FieldGroup>
      </div>
      <Difference
        before={agent.mandate === null ? [] : mandateSentences(agent.mandate.terms, named)}
        after={checked.success ? mandateSentences({ ...terms, ...checked.data }, named) : null}
      />
      {asksPassword && (
        <TextField
          label="Your password"
          help="This allows more than before."
          type="password"
          autoComplete="current-password"
          {...text('password')}
        />
      )}
    </FormDialog>
  );
}
