/** The newest fills of the account. */
import { useMemo } from 'react';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Time } from '../../../components/time.tsx';
import {
  FEE,
  type Fill,
  INSTRUMENT,
  NOTIONAL,
  placersColumn,
  REALISED,
  TRADED,
} from '../../../features/order-tables/fill-columns.tsx';
import { orderKey } from '../../../features/order-tables/order-table.tsx';
import { usePlacers } from '../../../features/placed-by/use-placers.ts';
import { Nothing } from './nothing.tsx';
import { type DockScope, useDockFills } from './use-dock.ts';

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} style="short" />, width: 130 },
  INSTRUMENT,
  ...TRADED,
  { ...NOTIONAL, priority: 2 },
  { ...FEE, priority: 3 },
  REALISED,
];

export function DockFills({ scope }: { readonly scope: DockScope }) {
  const list = useDockFills(scope);
  const placers = usePlacers(list.rows);
  const columns = useMemo(
    (): readonly Column<Fill>[] => [...COLUMNS, { ...placersColumn(placers), priority: 1 }],
    [placers],
  );
  return (
    <Table
      label="Fills"
      {...list}
      columns={columns}
      rowKey={orderKey}
      empty={<Nothing scope={scope} what="fills" />}
    />
  );
}
