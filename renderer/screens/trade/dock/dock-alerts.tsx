/** Pending alerts, changed and cancelled in their row. */
import { Suspense, useMemo, useState } from 'react';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { ahead } from '../../../components/ahead.tsx';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Countdown } from '../../../components/time.tsx';
import type { Alert } from '../../../features/alerts/alert.ts';
import { AlertButtons, AlertOf, useAlertWords } from '../../../features/alerts/alert-cells.tsx';
import { useChosenColumns } from '../../../features/chosen-columns/chosen-columns.tsx';
import { placedByColumn } from '../../../features/placed-by/placed-by.tsx';
import { LastSeen } from '../../../features/trigger-figures/trigger-figures.tsx';
import css from './dock.module.css';
import { Nothing } from './nothing.tsx';
import { type DockScope, useDockAlerts } from './use-dock.ts';

const dialog = ahead(
  async () => (await import('../../../features/alerts/change-alert-dialog.tsx')).ChangeAlertDialog,
);

function When({ alert }: { readonly alert: Alert }) {
  return <span className={css['when']}>{useAlertWords(alert)}</span>;
}

const ALERTS: readonly Column<Alert>[] = [
  { id: 'of', header: 'Of', cell: (row) => <AlertOf alert={row} />, width: 150 },
  {
    id: 'state',
    header: 'State',
    from: 760,
    cell: ({ status }) => (status === 'PAUSED' ? 'Paused' : 'Waiting'),
    width: 66,
  },
  { id: 'when', header: 'When', isText: true, cell: (row) => <When alert={row} /> },
  {
    id: 'seen',
    header: 'Last seen',
    align: 'right',
    cell: (row) => <LastSeen trigger={{ ...row, bracket: null }} />,
    width: 84,
  },
  {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    from: 640,
    cell: (row) => (row.expiresAt === null ? 'Never' : <Countdown to={row.expiresAt} over="expired" />),
    width: 100,
  },
  { ...placedByColumn<Alert>((row) => row.authority), from: 900 },
];

const keyOf = ({ id }: Alert) => id;

export function DockAlerts({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockAlerts(scope);
  const [editing, setEditing] = useState<Alert | null>(null);
  dialog.useFetched();
  const all = useMemo(
    () => [...ALERTS, actionsColumn<Alert>(76, (row) => <AlertButtons alert={row} onEdit={setEditing} />)],
    [],
  );
  const columns = useChosenColumns('Alerts', all);
  const shown = rows?.find(({ id }) => id === editing?.id) ?? editing;
  return (
    <>
      <Table
        label="Alerts"
        rows={rows}
        columns={columns}
        rowKey={keyOf}
        error={error}
        onRetry={() => void refetch()}
        empty={<Nothing scope={scope} what="alerts" />}
      />
      <Suspense>
        {shown !== null && <dialog.View key={shown.id} alert={shown} onClose={() => setEditing(null)} />}
      </Suspense>
    </>
  );
}
