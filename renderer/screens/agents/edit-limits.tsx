/** Changes the limits of one agent or key. Tighter limits apply at once; looser limits need the password. */
import { useState } from 'react';
import { changeMandate } from '../../../gateway/contract/agents.ts';
import { mandate } from '../../../gateway/contract/mandate.ts';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import { mandateSentences } from '../../../gateway/contract/mandate-words.ts';
import { MANDATE_KINDS, MANDATE_RIGHTS } from '../../../gateway/domain/enumerations.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccounts, useClient } from '../../api/session.ts';
import { ModeBadge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { draftOf, termsOf } from '../../features/mandate-form/mandate-form.ts';
import { type Agent, KIND_WORDS, RIGHT_WORDS } from './agent-words.ts';
import css from './agents.module.css';
import { LimitFields, LimitsDialog } from './limits-form.tsx';
import { namedAccounts } from './named-accounts.ts';

const SHOWN =
  /^(password|mandate\.(max\w+|lossStop\.usd|runaway\.\w+|approval\.aboveUsd|validUntil|accounts(\.\d+)?))$/;
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
  // Fixed while the dialog is open, so that the expiry does not move with the clock.
  const [now] = useState(() => Date.now());
  const [begun] = useState(() => agent.mandate?.terms ?? presetMandate('small_and_asked', accounts, now));
  const [draft, setDraft] = useState(() => draftOf(begun, now));
  const sending = useFormSend(SHOWN, { settles: false });
  const { choice, flag, number, text } = draftFields(draft, setDraft, sending.errors);
  const terms = termsOf(begun, draft, now);
  const checked = mandate.safeParse(terms);
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
    <LimitsDialog
      title={
        <>
          Limits of <bdi>{agent.name}</bdi>
        </>
      }
      description="Lower limits apply at once. An empty field does not limit."
      size="large"
      sending={sending}
      before={agent.mandate === null ? [] : mandateSentences(agent.mandate.terms, named)}
      after={checked.success ? mandateSentences({ ...terms, ...checked.data }, named) : null}
      password={text('password')}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={css['form']}>
        <LimitFields field={(name) => number(name, `mandate.${name}`)} />
        <TextField label="Leverage, at most" after="×" {...number('maxLeverage', 'mandate.maxLeverage')} />
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
        <TextField label="It may open for" after="days" {...number('days', 'mandate.validUntil')} />
        <TextField
          label="Stopped after refusals in an hour"
          {...number('refusals', 'mandate.runaway.refusals')}
        />
        <TextField
          label="Stopped after reopening in 10 minutes"
          after="times"
          {...number('reopenings', 'mandate.runaway.reopenings')}
        />
        <TextField
          label="Stopped at fees in an hour"
          after="USD"
          {...number('feesUsd', 'mandate.runaway.feesUsd')}
        />
        <Checkbox {...flag('asksSame')}>Ask me about the same order again within a minute</Checkbox>
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
    </LimitsDialog>
  );
}
