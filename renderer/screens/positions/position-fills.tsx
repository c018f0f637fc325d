/** Every fill of a position, newest first. */

import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import { FEE, type Fill, NOTIONAL, REALISED, TRADED } from '../../features/order-tables/fill-columns.tsx';
import { orderKey } from '../../features/order-tables/order-table.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { usePositionFills } from './use-position-data.ts';

const COLUMNS: readonly Column<Fill>[] = [
  timeColumn('time', 'Time', (fill) => fill.timestamp),
  valueColumn('leg', 'Instrument', (fill) => fill.symbol, { draw: (symbol) => <Ticker symbol={symbol} /> }),
  ...TRADED,
  NOTIONAL,
  FEE,
  REALISED,
  { id: 'note', header: 'Note', cell: (fill) => <FillNote fill={fill} /> },
];

export function PositionFills({ positionId }: { readonly positionId: string }) {
  const { data, error, refetch } = usePositionFills(positionId);
  return (
    <Table
      label="Fills of the position"
      {...readTable({ error, refetch }, data)}
      columns={COLUMNS}
      rowKey={orderKey}
      height={360}
      empty={<EmptyState title="No fills yet">They appear as the venue reports them.</EmptyState>}
    />
  );
}
