/** Moves the account at the venue to another tier. The venue's rule is shown before the request. */
import { useState } from 'react';
import { changeAccountTier } from '../../../../gateway/contract/exchange-setup.ts';
import { ModeBadge } from '../../../components/badge.tsx';
import layout from '../../../components/layout.module.css';
import { RadioGroup } from '../../../components/radio.tsx';
import { say } from '../../../components/toast.tsx';
import { FormDialog } from '../../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../../features/form-dialog/use-form-send.ts';
import { useFreshSession } from '../../../features/fresh-session/use-fresh-session.tsx';
import type { AccountDialogProps } from '../credentials.tsx';
import { atVenue, clientOf } from './use-setup.ts';

const TIERS = [
  { value: 'standard', label: 'Standard: no fees, 60 requests and 60 transactions a minute' },
  { value: 'plus', label: 'Plus: fees, larger limits' },
  { value: 'premium', label: 'Premium: fees, the largest limits' },
] as const;

export function AccountTier({ account, onClose }: AccountDialogProps) {
  const [tier, setTier] = useState<(typeof TIERS)[number]['value']>('standard');
  const fresh = useFreshSession();
  const sending = useFormSend(/^$/, { settles: false });
  const submit = async () => {
    const body = { ...atVenue(account), tier };
    let isDone = false;
    await sending.send(changeAccountTier.body, body, async () => {
      if (!(await fresh.prove())) return;
      const changed = await clientOf(account).call('POST /misc/exchange/change-account-tier', { body });
      isDone = true;
      say(`${account.alias} is ${changed.tier} now`, { kind: 'success', account });
    });
    return isDone;
  };
  return (
    <FormDialog
      title={
        <>
          Tier of <bdi>{account.alias}</bdi>
        </>
      }
      sending={sending}
      canSend={fresh.isKnown}
      confirm="Change the tier"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <ModeBadge mode={account.mode} network={account.network} /> The venue changes the tier of an account
        once in 24 hours, and only while it holds no positions and no open orders. It decides on fees and
        limits.
      </p>
      <RadioGroup label="Tier" options={TIERS} value={tier} onChange={setTier} />
      {fresh.field}
      <p className={layout['quiet']}>
        The gateway keeps within the limits of the standard tier, whatever the account has.
      </p>
    </FormDialog>
  );
}
