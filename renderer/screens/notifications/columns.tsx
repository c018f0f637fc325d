/** Columns of the table of notifications. */
import { Mail, MailOpen } from 'lucide-react';
import { useAccounts } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import type { Settings } from '../../api/settings-values.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { AccountMark, Badge, markOf } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import { formatNumber } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import {
  legsOf,
  type Notification,
  notificationText,
  weightOf,
} from '../../features/notification-text/notification-text.ts';
import css from './notifications.module.css';

/** @param isOneAccount true: narrow tables leave out the account, which gives its space to the text */
export function notificationColumns(
  onMark: (row: Notification) => void,
  zone: Settings['zone'],
  isOneAccount: boolean,
): readonly Column<Notification>[] {
  return [
    {
      id: 'state',
      header: '',
      label: 'Read or unread',
      width: 28,
      cell: ({ isRead }) => <State isRead={isRead} />,
    },
    {
      id: 'time',
      header: `Time (${zone === 'utc' ? 'UTC' : 'local'})`,
      width: 176,
      // On a card the time needs a full line: a third of one would break it.
      isText: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'account',
      header: 'Account',
      width: 150,
      ...(isOneAccount ? { priority: 1 } : {}),
      cell: (row) => <Of row={row} />,
    },
    { id: 'what', header: 'What', width: 210, isHead: true, cell: (row) => <What row={row} /> },
    { id: 'about', header: 'About', width: 160, isText: true, cell: (row) => <About row={row} /> },
    {
      id: 'detail',
      header: 'Detail',
      isText: true,
      cell: (row) => <Detail row={row} isRoomy={isOneAccount} />,
    },
    actionsColumn(40, (row) => (
      <IconButton
        label={row.isRead ? 'Mark unread' : 'Mark read'}
        icon={row.isRead ? <Mail /> : <MailOpen />}
        onClick={() => onMark(row)}
      />
    )),
  ];
}

function State({ isRead }: { readonly isRead: boolean }) {
  return (
    <>
      {!isRead && <span className={css['dot']} aria-hidden="true" />}
      <span className="visually-hidden">{isRead ? 'Read' : 'Unread'}</span>
    </>
  );
}

/** Account of a notification: the list has those of all accounts. */
function Of({ row }: { readonly row: Notification }) {
  const account = useAccounts().find(({ id }) => id === row.parameters.tradeAccountId);
  return account === undefined ? null : <AccountMark {...markOf(account)} />;
}

function What({ row }: { readonly row: Notification }) {
  const { title } = notificationText(row, String);
  return (
    <span className={classNames(layout['line'], !row.isRead && css['unread'])}>
      {title}
      {weightOf(row.category) === 'attention' && <Badge tone="warn">Check</Badge>}
    </span>
  );
}

function About({ row }: { readonly row: Notification }) {
  const legs = legsOf(row.parameters);
  if (legs.length === 0) return <span>{notificationText(row, String).subject}</span>;
  return <BasketLabel legs={legs.map(({ id, side }) => ({ symbol: id, side }))} />;
}

function Detail({ row, isRoomy }: { readonly row: Notification; readonly isRoomy: boolean }) {
  const settings = useSettings();
  const { detail } = notificationText(row, (level) => formatNumber(settings, plain(level), { maxDigits: 8 }));
  // An empty detail would be a label without a value on a card.
  if (detail === '') return null;
  return (
    <span className={classNames(css['detail'], isRoomy && css['roomy'])} title={detail}>
      <span>{detail}</span>
    </span>
  );
}

/** A JSON number as a decimal without an exponent. */
function plain(level: number): string {
  return level.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 });
}
