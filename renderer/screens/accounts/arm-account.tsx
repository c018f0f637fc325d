/** Lets a live account open positions, up to its caps. Closing is never limited. */
import { useState } from 'react';
import { armAccount } from '../../../gateway/contract/account-limits.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { ModeBadge } from '../../components/badge.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { TextField } from '../../components/text-field.tsx';
import { say } from '../../components/toast.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import type { AccountDialogProps } from './credentials.tsx';

const FIELDS = /^(alias|perOrderUsd|totalUsd|dayLossUsd)$/;

interface Draft {
  readonly perOrderUsd: string;
  readonly totalUsd: string;
  readonly dayLossUsd: string;
  readonly apiKeys: boolean;
  readonly grants: boolean;
}

export function ArmAccount({ account, onClose }: AccountDialogProps) {
  const client = useClient();
  const params = { id: account.id };
  const arming = useGet('GET /trade-accounts/{id}/arming', { params }, { shared: true, freshForMs: 0 });
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const [alias, setAlias] = useState('');
  const sending = useFormSend(FIELDS, { settles: false });
  const known = arming.data;
  const draft: Draft = {
    perOrderUsd: known?.perOrderUsd ?? '',
    totalUsd: known?.totalUsd ?? '',
    dayLossUsd: known?.dayLossUsd ?? '',
    apiKeys: known?.allow.apiKeys ?? false,
    grants: known?.allow.grants ?? false,
    ...typed,
  };
  const set = (part: Partial<Draft>) => setTyped({ ...typed, ...part });
  const submit = () => {
    const { perOrderUsd, totalUsd, dayLossUsd, apiKeys, grants } = draft;
    const body = {
      alias,
      perOrderUsd,
      totalUsd,
      dayLossUsd: dayLossUsd.trim() === '' ? null : dayLossUsd,
      allow: { apiKeys, grants },
    };
    return sending.send(armAccount.body, body, async () => {
      await client.call('PUT /trade-accounts/{id}/arming', { params, body });
      await readAnew('GET /trade-accounts/{id}/arming');
      say(`${account.alias} is armed`, { kind: 'success', account });
    });
  };
  return (
    <FormDialog
      title={
        <>
          Arm <bdi>{account.alias}</bdi>
        </>
      }
      sending={sending}
      canSend={known !== undefined}
      confirm={known?.armed === true ? 'Change the caps' : 'Arm account'}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <ModeBadge mode={account.mode} network={account.network} /> Orders may then open positions on this
        account, up to the caps. Closing is never limited.
      </p>
      <TextField
        label="Largest order, USD"
        numeric
        value={draft.perOrderUsd}
        onChange={(perOrderUsd) => set({ perOrderUsd })}
        error={sending.errors('perOrderUsd')}
      />
      <TextField
        label="Open in all, USD"
        numeric
        value={draft.totalUsd}
        onChange={(totalUsd) => set({ totalUsd })}
        error={sending.errors('totalUsd')}
      />
      <TextField
        label="Loss of a day after which nothing opens, USD (empty: no limit)"
        numeric
        value={draft.dayLossUsd}
        onChange={(dayLossUsd) => set({ dayLossUsd })}
        error={sending.errors('dayLossUsd')}
      />
      <Checkbox checked={draft.apiKeys} onChange={(apiKeys) => set({ apiKeys })}>
        API keys may open positions too
      </Checkbox>
      <Checkbox checked={draft.grants} onChange={(grants) => set({ grants })}>
        Connected agents may open positions too
      </Checkbox>
      {arming.error !== null && (
        <ErrorState error={arming.error} onRetry={() => void arming.refetch()} compact />
      )}
      <TextField
        label={`Type the account's name, ${account.alias}, to arm it`}
        value={alias}
        onChange={setAlias}
        error={sending.errors('alias')}
      />
      <p className={layout['quiet']}>Disarm it at any time: nothing opens any more, closing still works.</p>
    </FormDialog>
  );
}
