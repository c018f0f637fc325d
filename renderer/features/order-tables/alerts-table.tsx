/** Alerts, which notify without trading. */
import { Suspense, useMemo } from 'react';
import { actionsColumn } from '../../components/actions-column.tsx';
import { ahead } from '../../components/ahead.tsx';
import { NoFigure } from '../../components/amount.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown, Time } from '../../components/time.tsx';
import type { Alert } from '../alerts/alert.ts';
import { AlertButtons, AlertOf, useAlertWords } from '../alerts/alert-cells.tsx';
import { useChosenColumns } from '../chosen-columns/chosen-columns.tsx';
import { LastSeen } from '../trigger-figures/trigger-figures.tsx';
import { briefStateColumn, byColumn, createdColumn, expiresColumn, stateColumn } from './order-columns.tsx';
import { isWaiting, type StateWords, triggerState } from './order-states.ts';
import { type OrderTableProps, orderKey, type Place, useEdited } from './order-table.tsx';
import css from './order-tables.module.css';

const dialog = ahead(async () => (await import('../alerts/change-alert-dialog.tsx')).ChangeAlertDialog);

/** A completed alert is labelled as told rather than done, since nothing was traded. */
function stateOf(alert: Alert): StateWords {
  return alert.status === 'COMPLETED'
    ? { label: 'Told', tone: 'neutral' }
    : triggerState({ status: alert.status, pauseReason: 'FEED_STALE' });
}

function When({ alert }: { readonly alert: Alert }) {
  return <span className={css['when']}>{useAlertWords(alert)}</span>;
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

const OF: Column<Alert> = { id: 'of', header: 'Of', cell: (row) => <AlertOf alert={row} />, width: 150 };
const WHEN: Column<Alert> = {
  id: 'when',
  header: 'When',
  isText: true,
  cell: (row) => <When alert={row} />,
};
const SEEN: Column<Alert> = {
  id: 'seen',
  header: 'Last seen',
  align: 'right',
  cell: (row) => <LastSeen trigger={{ ...row, bracket: null }} />,
  width: 84,
};

const COLUMNS: Readonly<Record<Place, readonly Column<Alert>[]>> = {
  page: [
    OF,
    { ...stateColumn(stateOf), width: 150 },
    {
      ...WHEN,
      cell: (row) => (
        <>
          {WHEN.cell(row)}
          <span className={css['times']}>
            <Times alert={row} />
          </span>
        </>
      ),
    },
    SEEN,
    byColumn(),
    createdColumn('Set'),
    {
      id: 'told',
      header: 'Told',
      cell: (row) =>
        row.triggeredAt === null ? <NoFigure why="not yet" /> : <Time at={row.triggeredAt} style="short" />,
      width: 120,
      priority: 6,
    },
    expiresColumn(),
  ],
  panel: [OF, briefStateColumn(stateOf, 66), WHEN, SEEN, { ...expiresColumn(), priority: 1 }, byColumn()],
};

export function AlertsTable({ place, list, empty }: OrderTableProps<Alert>) {
  const { edited, edit, leave } = useEdited(list.rows);
  dialog.useFetched();
  const all = useMemo(
    () => [...COLUMNS[place], actionsColumn<Alert>(76, (row) => <AlertButtons alert={row} onEdit={edit} />)],
    [place, edit],
  );
  const columns = useChosenColumns(place === 'page' ? null : 'Alerts', all);
  return (
    <>
      <Table label="Alerts" {...list} columns={columns} rowKey={orderKey} empty={empty} />
      {edited !== null && (
        <Suspense>
          <dialog.View key={edited.id} alert={edited} onClose={leave} />
        </Suspense>
      )}
    </>
  );
}
