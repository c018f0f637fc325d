/** Makes a token that lets another program read the account at the venue. The token is shown once. */
import { useState } from 'react';
import type { Answer } from '../../../../gateway/client/client.ts';
import { createExchangeAuthToken } from '../../../../gateway/contract/exchange-setup.ts';
import { ModeBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import layout from '../../../components/layout.module.css';
import { SelectField } from '../../../components/select-field.tsx';
import { Time } from '../../../components/time.tsx';
import { FormDialog } from '../../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../../features/form-dialog/use-form-send.ts';
import { useFreshSession } from '../../../features/fresh-session/use-fresh-session.tsx';
import type { AccountDialogProps } from '../credentials.tsx';
import { atVenue, clientOf } from './use-setup.ts';

type Token = Answer<'POST /misc/exchange/create-auth-token'>;

const HOUR_MS = 3_600_000;
/** Token lifetimes. The venue takes 8 hours at most; without a lifetime the gateway requests the longest one. */
const HOURS = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '', label: 'Nearly 8 hours, the most' },
] as const;

export function VenueToken({ account, onClose }: AccountDialogProps) {
  const [hours, setHours] = useState<(typeof HOURS)[number]['value']>('1');
  const [made, setMade] = useState<Token | null>(null);
  const fresh = useFreshSession();
  const sending = useFormSend(/^deadline$/, { settles: false });
  const submit = async () => {
    const deadline = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    const body = { ...atVenue(account), ...(hours === '' ? {} : { deadline }) };
    await sending.send(createExchangeAuthToken.body, body, async () => {
      if (!(await fresh.prove())) return;
      setMade(await clientOf(account).call('POST /misc/exchange/create-auth-token', { body }));
    });
    // The dialog stays open to show the token.
    return false;
  };
  const title = (
    <>
      Token for <bdi>{account.alias}</bdi> at the venue
    </>
  );
  if (made !== null)
    return (
      <Dialog open onClose={onClose} title={title} actions={<Button onClick={onClose}>Close</Button>}>
        <div className={layout['stack']}>
          <p role="status">
            It is shown only here, and holds until <Time at={made.expiresAt} />. It cannot be taken back
            before.
          </p>
          <CodeBlock label="Token" text={made.token} copyLabel="Copy the token" />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      sending={sending}
      canSend={fresh.isKnown}
      confirm="Make a token"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <ModeBadge mode={account.mode} network={account.network} /> Anybody with the token can read this
        account at the venue until it expires: balances, positions, orders, trades. It cannot trade or
        withdraw.
      </p>
      <SelectField
        label="It holds for"
        options={HOURS}
        value={hours}
        onChange={setHours}
        error={sending.errors('deadline')}
      />
      {fresh.field}
    </FormDialog>
  );
}
