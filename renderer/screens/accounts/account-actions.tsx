/** Actions on one account: the menu of its row, and a dialog for each action. */
import {
  ArrowUpFromLine,
  Gauge,
  KeyRound,
  MoreHorizontal,
  Pencil,
  RotateCcw,
  ShieldCheck,
  ShieldOff,
  ShieldX,
  Stethoscope,
  TicketCheck,
  Trash2,
  View,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { changeTradeAccountRoute } from '../../../gateway/contract/trade-accounts.ts';
import { readAnew } from '../../api/queries.ts';
import { chooseAccount, type TradeAccount, useClient } from '../../api/session.ts';
import { IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Menu } from '../../components/menu.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { ArmAccount } from './arm-account.tsx';
import { CheckVenue } from './check-venue.tsx';
import { type AccountDialogProps, StoreCredentials } from './credentials.tsx';
import { readAccountsAnew } from './read-accounts.ts';
import { AccountTier } from './setup/account-tier.tsx';
import { VenueToken } from './setup/venue-token.tsx';
import { Withdraw } from './setup/withdraw.tsx';

export interface AccountTask {
  readonly kind:
    | 'rename'
    | 'reset'
    | 'remove'
    | 'credentials'
    | 'forget-credentials'
    | 'arm'
    | 'disarm'
    | 'check'
    | 'withdraw'
    | 'tier'
    | 'token';
  readonly account: TradeAccount;
}

export function AccountActions({
  account,
  isChosen,
  hasSetup,
  start,
}: {
  readonly account: TradeAccount;
  readonly isChosen: boolean;
  /** True: the venue sets accounts up through the gateway. */
  readonly hasSetup: boolean;
  readonly start: (task: AccountTask) => void;
}) {
  const isLive = account.mode === 'LIVE';
  const hasCredentials = isLive && account.status !== 'NO_CREDENTIALS';
  const item = (kind: AccountTask['kind'], label: string, icon: ReactNode, danger = false) => ({
    id: kind,
    label,
    icon,
    danger,
    onSelect: () => start({ kind, account }),
  });
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`Actions for ${account.alias}`} icon={<MoreHorizontal />} />}
      items={[
        {
          id: 'show',
          label: 'Show this account',
          icon: <View />,
          disabled: isChosen,
          onSelect: () => chooseAccount(account.id),
        },
        item('rename', 'Rename…', <Pencil />),
        isLive
          ? item('credentials', hasCredentials ? 'Replace credentials…' : 'Store credentials…', <KeyRound />)
          : item('reset', 'Reset to 100,000 USDC…', <RotateCcw />, true),
        ...(hasCredentials
          ? [
              item('check', 'Check…', <Stethoscope />),
              item('arm', 'Arm and caps…', <ShieldCheck />),
              item('disarm', 'Disarm…', <ShieldOff />),
            ]
          : []),
        ...(hasCredentials && hasSetup
          ? [
              { id: 'setup', separator: true as const },
              item('withdraw', 'Withdraw…', <ArrowUpFromLine />),
              item('tier', 'Account tier…', <Gauge />),
              item('token', 'Token for the venue…', <TicketCheck />),
            ]
          : []),
        { id: 'line', separator: true },
        ...(hasCredentials ? [item('forget-credentials', 'Remove credentials…', <ShieldX />, true)] : []),
        item('remove', 'Remove account…', <Trash2 />, true),
      ]}
    />
  );
}

/** The dialog of the chosen action. */
export function AccountTasks({
  task,
  onClose,
}: {
  readonly task: AccountTask;
  readonly onClose: () => void;
}) {
  const { kind, account } = task;
  switch (kind) {
    case 'rename':
      return <Rename account={account} onClose={onClose} />;
    case 'credentials':
      return <StoreCredentials account={account} onClose={onClose} />;
    case 'arm':
      return <ArmAccount account={account} onClose={onClose} />;
    case 'check':
      return <CheckVenue account={account} onClose={onClose} />;
    case 'withdraw':
      return <Withdraw account={account} onClose={onClose} />;
    case 'tier':
      return <AccountTier account={account} onClose={onClose} />;
    case 'token':
      return <VenueToken account={account} onClose={onClose} />;
    default:
      return <Confirmed kind={kind} account={account} onClose={onClose} />;
  }
}

function Rename({ account, onClose }: AccountDialogProps) {
  const client = useClient();
  const [alias, setAlias] = useState(account.alias);
  const sending = useFormSend(/^alias$/, { settles: false });
  const submit = () =>
    sending.send(changeTradeAccountRoute.body, { alias }, async (body) => {
      await client.call('PATCH /trade-accounts/{id}', { params: { id: account.id }, body });
      await readAccountsAnew();
    });
  return (
    <FormDialog
      account={account}
      title="Rename account"
      size="small"
      easyToClose
      sending={sending}
      confirm="Rename"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        maxLength={48}
        value={alias}
        onChange={setAlias}
        error={sending.errors('alias')}
      />
    </FormDialog>
  );
}

type Confirmable = Extract<AccountTask['kind'], 'reset' | 'remove' | 'disarm' | 'forget-credentials'>;

const ASKED: Readonly<
  Record<
    Confirmable,
    { readonly title: string; readonly verb: string; readonly text: string; readonly done: string }
  >
> = {
  reset: {
    title: 'Reset',
    verb: 'Reset account',
    text: 'The balance goes back to 100,000 USDC. Fills and closed trades stay in the history. It is refused while there are positions or working orders.',
    done: 'is back at 100,000 USDC',
  },
  remove: {
    title: 'Remove',
    verb: 'Remove account',
    text: 'The account and its stored credentials are removed from this gateway; nothing happens at the venue. Its alerts are cancelled with it. It is refused while there are positions or working orders.',
    done: 'is removed',
  },
  disarm: {
    title: 'Disarm',
    verb: 'Disarm account',
    text: 'Nothing opens on the account from now on. Positions and their stops stay, and everything still closes.',
    done: 'is not armed any more',
  },
  'forget-credentials': {
    title: 'Remove the credentials of',
    verb: 'Remove credentials',
    text: 'The gateway deletes them. The account cannot trade, and what waits on it does not fire, until new ones are stored.',
    done: 'has no credentials any more',
  },
};

function Confirmed({ kind, account, onClose }: AccountDialogProps & { readonly kind: Confirmable }) {
  const client = useClient();
  const { title, verb, text, done } = ASKED[kind];
  const work = async () => {
    const request = { params: { id: account.id } };
    if (kind === 'reset') await client.call('POST /trade-accounts/{id}/paper/reset', request);
    else if (kind === 'remove') await client.call('DELETE /trade-accounts/{id}', request);
    else if (kind === 'disarm') {
      await client.call('DELETE /trade-accounts/{id}/arming', request);
      await readAnew('GET /trade-accounts/{id}/arming');
    } else await client.call('DELETE /trade-accounts/{id}/credentials', request);
    await readAccountsAnew(kind === 'reset');
  };
  return (
    <ConfirmedAction
      account={account}
      work={work}
      done={`${account.alias} ${done}`}
      onClose={onClose}
      title={
        <>
          {title} <bdi>{account.alias}</bdi>?
        </>
      }
      confirm={verb}
    >
      <p className={layout['dim']}>{text}</p>
    </ConfirmedAction>
  );
}
