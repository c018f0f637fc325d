/** Fills of the account, newest first. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import {
  FEE,
  type Fill,
  INSTRUMENT,
  NOTIONAL,
  placersColumn,
  REALISED,
  TRADED,
} from '../../features/order-tables/fill-columns.tsx';
import type { Authority } from '../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../features/placed-by/use-placers.ts';
import { HistoryTable, type HistoryView } from './history-table.tsx';
import { useFills } from './use-history.ts';

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} />, width: 150 },
  INSTRUMENT,
  ...TRADED,
  NOTIONAL,
  FEE,
  REALISED,
  {
    id: 'liquidity',
    header: 'Liquidity',
    cell: (row) => (row.liquidity === 'MAKER' ? 'Maker' : 'Taker'),
    width: 80,
    priority: 1,
  },
];
const NOTE: Column<Fill> = {
  id: 'note',
  header: 'Note',
  cell: (row) => <FillNote fill={row} />,
  width: 40,
};
const POSITION: Column<Fill> = {
  id: 'position',
  header: 'Position',
  width: 60,
  cell: (row) => row.positionId !== null && <Link href={`/positions/${row.positionId}`}>View</Link>,
};

function columnsWith(placers: ReadonlyMap<string, Authority>): readonly Column<Fill>[] {
  return [...COLUMNS, { ...placersColumn(placers), priority: 2 }, NOTE, POSITION];
}

export function FillsTable(view: HistoryView) {
  const fills = useFills(view.span);
  const placers = usePlacers(fills.rows);
  const columns = useMemo(() => columnsWith(placers), [placers]);
  return (
    <HistoryTable
      {...view}
      {...fills}
      label="Fills"
      columns={columns}
      noneThen="No fills on these days"
      none={
        <EmptyState title="No fills yet" action={<Link href="/trade">Build a basket</Link>}>
          Fills appear here as the venue reports them.
        </EmptyState>
      }
    />
  );
}
