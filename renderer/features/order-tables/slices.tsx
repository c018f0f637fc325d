/** Slices of a TWAP schedule, with the planned size of each pending one. */
import { useGet } from '../../api/queries.ts';
import { classNames } from '../../components/class-names.ts';
import { amountColumn } from '../../components/figure-columns.tsx';
import layout from '../../components/layout.module.css';
import { Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown, Time } from '../../components/time.tsx';
import { Note } from './note.tsx';
import { type Schedule, type Slice, sliceState } from './order-states.ts';
import css from './order-tables.module.css';
import { PROGRESSING } from './pending-orders.ts';
import { lastSliceAt, type PlannedSlice, plannedSlices } from './schedule-slices.ts';
import { StateBadge } from './state-badge.tsx';
import { usedColumn } from './used-column.tsx';

function sliceName({ index }: PlannedSlice) {
  return (
    <span>
      <span className={css['onCard']}>Slice </span>
      {index + 1}
    </span>
  );
}

const COLUMNS: readonly Column<PlannedSlice>[] = [
  { id: 'index', header: 'Slice', cell: sliceName, width: 60 },
  { id: 'due', header: 'Due', cell: (row) => <Time at={row.scheduledAt} /> },
  // A narrow table leaves it out: a slice is sent when due, and the note says why one was not.
  { id: 'sent', header: 'Sent', cell: (row) => <Time at={row.executedAt} />, priority: 1 },
  amountColumn('planned', 'Planned, about', (row) => row.planned),
  usedColumn(),
  { id: 'state', header: 'State', cell: (row) => <StateBadge state={sliceState(row)} /> },
  { id: 'error', header: 'Note', isText: true, cell: (row) => <Note isWhole text={row.error} /> },
];

const sliceKey = ({ index }: Slice) => String(index);
const SLICES_PX = 420;
/** Most slices that are shown in full under their schedule. A longer list scrolls by itself. */
const FEW = 30;

export function Slices({ of: { id } }: { readonly of: Schedule }) {
  const schedule = useGet('GET /schedules/{id}', { params: { id } }, PROGRESSING);
  return (
    <Loaded query={schedule} rows={3}>
      {(read) => (
        <>
          <Ends at={lastSliceAt(read)} />
          <Table
            label="Slices"
            rows={plannedSlices(read)}
            columns={COLUMNS}
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
