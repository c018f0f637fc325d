/** Fills of the account, newest first. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { FillFee } from '../../features/fill-fee/fill-fee.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { type Authority, placedByColumn } from '../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../features/placed-by/use-placers.ts';
import { Ticker } from '../../features/ticker/ticker.tsx';
import type { Fill } from './history-csv.ts';
import { HistoryTable, type HistoryView } from './history-table.tsx';
import { useFills } from './use-history.ts';

/** Least table width, px, for the columns that are dropped first: the file has them too. */
const SPARE = 1020;

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} />, width: 150 },
  { id: 'instrument', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} />, width: 66 },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 44 },
  sizeColumn('quantity', 'Quantity', (row) => row.quantity),
  priceColumn('price', 'Price', (row) => row.price),
  amountColumn('notional', 'Notional', (row) => row.notional),
  {
    id: 'fee',
    header: 'Fee',
    width: 70,
    align: 'right',
    cell: (row) => <FillFee fee={row.fee} feeAsset={row.feeAsset} />,
  },
  pnlColumn('pnl', 'Realised', (row) => row.realizedPnl, { width: 70 }),
  {
    id: 'liquidity',
    header: 'Liquidity',
    cell: (row) => (row.liquidity === 'MAKER' ? 'Maker' : 'Taker'),
    width: 80,
    from: SPARE,
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
  const by = placedByColumn<Fill>(({ executionId }) =>
    executionId === null ? undefined : placers.get(executionId),
  );
  return [...COLUMNS, { ...by, from: SPARE }, NOTE, POSITION];
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
