/** The newest fills of the account. */
import { useMemo } from 'react';
import { amountColumn, pnlColumn } from '../../../components/figure-columns.tsx';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Time } from '../../../components/time.tsx';
import { FillFee } from '../../../features/fill-fee/fill-fee.tsx';
import { priceColumn, sizeColumn } from '../../../features/instrument-figure/instrument-columns.tsx';
import { type Authority, placedByColumn } from '../../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../../features/placed-by/use-placers.ts';
import { Ticker } from '../../../features/ticker/ticker.tsx';
import { Nothing } from './nothing.tsx';
import { type DockScope, type Fill, useDockFills } from './use-dock.ts';

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} style="short" />, width: 130 },
  { id: 'instrument', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 60 },
  sizeColumn('quantity', 'Quantity', (row) => row.quantity),
  priceColumn('price', 'Price', (row) => row.price),
  { ...amountColumn<Fill>('notional', 'Notional', (row) => row.notional), from: 760 },
  {
    id: 'fee',
    header: 'Fee',
    align: 'right',
    from: 760,
    cell: (row) => <FillFee fee={row.fee} feeAsset={row.feeAsset} />,
  },
  pnlColumn('pnl', 'Realised', (row) => row.realizedPnl),
];

function columnsWith(placers: ReadonlyMap<string, Authority>): readonly Column<Fill>[] {
  return [
    ...COLUMNS,
    { ...placedByColumn<Fill>(({ executionId }) => placers.get(executionId ?? '')), from: 640 },
  ];
}

const keyOf = ({ id }: Fill) => id;

export function DockFills({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockFills(scope);
  const placers = usePlacers(rows);
  const columns = useMemo(() => columnsWith(placers), [placers]);
  return (
    <Table
      label="Fills"
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="fills" />}
    />
  );
}
