/** What waits: open orders, triggers, TWAP schedules and ladders, each cancelled or paused in its row. */
import { useMemo } from 'react';
import { useTicker } from '../../../api/market.ts';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { amountColumn, quantityColumn } from '../../../components/figure-columns.tsx';
import { shortLevel } from '../../../components/format.ts';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Age, Countdown } from '../../../components/time.tsx';
import { BasketLabel } from '../../../features/basket-name/basket-label.tsx';
import { WaitingText } from '../../../features/condition-text/waiting-text.tsx';
import { type Authority, placedByColumn } from '../../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../../features/placed-by/use-placers.ts';
import { BasketButtons, RestingButtons } from '../../../features/resting-action/resting-buttons.tsx';
import { restingActions } from '../../../features/resting-action/resting-state.ts';
import { Ticker } from '../../../features/ticker/ticker.tsx';
import { LastSeen, TriggerSize } from '../../../features/trigger-figures/trigger-figures.tsx';
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
/** Slices follow one another: nothing is waited for. */
const scheduleState = ({ status }: Schedule) => (status === 'PAUSED' ? 'Paused' : 'Running');

const ORDERS: readonly Column<OpenOrder>[] = [
  { id: 'leg', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 60 },
  quantityColumn('quantity', 'Quantity', (row) => row.quantity),
  quantityColumn('filled', 'Filled', (row) => row.filledQuantity),
  quantityColumn('limit', 'Price limit', (row) => row.limitPrice),
  { id: 'age', header: 'Age', align: 'right', cell: (row) => <Age since={row.createdAt} />, width: 70 },
];
const ORDER_ACTIONS = actionsColumn<OpenOrder>(60, (row) => <OrderButtons order={row} />);

function ordersWith(placers: ReadonlyMap<string, Authority>): readonly Column<OpenOrder>[] {
  return [...ORDERS, placedByColumn(({ executionId }) => placers.get(executionId)), ORDER_ACTIONS];
}

function OrderButtons({ order: { id, symbol } }: { readonly order: OpenOrder }) {
  return <RestingButtons what="order" id={id} name={useTicker()(symbol)} actions={['cancel']} />;
}

export function DockOrders({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockOrders(scope);
  const placers = usePlacers(rows);
  const columns = useMemo(() => ordersWith(placers), [placers]);
  return (
    <Table
      label="Open orders"
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="open orders" />}
    />
  );
}

const DOES = { TAKE_PROFIT: 'Take-profit', STOP_LOSS: 'Stop-loss' } as const;

const TRIGGERS: readonly Column<Trigger>[] = [
  { id: 'basket', header: 'Basket', cell: (row) => <BasketLabel legs={row.legs} />, width: 150 },
  {
    id: 'does',
    header: 'Action',
    cell: ({ bracketType, kind }) =>
      bracketType === null ? (kind === 'OPEN' ? 'Open' : 'Close') : DOES[bracketType],
    width: 90,
  },
  { id: 'when', header: 'When', cell: (row) => <WaitingText trigger={row} /> },
  {
    id: 'seen',
    header: 'Last seen',
    align: 'right',
    cell: (row) => <LastSeen trigger={row} />,
    width: 90,
  },
  { id: 'size', header: 'Size', align: 'right', cell: (row) => <TriggerSize of={row} />, width: 100 },
  placedByColumn((row) => row.authority),
  { id: 'state', header: 'State', cell: stateOf, width: 80 },
  actionsColumn(76, (row) => (
    <BasketButtons what="trigger" id={row.id} legs={row.legs} actions={restingActions(row.status)} />
  )),
];

export function DockTriggers({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockTriggers(scope);
  return (
    <Table
      label="Triggers"
      rows={rows}
      columns={TRIGGERS}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="triggers" />}
    />
  );
}

const SCHEDULES: readonly Column<Schedule>[] = [
  { id: 'basket', header: 'TWAP', cell: (row) => <BasketLabel legs={row.legs} />, width: 150 },
  { id: 'kind', header: 'Action', cell: (row) => (row.kind === 'OPEN' ? 'Open' : 'Close'), width: 70 },
  {
    id: 'slices',
    header: 'Progress',
    cell: (row) => `${row.slicesCompleted} of ${row.sliceCount}`,
    width: 90,
  },
  amountColumn('filled', 'Filled', (row) => row.filledUsd),
  amountColumn('left', 'Left', (row) => row.remainingUsd),
  amountColumn('total', 'Total', (row) => row.totalUsd),
  {
    id: 'next',
    header: 'Next slice in',
    align: 'right',
    cell: (row) => <Countdown to={row.status === 'ACTIVE' ? row.nextSliceAt : null} />,
  },
  placedByColumn((row) => row.authority),
  { id: 'state', header: 'State', cell: scheduleState, width: 80 },
  actionsColumn(76, (row) => (
    <BasketButtons what="TWAP" id={row.id} legs={row.legs} actions={restingActions(row.status)} />
  )),
];

export function DockSchedules({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockSchedules(scope);
  return (
    <Table
      natural
      label="TWAP"
      rows={rows}
      columns={SCHEDULES}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="TWAP" />}
    />
  );
}

const METRICS = { PRICE_RATIO: 'Price ratio', WEIGHTED_RATIO: 'Weighted ratio', PRICE: 'Price' } as const;

const LADDERS: readonly Column<Ladder>[] = [
  { id: 'basket', header: 'Ladder', cell: (row) => <BasketLabel legs={row.legs} />, width: 150 },
  {
    id: 'range',
    header: 'Range',
    cell: ({ metric, direction, start, end }) =>
      `${METRICS[metric]} ${direction === 'LESS_THAN' ? 'below' : 'above'} ${shortLevel(start)} to ${shortLevel(end)}`,
  },
  { id: 'rungs', header: 'Rungs', cell: (row) => `${row.filledLevels} of ${row.levels}`, width: 90 },
  amountColumn('total', 'Total', (row) => row.totalUsd),
  placedByColumn((row) => row.authority),
  actionsColumn(60, (row) => (
    <BasketButtons what="ladder" id={row.id} legs={row.legs} actions={['cancel']} />
  )),
];

export function DockLadders({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockLadders(scope);
  return (
    <Table
      natural
      label="Ladders"
      rows={rows}
      columns={LADDERS}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="ladders" />}
    />
  );
}
