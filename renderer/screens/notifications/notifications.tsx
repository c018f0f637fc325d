/**
 * Notifications screen, newest first: alerts, fired triggers, failures, ended orders. Opening one goes to its subject
 * and marks it read.
 */

import { Bell, BellRing, CheckCheck } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { NOTIFICATION_TITLES } from '../../../gateway/words/notifications.ts';
import { usePages } from '../../api/queries.ts';
import { useAccounts } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import {
  CATEGORY_GROUPS,
  type Category,
  type Notification,
  notificationHref,
} from '../../features/notification-text/notification-text.ts';
import { notificationColumns } from './columns.tsx';
import { OsPanel } from './os-panel.tsx';
import { useMarks } from './use-marks.ts';

const SCOPES = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'read', label: 'Read' },
] as const;
type Scope = (typeof SCOPES)[number]['value'];

const EVERYTHING = 'everything';
const CATEGORY_OPTIONS = [
  { value: EVERYTHING, label: 'All categories' } as const,
  ...CATEGORY_GROUPS.flatMap(({ categories }) => categories).map((value) => ({
    value,
    label: NOTIFICATION_TITLES[value],
  })),
];
/** Interval of re-reads: agents connect and leave without an event of the account. */
const REFRESH_MS = 30_000;
const PAGE = 100;
/** Number of rows up to which a filtered list reads further pages. */
const ENOUGH = 40;

export default function Notifications() {
  const [, navigate] = useLocation();
  const [scope, setScope] = useState<Scope>('all');
  const [category, setCategory] = useState<Category | typeof EVERYTHING>(EVERYTHING);
  const [isOsOpen, setOsOpen] = useState(false);
  const list = usePages(
    'GET /notifications',
    { query: { scope, limit: PAGE } },
    { refetchEvery: REFRESH_MS },
  );
  const { data: all, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  const rows = useMemo(
    () => (category === EVERYTHING ? all : all?.filter((row) => row.category === category)),
    [all, category],
  );
  const zone = useSettings((settings) => settings.zone);
  const { markRead, markUnread, markAllRead, isMarkingAll } = useMarks();

  const readMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  useEffect(() => {
    if (rows !== undefined && rows.length < ENOUGH) readMore();
  }, [rows, readMore]);

  const isOneAccount = useAccounts().length === 1;
  const columns = useMemo(() => {
    const onMark = (row: Notification) => (row.isRead ? markUnread(row.id) : markRead(row.id));
    return notificationColumns(onMark, zone, isOneAccount);
  }, [markRead, markUnread, zone, isOneAccount]);
  const open = (row: Notification) => {
    if (!row.isRead) markRead(row.id);
    const href = notificationHref(row);
    if (href !== null) navigate(href);
  };
  const newest = all?.[0];
  const isFiltered = category !== EVERYTHING;
  const showAll = () => {
    setScope('all');
    setCategory(EVERYTHING);
  };

  return (
    <Page
      title="Notifications"
      actions={
        <>
          <Button icon={<BellRing />} onClick={() => setOsOpen(true)}>
            Desktop notifications
          </Button>
          <Button
            icon={<CheckCheck />}
            busy={isMarkingAll}
            disabled={newest === undefined || all?.every(({ isRead }) => isRead)}
            onClick={() => newest !== undefined && markAllRead(newest.createdAt)}
          >
            Mark all read
          </Button>
        </>
      }
    >
      <Panel
        flush
        live
        title={<Segmented label="Which" options={SCOPES} value={scope} onChange={setScope} />}
        actions={
          <Select quiet label="Category" options={CATEGORY_OPTIONS} value={category} onChange={setCategory} />
        }
      >
        <Table
          label="Notifications"
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          onOpen={open}
          error={error}
          onRetry={refetch}
          onReachEnd={readMore}
          loadingMore={isFetchingNextPage}
          empty={
            scope === 'all' && !isFiltered ? (
              <EmptyState
                icon={<Bell />}
                title="No notifications"
                action={
                  <Button kind="primary" onClick={() => navigate('/trade')}>
                    Set a trigger
                  </Button>
                }
              >
                News of alerts, triggers, brackets, TWAPs, ladders, venues and agents.
              </EmptyState>
            ) : (
              <EmptyState
                icon={<Bell />}
                title={scope === 'unread' && !isFiltered ? 'All read' : 'Nothing matches'}
                action={<Button onClick={showAll}>Show all</Button>}
              />
            )
          }
        />
      </Panel>
      {isOsOpen && <OsPanel onClose={() => setOsOpen(false)} />}
    </Page>
  );
}

const rowKey = ({ id }: Notification) => id;
