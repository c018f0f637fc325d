/** Pending orders: open orders, triggers, TWAP schedules and ladders, each cancelled or paused in its row. */
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTicker } from '../../../api/market.ts';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { ahead } from '../../../components/ahead.tsx';
import { amountColumn } from '../../../components/figure-columns.tsx';
import { shortLevel } from '../../../components/format.ts';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Countdown } from '../../../components/time.tsx';
import { basketColumn, wholeNames } from '../../../features/basket-name/basket-column.tsx';
import { isChangeable } from '../../../features/change-trigger/trigger-change.ts';
import { useChosenColumns } from '../../../features/chosen-columns/chosen-columns.tsx';
import { WaitingText } from '../../../features/condition-text/waiting-text.tsx';
import { openOrderColumns } from '../../../features/order-tables/open-order-columns.tsx';
import { BRACKETS } from '../../../features/order-tables/order-words.ts';
import { usedColumn } from '../../../features/order-tables/used-column.tsx';
import { placedByColumn } from '../../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../../features/placed-by/use-placers.ts';
import { CancelAllButton } from '../../../features/resting-action/cancel-all-button.tsx';
import { BasketButtons, RestingButtons } from '../../../features/resting-action/resting-buttons.tsx';
import { restingActions } from '../../../features/resting-action/resting-state.ts';
import { LastSeen, TriggerSize } from '../../../features/trigger-figures/trigger-figures.tsx';
import css from './dock.module.css';
import { Nothing } from './nothing.tsx';
import {
  type DockScope,
  type Ladder,
  type OpenOrder,
  type Schedule,
  type Trigger,
  useDockLadders,
  useDockOrders,
  useDockSchedules,
  useDockTriggers,
} from './use-dock.ts';

const keyOf = ({ id }: { readonly id: string }) => id;
const STATES = { ACTIVE: 'Waiting', PAUSED: 'Paused', TRIGGERED: 'Firing' } as const;
const stateOf = ({ status }: { readonly status: string }) =>
  STATES[status as keyof typeof STATES] ?? 'Waiting';
/** Slices follow one another, so a schedule is running rather than pending. */
const scheduleState = ({ status }: Schedule) => (status === 'PAUSED' ? 'Paused' : 'Running');

const changeDialog = ahead(
  async () =>
    (await import('../../../features/change-trigger/change-trigger-dialog.tsx')).ChangeTriggerDialog,
);
/** Width of the actions' header, px. */
const ACTIONS_PX = 124;

/**
 * The reader's chosen columns, each row's buttons, and a button in their header that cancels all listed orders.
 * @param columns, buttons must keep their identity from render to render
 */
function useCancelled<Row extends { readonly id: string }>(
  what: 'orders' | 'triggers',
  rows: readonly Row[] | undefined,
  columns: readonly Column<Row>[],
  buttons: (row: Row) => ReactNode,
): readonly Column<Row>[] {
  // A text keeps its identity while the rows are the same.
  const ids = (rows ?? []).map(({ id }) => id).join(' ');
  const all = useMemo(() => {
    const cancelAll =
      ids === '' ? undefined : <CancelAllButton isQuiet what={what} only={ids.split(' ')} disabled={false} />;
    return [...columns, actionsColumn<Row>(ACTIONS_PX, buttons, true, cancelAll)];
  }, [what, ids, columns, buttons]);
  return useChosenColumns(TABLES[what], all);
}

/** Names of the lists, under which a choice of columns is stored. */
const TABLES = { orders: 'Open orders', triggers: 'Triggers' } as const;

function OrderButtons({ order: { id, symbol } }: { readonly order: OpenOrder }) {
  return <RestingButtons what="order" id={id} name={useTicker()(symbol)} actions={['cancel']} />;
}

const orderButtons = (row: OpenOrder) => <OrderButtons order={row} />;

export function DockOrders({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockOrders(scope);
  const placers = usePlacers(rows);
  const own = useMemo(() => openOrderColumns('panel', placers), [placers]);
  const columns = useCancelled('orders', rows, own, orderButtons);
  return (
    <Table
      label={TABLES.orders}
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      {...wholeNames(rows)}
      empty={<Nothing scope={scope} what="open orders" />}
    />
  );
}

const TRIGGERS: readonly Column<Trigger>[] = [
  basketColumn('Basket', 790),
  {
    id: 'does',
    header: 'Action',
    cell: ({ bracketType, kind }) =>
      bracketType === null ? (kind === 'OPEN' ? 'Open' : 'Close') : BRACKETS[bracketType],
    width: 84,
  },
  { id: 'state', header: 'State', from: 760, cell: stateOf, width: 66 },
  { id: 'when', header: 'When', isText: true, cell: whenOf },
  {
    id: 'seen',
    header: 'Last seen',
    align: 'right',
    from: 640,
    cell: (row) => <LastSeen trigger={row} />,
    width: 84,
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    from: 700,
    cell: (row) => <TriggerSize of={row} />,
    width: 100,
  },
  { ...placedByColumn<Trigger>((row) => row.authority), from: 900 },
];

/** Buttons of a trigger. A take-profit or stop-loss is changed with its position. */
function TriggerButtons({
  of: row,
  onEdit,
}: {
  readonly of: Trigger;
  readonly onEdit: (trigger: Trigger) => void;
}) {
  return (
    <BasketButtons
      what="trigger"
      id={row.id}
      legs={row.legs}
      since={row.createdAt}
      protects={row.bracketType !== null}
      actions={restingActions(row.status)}
      onEdit={isChangeable(row) ? () => onEdit(row) : undefined}
    />
  );
}

function whenOf(trigger: Trigger) {
  return (
    <span className={css['when']}>
      <WaitingText trigger={trigger} />
    </span>
  );
}

export function DockTriggers({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockTriggers(scope);
  const [editing, setEditing] = useState<Trigger | null>(null);
  changeDialog.useFetched();
  const buttons = useCallback((row: Trigger) => <TriggerButtons of={row} onEdit={setEditing} />, []);
  const columns = useCancelled('triggers', rows, TRIGGERS, buttons);
  // A trigger that fires meanwhile stays shown until the dialog is closed.
  const shown = rows?.find(({ id }) => id === editing?.id) ?? editing;
  return (
    <>
      <Table
        label={TABLES.triggers}
        rows={rows}
        columns={columns}
        rowKey={keyOf}
        error={error}
        onRetry={() => void refetch()}
        {...wholeNames(rows)}
        empty={<Nothing scope={scope} what="triggers" />}
      />
      {shown !== null && (
        <Suspense>
          <changeDialog.View key={shown.id} trigger={shown} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  );
}

const SCHEDULES: readonly Column<Schedule>[] = [
  basketColumn('TWAP', 740),
  { id: 'kind', header: 'Action', cell: (row) => (row.kind === 'OPEN' ? 'Open' : 'Close'), width: 70 },
  {
    id: 'slices',
    header: 'Progress',
    cell: (row) => `${row.slicesCompleted} of ${row.sliceCount}`,
    width: 90,
  },
  usedColumn(),
  { ...amountColumn<Schedule>('left', 'Left', (row) => row.remainingUsd), from: 900 },
  amountColumn('total', 'Total', (row) => row.totalUsd),
  {
    id: 'next',
    header: 'Next slice in',
    align: 'right',
    from: 640,
    cell: (row) => <Countdown to={row.status === 'ACTIVE' ? row.nextSliceAt : null} />,
  },
  { ...placedByColumn<Schedule>((row) => row.authority), from: 760 },
  { id: 'state', header: 'State', from: 760, cell: scheduleState, width: 80 },
  actionsColumn(76, (row) => (
    <BasketButtons what="TWAP" id={row.id} legs={row.legs} actions={restingActions(row.status)} />
  )),
];

export function DockSchedules({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockSchedules(scope);
  return (
    <>
      <Kind name="TWAP" rows={rows} />
      <Table
        natural
        label="TWAP"
        rows={rows}
        columns={SCHEDULES}
        rowKey={keyOf}
        error={error}
        onRetry={() => void refetch()}
        {...wholeNames(rows)}
        empty={<Nothing scope={scope} what="TWAP" isAlone={false} />}
      />
    </>
  );
}

const METRICS = { PRICE_RATIO: 'Price ratio', WEIGHTED_RATIO: 'Weighted ratio', PRICE: 'Price' } as const;

const LADDERS: readonly Column<Ladder>[] = [
  basketColumn('Ladder', 640),
  {
    id: 'range',
    header: 'Range',
    cell: ({ metric, direction, start, end }) =>
      `${METRICS[metric]} ${direction === 'LESS_THAN' ? 'below' : 'above'} ${shortLevel(start)} to ${shortLevel(end)}`,
  },
  { id: 'rungs', header: 'Rungs', cell: (row) => `${row.filledLevels} of ${row.levels}`, width: 90 },
  amountColumn('total', 'Total', (row) => row.totalUsd),
  { ...placedByColumn<Ladder>((row) => row.authority), from: 640 },
  actionsColumn(60, (row) => (
    <BasketButtons what="ladder" id={row.id} legs={row.legs} actions={['cancel']} />
  )),
];

export function DockLadders({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockLadders(scope);
  return (
    <>
      <Kind name="Ladders" rows={rows} />
      <Table
        natural
        label="Ladders"
        rows={rows}
        columns={LADDERS}
        rowKey={keyOf}
        error={error}
        onRetry={() => void refetch()}
        {...wholeNames(rows)}
        empty={<Nothing scope={scope} what="ladders" isAlone={false} />}
      />
    </>
  );
}

/** Heading of a list's cards in a narrow window, which hides the table header with that name. */
function Kind({ name, rows }: { readonly name: string; readonly rows: readonly unknown[] | undefined }) {
  return rows === undefined || rows.length === 0 ? null : (
    <p className={css['kind']} aria-hidden="true">
      {name}
    </p>
  );
}
