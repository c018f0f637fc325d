/** TWAP schedules with their progress; a row expands to its slices. */
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { classNames } from '../../components/class-names.ts';
import { amountColumn, ratioColumn } from '../../components/figure-columns.tsx';
import layout from '../../components/layout.module.css';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown, Time } from '../../components/time.tsx';
import { BasketLabel } from '../basket-name/basket-label.tsx';
import { useFittingColumns } from '../fitting-columns/use-fitting-columns.ts';
import { placedByColumn } from '../placed-by/placed-by.tsx';
import { BasketButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { Note } from './note.tsx';
import { type Schedule, type Slice, scheduleState, shareDone, sliceState } from './order-states.ts';
import css from './order-tables.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { lastSliceAt, type PlannedSlice, plannedSlices } from './schedule-slices.ts';
import { StateBadge } from './state-badge.tsx';
import { useSchedule, useSchedules } from './use-order-data.ts';
import { usedColumn } from './used-column.tsx';

const WEIGHTED = 'Weighted ratio of the average fill prices, as the limit has it';

const columnsOf = (ratio: Column<Schedule>): readonly Column<Schedule>[] => [
  { id: 'basket', header: 'Basket', cell: (row) => <BasketLabel legs={row.legs} /> },
  { id: 'kind', header: 'Action', cell: (row) => (row.kind === 'OPEN' ? 'Open' : 'Close'), width: 70 },
  {
    id: 'progress',
    header: 'Progress',
    width: 190,
    cell: (row) => (
      <ProgressBar
        share={shareDone(row.filledUsd, row.totalUsd)}
        label="Used"
        figures={`${row.slicesCompleted} of ${row.sliceCount}`}
      />
    ),
  },
  usedColumn(),
  amountColumn('left', 'Left', (row) => row.remainingUsd),
  amountColumn('total', 'Total', (row) => row.totalUsd),
  {
    id: 'next',
    header: 'Next slice in',
    align: 'right',
    cell: (row) => <Countdown to={row.status === 'ACTIVE' ? row.nextSliceAt : null} />,
  },
  ratio,
  placedByColumn((row) => row.authority),
  { id: 'began', header: 'Began', cell: (row) => <Time at={row.createdAt} style="short" /> },
  { id: 'state', header: 'State', cell: (row) => <StateBadge id={row.id} state={scheduleState(row)} /> },
  { id: 'error', header: 'Note', isText: true, cell: (row) => <Note text={row.error} /> },
  actionsColumn(76, (row) => (
    <BasketButtons
      what="TWAP"
      id={row.id}
      legs={row.legs}
      since={row.createdAt}
      actions={restingActions(row.status)}
    />
  )),
];

const ratioNamed = (label: string, title: string): Column<Schedule> => ({
  ...ratioColumn<Schedule>('ratio', <span title={title}>{label}</span>, (row) => row.averageRatio),
  label,
});

const COLUMNS = columnsOf(ratioNamed('Weighted ratio', WEIGHTED));
const COLUMNS_OF_PRICES = columnsOf(ratioNamed('Average price', 'Of what has filled'));

/** True: the weighted ratio is the price, as for a lone long leg. For a lone short leg it is the inverse. */
const isOfPrice = ({ legs }: Schedule) => legs.length === 1 && legs[0]?.side === 'BUY';

function sliceName({ index }: PlannedSlice) {
  return (
    <span>
      <span className={css['onCard']}>Slice </span>
      {index + 1}
    </span>
  );
}

const SLICE_COLUMNS: readonly Column<PlannedSlice>[] = [
  { id: 'index', header: 'Slice', cell: sliceName, width: 60 },
  { id: 'due', header: 'Due', cell: (row) => <Time at={row.scheduledAt} /> },
  { id: 'sent', header: 'Sent', cell: (row) => <Time at={row.executedAt} /> },
  amountColumn('planned', 'Planned, about', (row) => row.planned),
  usedColumn(),
  { id: 'state', header: 'State', cell: (row) => <StateBadge state={sliceState(row)} /> },
  { id: 'error', header: 'Note', isText: true, cell: (row) => <Note isWhole text={row.error} /> },
];

/** Columns that narrow tables leave out first: a slice is sent when due, and the reason for an unsent one stays. */
const SPARE_OF_SLICES = ['sent'];

const sliceKey = ({ index }: Slice) => String(index);
const SLICES_PX = 420;
/** Most slices that are shown in full under their schedule. A longer list scrolls by itself. */
const FEW = 30;

function Slices({ of }: { readonly of: Schedule }) {
  const schedule = useSchedule(of.id);
  const columns = useFittingColumns(SLICE_COLUMNS, SPARE_OF_SLICES);
  return (
    <Loaded query={schedule} rows={3}>
      {(read) => (
        <>
          <Ends at={lastSliceAt(read)} />
          <Table
            label="Slices"
            rows={plannedSlices(read)}
            columns={columns}
            rowKey={sliceKey}
            {...(read.slices.length <= FEW ? { natural: true } : { height: SLICES_PX })}
          />
        </>
      )}
    </Loaded>
  );
}

function Ends({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <p className={classNames(css['ends'], layout['dim'])}>
      Last slice in <Countdown to={at} />, at <Time at={at} style="short" />
    </p>
  );
}

const slicesOf = (schedule: Schedule) => (
  <>
    <Note isWhole text={schedule.error} />
    <Slices of={schedule} />
  </>
);

/** Columns that narrow tables leave out first: the note is also under the row, and the rest follows from the others. */
const SPARE = ['left', 'ratio', 'by', 'began', 'error'];

export function SchedulesTable() {
  const list = useSchedules();
  const isPrices = list.rows?.every(isOfPrice) === true;
  const columns = useFittingColumns(isPrices ? COLUMNS_OF_PRICES : COLUMNS, SPARE);
  return (
    <Table
      label="TWAP schedules"
      {...list}
      columns={columns}
      detail={slicesOf}
      empty={
        <EmptyState title="No TWAP schedules" action={<Link href="/trade">Start a TWAP</Link>}>
          Baskets that are sent in timed slices are listed here with their progress.
        </EmptyState>
      }
    />
  );
}
