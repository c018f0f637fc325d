/** Changes the limits of one agent or key. Tighter limits apply at once; looser limits need the password. */
import { useState } from 'react';
import { changeMandate } from '../../../gateway/contract/agents.ts';
import { mandate } from '../../../gateway/contract/mandate.ts';
import { presetMandate } from '../../../gateway/contract/mandate-presets.ts';
import { mandateSentences } from '../../../gateway/contract/mandate-words.ts';
import { readAnew } from '../../api/queries.ts';
import { useAccounts, useClient } from '../../api/session.ts';
import { ModeBadge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { FieldGroup } from '../../components/field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { within as errorsWithin } from '../../features/field-errors/field-errors.ts';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { MainLimits, MoreLimits, Permissions, within } from '../../features/mandate-form/mandate-fields.tsx';
import { draftOf, termsOf } from '../../features/mandate-form/mandate-form.ts';
import type { Agent } from './agent-words.ts';
import { LimitsDialog } from './limits-form.tsx';
import { namedAccounts } from './named-accounts.ts';

const SHOWN =
  /^(password|mandate\.(max\w+|lossStop\.usd|runaway\.\w+|approval\.aboveUsd|validUntil|accounts(\.\d+)?))$/;
export function EditLimits({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const client = useClient();
  const accounts = useAccounts();
  const named = namedAccounts(accounts);
  // Fixed while the dialog is open, so that the expiry does not move with the clock.
  const [now] = useState(() => Date.now());
  const [begun] = useState(() => agent.mandate?.terms ?? presetMandate('small_and_asked', accounts, now));
  const [draft, setDraft] = useState(() => draftOf(begun, now));
  const sending = useFormSend(SHOWN, { settles: false });
  const { text } = draftFields(draft, setDraft, sending.errors);
  const controls = draftFields(draft, setDraft, errorsWithin(sending.errors, 'mandate'), 'mandate.');
  const { choice, flag } = controls;
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
      <MainLimits {...controls} Select={SelectField} />
      <MoreLimits {...controls} />
      <FieldGroup legend="On these accounts">
        {accounts.map(({ id, alias, mode, network }) => (
          <Checkbox
            key={id}
            checked={draft.accounts.includes(id)}
            onChange={(isIn) => choice('accounts').onChange(within(draft.accounts, id, isIn))}
          >
            {alias} <ModeBadge mode={mode} network={network} />
          </Checkbox>
        ))}
      </FieldGroup>
      <Permissions {...controls}>
        <Checkbox {...flag('reduceOnly')}>Only make positions smaller</Checkbox>
      </Permissions>
    </LimitsDialog>
  );
}
