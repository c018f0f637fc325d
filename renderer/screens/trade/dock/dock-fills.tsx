/** The newest fills of the account. */
import { amountColumn, pnlColumn, quantityColumn } from '../../../components/figure-columns.tsx';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { Time } from '../../../components/time.tsx';
import { Ticker } from '../../../features/ticker/ticker.tsx';
import { Nothing } from './nothing.tsx';
import { type DockScope, type Fill, useDockFills } from './use-dock.ts';

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} style="short" />, width: 130 },
  { id: 'instrument', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 60 },
  quantityColumn('quantity', 'Quantity', (row) => row.quantity),
  quantityColumn('price', 'Price', (row) => row.price),
  amountColumn('notional', 'Notional', (row) => row.notional),
  quantityColumn('fee', 'Fee', (row) => row.fee),
  pnlColumn('pnl', 'Realised', (row) => row.realizedPnl),
];

const keyOf = ({ id }: Fill) => id;

export function DockFills({ scope }: { readonly scope: DockScope }) {
  const { rows, error, refetch } = useDockFills(scope);
  return (
    <Table
      label="Fills"
      rows={rows}
      columns={COLUMNS}
      rowKey={keyOf}
      error={error}
      onRetry={() => void refetch()}
      empty={<Nothing scope={scope} what="fills" />}
    />
  );
}
