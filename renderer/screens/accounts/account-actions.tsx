/** What can be done with one account: the menu of its row, and the dialog of each thing in it. */
import { KeyRound, MoreHorizontal, Pencil, RotateCcw, ShieldX, Trash2, View } from 'lucide-react';
import { useRef, useState } from 'react';
import { changeTradeAccountRoute } from '../../../gateway/contract/trade-accounts.ts';
import { chooseAccount, type TradeAccount, useClient } from '../../api/session.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Menu } from '../../components/menu.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { useCheckedForm } from '../../features/checked-form/use-checked-form.ts';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import css from './accounts.module.css';
import { StoreCredentials } from './credentials.tsx';
import { readAccountsAnew } from './read-accounts.ts';

export interface AccountTask {
  readonly kind: 'rename' | 'reset' | 'remove' | 'credentials' | 'forget-credentials';
  readonly account: TradeAccount;
}

export function AccountActions({
  account,
  isChosen,
  start,
}: {
  readonly account: TradeAccount;
  readonly isChosen: boolean;
  readonly start: (task: AccountTask) => void;
}) {
  const begin = (kind: AccountTask['kind']) => () => start({ kind, account });
  const isLive = account.mode === 'LIVE';
  const hasCredentials = isLive && account.status !== 'NO_CREDENTIALS';
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
        { id: 'rename', label: 'Rename…', icon: <Pencil />, onSelect: begin('rename') },
        ...(isLive
          ? [
              {
                id: 'credentials',
                label: hasCredentials ? 'Replace credentials…' : 'Store credentials…',
                icon: <KeyRound />,
                onSelect: begin('credentials'),
              },
            ]
          : [
              { id: 'reset', label: 'Reset to 100,000 USDC…', icon: <RotateCcw />, onSelect: begin('reset') },
            ]),
        { id: 'line', separator: true },
        ...(hasCredentials
          ? [
              {
                id: 'forget',
                label: 'Remove credentials…',
                icon: <ShieldX />,
                danger: true,
                onSelect: begin('forget-credentials'),
              },
            ]
          : []),
        { id: 'remove', label: 'Remove account…', icon: <Trash2 />, danger: true, onSelect: begin('remove') },
      ]}
    />
  );
}

/** The dialog of the task. */
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
    default:
      return <Confirmed kind={kind} account={account} onClose={onClose} />;
  }
}

function Rename({ account, onClose }: { readonly account: TradeAccount; readonly onClose: () => void }) {
  const client = useClient();
  const first = useRef<HTMLInputElement>(null);
  const [alias, setAlias] = useState(account.alias);
  const form = useCheckedForm(
    changeTradeAccountRoute.body,
    (path) => path === 'alias',
    async (body) => {
      await client.call('PATCH /trade-accounts/{id}', { params: { id: account.id }, body });
      await readAccountsAnew();
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Rename account"
      initialFocus={first}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" form="rename-account" busy={form.busy}>
            Rename
          </Button>
        </>
      }
    >
      <form
        id="rename-account"
        className={css['form']}
        noValidate
        onSubmit={async (event) => {
          event.preventDefault();
          if (await form.send({ alias })) onClose();
        }}
      >
        <Field label="Name" error={form.errorAt('alias')}>
          <Input ref={first} value={alias} maxLength={48} onChange={({ target }) => setAlias(target.value)} />
        </Field>
        {form.error !== null && <ErrorState compact error={form.error} />}
      </form>
    </Dialog>
  );
}

type Confirmable = Exclude<AccountTask['kind'], 'rename' | 'credentials'>;

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
    text: 'The account and its stored credentials are removed from this gateway; nothing happens at the venue. It is refused while there are positions or working orders.',
    done: 'is removed',
  },
  'forget-credentials': {
    title: 'Remove the credentials of',
    verb: 'Remove credentials',
    text: 'They are deleted from the keychain. The account cannot trade, and what waits on it does not fire, until new ones are stored.',
    done: 'has no credentials any more',
  },
};

function Confirmed({
  kind,
  account,
  onClose,
}: {
  readonly kind: Confirmable;
  readonly account: TradeAccount;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const { title, verb, text, done } = ASKED[kind];
  const act = useAction(async () => {
    const request = { params: { id: account.id } };
    if (kind === 'reset') await client.call('POST /trade-accounts/{id}/paper/reset', request);
    else if (kind === 'remove') await client.call('DELETE /trade-accounts/{id}', request);
    else await client.call('DELETE /trade-accounts/{id}/credentials', request);
    await readAccountsAnew(kind === 'reset');
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={async () => {
        if (!(await act.run())) return;
        say(`${account.alias} ${done}`, { kind: 'success' });
        onClose();
      }}
      title={
        <>
          {title} <bdi>{account.alias}</bdi>?
        </>
      }
      confirm={verb}
      danger
      busy={act.busy}
      error={act.error}
    >
      <p className={css['words']}>{text}</p>
    </ConfirmDialog>
  );
}
