/** Accounts screen: trade accounts with their obstacles to trading, and the venues of this gateway. */
import { Plug, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useGet } from '../../api/queries.ts';
import { chooseAccount, type TradeAccount, useAccounts, useSession } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge, ModeBadge, moneyWord } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { useOpenedByLink } from '../../features/opened-by-link/use-opened-by-link.ts';
import { DifferencesBanner } from '../../features/venue-differences/differences-banner.tsx';
import { useDifferences } from '../../features/venue-differences/use-differences.ts';
import { AccountActions, type AccountTask, AccountTasks } from './account-actions.tsx';
import { ACCOUNT_STATUS, type Connector, checkDetail, checkName } from './account-words.ts';
import css from './accounts.module.css';
import { ConnectExchange } from './connect-exchange.tsx';
import { CreateAccount } from './create-account.tsx';
import { Venues } from './venues.tsx';

const ANEW_MS = 10_000;

export default function Accounts() {
  const accounts = useGet('GET /trade-accounts', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const connectors = useGet('GET /connectors', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const chosenId = useSession(({ accountId }) => accountId);
  const [isCreating, setCreating] = useOpenedByLink('add');
  const [isConnecting, setConnecting] = useState(false);
  const [task, setTask] = useState<AccountTask | null>(null);
  const venues = connectors.data?.connectors;
  const columns = useMemo(() => columnsOf(chosenId, venues ?? [], setTask), [chosenId, venues]);
  const live = connectors.data?.connectors.filter(({ mode }) => mode === 'LIVE') ?? [];
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setCreating(true)}>
      Add account
    </Button>
  );
  return (
    <Page
      title="Accounts"
      actions={
        <>
          {live.length > 0 && (
            <Button icon={<Plug />} onClick={() => setConnecting(true)}>
              Connect an exchange
            </Button>
          )}
          {create}
        </>
      }
    >
      <AccountDifferences />
      <Panel flush live title="Trade accounts">
        <Table
          label="Trade accounts"
          {...readTable(accounts, accounts.data?.tradeAccounts)}
          columns={columns}
          rowKey={({ id }) => id}
          detail={(account) => <Checks account={account} />}
          empty={
            <EmptyState title="No trade account" action={create}>
              A paper account starts with 100,000 USDC of play money and needs no credentials.
            </EmptyState>
          }
          natural
        />
      </Panel>
      <Venues query={connectors} />
      {isCreating && (
        <CreateAccount connectors={connectors.data?.connectors ?? []} onClose={() => setCreating(false)} />
      )}
      {isConnecting && (
        <ConnectExchange
          connectors={live}
          onConnected={(account) => setTask({ kind: 'arm', account })}
          onClose={() => setConnecting(false)}
        />
      )}
      {task !== null && (
        <AccountTasks key={`${task.kind} ${task.account.id}`} task={task} onClose={() => setTask(null)} />
      )}
    </Page>
  );
}

function columnsOf(
  chosenId: string | null,
  venues: readonly Connector[],
  start: (task: AccountTask) => void,
): readonly Column<TradeAccount>[] {
  const venueOf = ({ connector }: TradeAccount) => venues.find(({ id }) => id === connector);
  return [
    {
      id: 'alias',
      header: 'Name',
      sort: ({ alias }) => alias.toLowerCase(),
      cell: ({ id, alias }) => (
        <span className={layout['line']}>
          <bdi>{alias}</bdi>
          {id === chosenId && <Badge tone="accent">shown</Badge>}
        </span>
      ),
    },
    {
      id: 'mode',
      header: 'Mode',
      width: 90,
      sort: moneyWord,
      cell: ({ mode, network }) => <ModeBadge mode={mode} network={network} />,
    },
    // Same names as in the table of venues below.
    valueColumn('venue', 'Venue', (account) => venueOf(account)?.displayName ?? account.connector, {
      width: 140,
    }),
    valueColumn('status', 'Status', (account) => account.status, {
      width: 160,
      draw: (status) => <StatusBadge {...ACCOUNT_STATUS[status]} />,
    }),
    {
      id: 'checks',
      header: 'Checks',
      cell: ({ checks }) => {
        const failing = checks.filter(({ ok }) => !ok);
        if (failing.length === 0)
          return (
            <span className={layout['quiet']}>
              {checks.length} of {checks.length} fine
            </span>
          );
        return failing.map((check) => `${checkName(check.name)}: ${checkDetail(check)}`).join(' · ');
      },
    },
    timeColumn('created', 'Created', ({ createdAt }) => createdAt, { width: 130, style: 'date' }),
    actionsColumn(60, (account) => (
      <AccountActions
        account={account}
        isChosen={account.id === chosenId}
        hasSetup={venueOf(account)?.capabilities.includes('exchange_setup') === true}
        start={start}
      />
    )),
  ];
}

/** Differences that no basket explains, for all accounts. Each links to its own account's Positions screen. */
function AccountDifferences() {
  const accounts = useAccounts();
  const shownId = useSession(({ accountId }) => accountId);
  const [, go] = useLocation();
  return useDifferences().map((found) => {
    const account = accounts.find(({ id }) => id === found.tradeAccountId);
    const show = () => {
      if (found.tradeAccountId !== shownId) chooseAccount(found.tradeAccountId);
      go('/positions?differences');
    };
    return (
      <DifferencesBanner
        key={found.tradeAccountId}
        of={found}
        account={account}
        actions={<Button onClick={show}>Show on Positions</Button>}
      />
    );
  });
}

function Checks({ account }: { readonly account: TradeAccount }) {
  return (
    <ul className={css['checks']} aria-label={`Checks of ${account.alias}`}>
      {account.checks.map((check) => (
        <li key={`${check.name} ${check.detail}`} className={css['check']}>
          <StatusBadge text={check.ok ? 'Fine' : 'Failing'} tone={check.ok ? 'good' : 'bad'} />
          <span>{checkName(check.name)}</span>
          <span className={layout['quiet']}>{checkDetail(check)}</span>
        </li>
      ))}
      <li className={css['check']}>
        <span className={layout['quiet']}>ID</span>
        <span className={layout['quiet']}>
          <code>{account.id}</code>
        </span>
        {account.mode === 'LIVE' && (
          <span className={layout['quiet']}>
            At the venue:{' '}
            <code>{account.exchangeIdentifier === '' ? 'not known yet' : account.exchangeIdentifier}</code>
          </span>
        )}
      </li>
    </ul>
  );
}
