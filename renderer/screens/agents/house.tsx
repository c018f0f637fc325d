/** Limits over all agents together: shown as sentences, changed in a dialog. */
import { useState } from 'react';
import { changeHouseLimits } from '../../../gateway/contract/agents.ts';
import { houseLimits } from '../../../gateway/contract/mandate.ts';
import { houseSentences } from '../../../gateway/contract/mandate-words.ts';
import { readAnew } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import type { House } from './agent-words.ts';
import css from './agents.module.css';
import { Difference } from './difference.tsx';
import { houseDraft, houseOf } from './mandate-form.ts';

export function HousePanel({ house }: { readonly house: House }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Over all of them together"
      live
      actions={
        <Button kind="ghost" onClick={() => setOpen(true)}>
          Edit limits…
        </Button>
      }
    >
      <ul className={css['sentences']} aria-label="Limits over all agents">
        {houseSentences(house.limits).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {isOpen && <EditHouse house={house} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function EditHouse({ house, onClose }: { readonly house: House; readonly onClose: () => void }) {
  const client = useClient();
  const [draft, setDraft] = useState(() => houseDraft(house.limits));
  const sending = useFormSend(/^(password|limits\.\w+)$/, { settles: false });
  const { errors } = sending;
  const { number, text } = draftFields(draft, setDraft, errors);
  const limits = houseOf(draft);
  const checked = houseLimits.safeParse(limits);
  const submit = () => {
    const body = {
      limits,
      ifVersion: house.version,
      ...(draft.password === '' ? {} : { password: draft.password }),
    };
    return sending.send(changeHouseLimits.body, body, async () => {
      await client.call('PUT /agents/limits', { body });
      await readAnew('GET /agents', 'GET /audit-log');
      say('Limits over all agents are set', { kind: 'success' });
    });
  };
  return (
    <FormDialog
      title="Limits over all agents"
      description="They bind beside the limits of each agent and key. An empty field does not limit."
      sending={sending}
      confirm="Set limits"
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={css['form']}>
        <TextField label="One order, at most" after="USD" {...number('maxOrderUsd', 'limits.maxOrderUsd')} />
        <TextField
          label="Opened in 24 hours, at most"
          after="USD"
          {...number('maxOpenedUsd24h', 'limits.maxOpenedUsd24h')}
        />
        <TextField
          label="Held and waiting, at most"
          after="USD"
          {...number('maxGrossUsd', 'limits.maxGrossUsd')}
        />
        <TextField
          label="Loss in a day that stops all"
          after="USD"
          {...number('lossUsd24h', 'limits.lossUsd24h')}
        />
        <TextField label="Positions, at most" {...number('maxPositions', 'limits.maxPositions')} />
        <TextField label="Waiting orders, at most" {...number('maxResting', 'limits.maxResting')} />
      </div>
      <Difference
        before={houseSentences(house.limits)}
        after={checked.success ? houseSentences(limits) : null}
      />
      {(errors('password') !== undefined || draft.password !== '') && (
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
