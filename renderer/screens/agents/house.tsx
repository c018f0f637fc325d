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
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import grid from '../../features/mandate-form/mandate-fields.module.css';
import { NumberFields } from '../../features/mandate-form/mandate-fields.tsx';
import { houseDraft, houseOf } from '../../features/mandate-form/mandate-form.ts';
import type { House } from './agent-words.ts';
import css from './agents.module.css';
import { LimitsDialog } from './limits-form.tsx';

export function HousePanel({ house }: { readonly house: House }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Limits over all agents"
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
  const { number, text } = draftFields(draft, setDraft, sending.errors);
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
    <LimitsDialog
      title="Limits over all agents"
      description="They apply on top of the limits of each agent and key. An empty field does not limit."
      sending={sending}
      before={houseSentences(house.limits)}
      after={checked.success ? houseSentences(limits) : null}
      password={text('password')}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={grid['grid']}>
        <NumberFields
          names={['maxOrderUsd', 'maxOpenedUsd24h', 'maxGrossUsd', 'maxPositions', 'maxResting']}
          number={(name) => number(name, `limits.${name}`)}
        />
        <TextField
          label="Loss in a day that stops all"
          after="USD"
          {...number('lossUsd24h', 'limits.lossUsd24h')}
        />
      </div>
    </LimitsDialog>
  );
}
