/** TWAP schedules with their progress; on a page a row expands to its slices. */
import { actionsColumn } from '../../components/actions-column.tsx';
import { amountColumn, ratioColumn } from '../../components/figure-columns.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown } from '../../components/time.tsx';
import { basketColumn, wholeNames } from '../basket-name/basket-column.tsx';
import { BasketButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { Note } from './note.tsx';
import {
  briefStateColumn,
  byColumn,
  createdColumn,
  kindColumn,
  noteColumn,
  stateColumn,
} from './order-columns.tsx';
import { type Schedule, scheduleState, shareDone } from './order-states.ts';
import { type OrderTableProps, orderKey, type Place } from './order-table.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { Slices } from './slices.tsx';
import { usedColumn } from './used-column.tsx';

const WEIGHTED = 'Weighted ratio of the average fill prices, as the limit has it';

const slicesDone = ({ slicesCompleted, sliceCount }: Schedule) => `${slicesCompleted} of ${sliceCount}`;

const PROGRESS: Column<Schedule> = { id: 'slices', header: 'Progress', cell: slicesDone, width: 90 };
const LEFT: Column<Schedule> = {
  ...amountColumn<Schedule>('left', 'Left', (row) => row.remainingUsd),
  priority: 7,
};
const TOTAL = amountColumn<Schedule>('total', 'Total', (row) => row.totalUsd);
const NEXT: Column<Schedule> = {
  id: 'next',
  header: 'Next slice in',
  align: 'right',
  cell: (row) => <Countdown to={row.status === 'ACTIVE' ? row.nextSliceAt : null} />,
};

function pageColumns(ratio: Column<Schedule>): readonly Column<Schedule>[] {
  return [
    basketColumn('Basket'),
    kindColumn(),
    { ...PROGRESS, cell: progressOf, width: 190 },
    usedColumn(),
    LEFT,
    TOTAL,
    NEXT,
    ratio,
    byColumn(),
    createdColumn('Began'),
    stateColumn<Schedule>(scheduleState),
    noteColumn(),
    actionsColumn(76, (row) => buttonsOf(row, row.createdAt)),
  ];
}

function progressOf(schedule: Schedule) {
  return (
    <ProgressBar
      share={shareDone(schedule.filledUsd, schedule.totalUsd)}
      label="Used"
      figures={slicesDone(schedule)}
    />
  );
}

function buttonsOf({ id, legs, status }: Schedule, since?: string) {
  return <BasketButtons what="TWAP" id={id} legs={legs} since={since} actions={restingActions(status)} />;
}

const ratioNamed = (label: string, title: string): Column<Schedule> => ({
  ...ratioColumn<Schedule>('ratio', <span title={title}>{label}</span>, (row) => row.averageRatio),
  label,
  priority: 7,
});

const COLUMNS = {
  page: pageColumns(ratioNamed('Weighted ratio', WEIGHTED)),
  pageOfPrices: pageColumns(ratioNamed('Average price', 'Of what has filled')),
  panel: [
    basketColumn<Schedule>('TWAP'),
    kindColumn<Schedule>(),
    PROGRESS,
    usedColumn<Schedule>(),
    LEFT,
    TOTAL,
    { ...NEXT, priority: 1 },
    byColumn<Schedule>(),
    briefStateColumn(scheduleState, 80),
    actionsColumn<Schedule>(76, (row) => buttonsOf(row)),
  ],
} as const;

/** True: the weighted ratio is the price, as for a lone long leg. For a lone short leg it is the inverse. */
const isOfPrice = ({ legs }: Schedule) => legs.length === 1 && legs[0]?.side === 'BUY';

function columnsOf(place: Place, rows: readonly Schedule[] | undefined): readonly Column<Schedule>[] {
  if (place === 'panel') return COLUMNS.panel;
  return rows?.every(isOfPrice) === true ? COLUMNS.pageOfPrices : COLUMNS.page;
}

const slicesOf = (schedule: Schedule) => (
  <>
    <Note isWhole text={schedule.error} />
    <Slices of={schedule} />
  </>
);

export function SchedulesTable({ place, list, empty }: OrderTableProps<Schedule>) {
  const isPage = place === 'page';
  return (
    <Table
      label={isPage ? 'TWAP schedules' : 'TWAP'}
      natural={!isPage}
      {...list}
      columns={columnsOf(place, list.rows)}
      rowKey={orderKey}
      {...(isPage ? { detail: slicesOf } : wholeNames(list.rows))}
      empty={empty}
    />
  );
}
