/** Top bar: account, mode, connection, equity, PnL of the day, notifications, commands and the Stop menu. */
import { Bell, Search } from 'lucide-react';
import { Link } from 'wouter';
import type { Answer } from '../../gateway/client/client.ts';
import { useAccountNow } from '../api/account-now.ts';
import { useConnection } from '../api/connection.ts';
import { useGet } from '../api/queries.ts';
import { chooseAccount, useAccounts, useMaybeAccount } from '../api/session.ts';
import { useSettings } from '../api/settings.ts';
import { Amount, Pnl } from '../components/amount.tsx';
import { ModeBadge } from '../components/badge.tsx';
import { formatMoney } from '../components/format.ts';
import { Select } from '../components/select.tsx';
import { Fresh, StaleNotice } from '../components/states.tsx';
import { AccountMenu } from './account-menu.tsx';
import css from './frame.module.css';
import { StopMenu } from './stop-menu.tsx';

const IS_MAC = navigator.platform.startsWith('Mac');

export function TopBar({ onPalette }: { readonly onPalette: () => void }) {
  const account = useMaybeAccount();
  return (
    <header className={css['bar']}>
      <div className={css['group']}>
        <AccountSwitcher />
        {account !== null && <ModeBadge mode={account.mode} network={account.network} />}
        <ConnectionState />
        <span className={css['age']}>
          <StaleNotice />
        </span>
      </div>
      {account !== null && (
        <Fresh className={css['now'] ?? ''}>
          <Figures />
        </Fresh>
      )}
      <div className={css['group']}>
        <button type="button" className={css['palette']} onClick={onPalette}>
          <Search aria-hidden="true" />
          <span>Search</span>
          <kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        {account !== null && <NewsBell />}
        <span className={css['user']}>
          <AccountMenu />
        </span>
        <StopMenu />
      </div>
    </header>
  );
}

function AccountSwitcher() {
  const accounts = useAccounts();
  const account = useMaybeAccount();
  if (accounts.length === 0) return null;
  return (
    <Select
      quiet
      label="Trade account"
      className={css['switcher'] ?? ''}
      value={account?.id ?? null}
      placeholder="Choose an account"
      onChange={chooseAccount}
      options={accounts.map((one) => ({
        value: one.id,
        label: one.alias,
        hint: one.connector,
        mark: <ModeBadge mode={one.mode} network={one.network} />,
      }))}
    />
  );
}

const CONNECTION_WORDS = { connecting: 'Connecting', live: 'Live data', lost: 'Reconnecting' } as const;

function ConnectionState() {
  const state = useConnection();
  return (
    <span
      className={css['connection']}
      data-state={state}
      role="status"
      title={state === 'lost' ? CONNECTION_WORDS.lost : undefined}
    >
      <span className={css['dot']} aria-hidden="true" />
      {CONNECTION_WORDS[state]}
    </span>
  );
}

/** Components of the day's PnL, for the tooltip over it. */
function useDayParts(day: Answer<'GET /portfolio'>['day']): string {
  const settings = useSettings();
  if (day == null) return 'Change of the equity since midnight UTC';
  const money = (value: string) => formatMoney(settings, value, 'always');
  return `Since midnight UTC: ${money(day.realizedPnl)} realised, with fees and funding; ${money(day.unrealizedPnl)} unrealised`;
}

function Figures() {
  const portfolio = useAccountNow();
  const day = portfolio.data?.day;
  return (
    <dl className={css['figures']}>
      <div>
        <dt>Equity</dt>
        <dd>
          <Amount value={portfolio.data?.equity} />
        </dd>
      </div>
      <div title={useDayParts(day)}>
        <dt>Day</dt>
        <dd>
          <Pnl value={day?.pnl} />
        </dd>
      </div>
      <div>
        <dt>Unrealised</dt>
        <dd>
          <Pnl value={portfolio.data?.unrealizedPnl} />
        </dd>
      </div>
    </dl>
  );
}

const MOST_COUNTED = 99;

function NewsBell() {
  const { data } = useGet('GET /notifications', { query: { scope: 'unread', limit: 100 } });
  const unread = data?.notifications.length ?? 0;
  const count = unread > MOST_COUNTED ? `${MOST_COUNTED}+` : String(unread);
  const label = unread === 0 ? 'Notifications' : `Notifications, ${count} unread`;
  return (
    <Link href="/notifications" className={css['bell']} aria-label={label} title={label}>
      <Bell aria-hidden="true" />
      {unread > 0 && (
        <span className={css['count']} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  );
}
