/** Alerts, which notify without trading. */
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { NoFigure } from '../../components/amount.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown, Time } from '../../components/time.tsx';
import type { Alert } from '../alerts/alert.ts';
import { AlertButtons, AlertOf, useAlertWords } from '../alerts/alert-cells.tsx';
import { ChangeAlertDialog } from '../alerts/change-alert-dialog.tsx';
import { useFittingColumns } from '../fitting-columns/use-fitting-columns.ts';
import { placedByColumn } from '../placed-by/placed-by.tsx';
import { LastSeen } from '../trigger-figures/trigger-figures.tsx';
import { ExpiresIn } from './expires-in.tsx';
import { isWaiting, type StateWords, triggerState } from './order-states.ts';
import css from './order-tables.module.css';
import { StateBadge } from './state-badge.tsx';
import { useAlerts } from './use-order-data.ts';

/** A completed alert is labelled as told rather than done, since nothing was traded. */
function stateOf(alert: Alert): StateWords {
  return alert.status === 'COMPLETED'
    ? { label: 'Told', tone: 'good' }
    : triggerState({ status: alert.status, pauseReason: 'FEED_STALE' });
}

function When({ alert }: { readonly alert: Alert }) {
  return (
    <span className={css['condition']}>
      {useAlertWords(alert)}
      <span className={css['times']}>
        <Times alert={alert} />
      </span>
    </span>
  );
}

/** Text of the columns Told and Expires in, for tables that are too narrow for them. */
function Times({ alert }: { readonly alert: Alert }) {
  if (alert.triggeredAt !== null)
    return (
      <>
        Told <Time at={alert.triggeredAt} style="short" />
      </>
    );
  if (!isWaiting(alert)) return 'Not told';
  if (alert.expiresAt === null) return 'Never expires';
  return (
    <>
      Expires in <Countdown to={alert.expiresAt} over="expired" />
    </>
  );
}

const ALERTS: readonly Column<Alert>[] = [
  { id: 'of', header: 'Of', cell: (row) => <AlertOf alert={row} />, width: 150 },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <StateBadge id={row.id} state={stateOf(row)} />,
    width: 150,
  },
  { id: 'condition', header: 'When', isText: true, cell: (row) => <When alert={row} /> },
  {
    id: 'now',
    header: 'Last seen',
    align: 'right',
    cell: (row) => <LastSeen trigger={{ ...row, bracket: null }} />,
    width: 100,
  },
  placedByColumn((row) => row.authority),
  { id: 'created', header: 'Set', cell: (row) => <Time at={row.createdAt} style="short" />, width: 120 },
  {
    id: 'told',
    header: 'Told',
    cell: (row) =>
      row.triggeredAt === null ? <NoFigure why="not yet" /> : <Time at={row.triggeredAt} style="short" />,
    width: 120,
  },
  {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    cell: (row) => <ExpiresIn of={row} />,
    width: 100,
  },
];

/** Columns that narrow tables leave out first. */
const SPARE = ['by', 'created', 'expires', 'told'];

export function AlertsTable() {
  const list = useAlerts();
  const [editing, setEditing] = useState<Alert | null>(null);
  const all = useMemo(
    () => [...ALERTS, actionsColumn<Alert>(76, (row) => <AlertButtons alert={row} onEdit={setEditing} />)],
    [],
  );
  const columns = useFittingColumns(all, SPARE);
  // The dialog follows the alert. An alert that fires meanwhile stays shown until the dialog is closed.
  const shown = list.rows?.find(({ id }) => id === editing?.id) ?? editing;
  return (
    <>
      <Table
        label="Alerts"
        {...list}
        columns={columns}
        empty={
          <EmptyState title="No alerts" action={<Link href="/trade">Set an alert</Link>}>
            On Trade, the ticket’s Trigger has “Alert{'\u00a0'}only”: you are told, and nothing is ordered.
          </EmptyState>
        }
      />
      {shown !== null && <ChangeAlertDialog key={shown.id} alert={shown} onClose={() => setEditing(null)} />}
    </>
  );
}
