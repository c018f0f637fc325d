/** Fills of the account, newest first. */
import { Link } from 'wouter';
import { Amount, Pnl, Quantity } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import type { Fill } from './history-csv.ts';
import type { HistoryTableProps } from './use-history.ts';

const COLUMNS: readonly Column<Fill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} />, width: 190 },
  { id: 'instrument', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 60 },
  { id: 'quantity', header: 'Quantity', align: 'right', cell: (row) => <Quantity value={row.quantity} /> },
  { id: 'price', header: 'Price', align: 'right', cell: (row) => <Quantity value={row.price} /> },
  { id: 'notional', header: 'Notional', align: 'right', cell: (row) => <Amount value={row.notional} /> },
  {
    id: 'fee',
    header: 'Fee',
    align: 'right',
    cell: (row) => (
      <>
        <Quantity value={row.fee} /> {row.feeAsset}
      </>
    ),
  },
  { id: 'pnl', header: 'Realised', align: 'right', cell: (row) => <Pnl value={row.realizedPnl} /> },
  {
    id: 'liquidity',
    header: 'Liquidity',
    cell: (row) => (row.liquidity === 'MAKER' ? 'Maker' : 'Taker'),
    width: 80,
  },
  { id: 'note', header: 'Note', cell: (row) => <FillNote fill={row} />, width: 110 },
  {
    id: 'position',
    header: 'Position',
    width: 80,
    cell: (row) => row.positionId !== null && <Link href={`/positions/${row.positionId}`}>View</Link>,
  },
];

const fillKey = ({ id }: Fill) => id;

export function FillsTable({ list, isFiltered, onAllDays }: HistoryTableProps<Fill>) {
  return (
    <Table
      label="Fills"
      {...list}
      columns={COLUMNS}
      rowKey={fillKey}
      empty={
        isFiltered ? (
          <EmptyState title="No fills on these days" action={<Button onClick={onAllDays}>All days</Button>}>
            Other days may have some.
          </EmptyState>
        ) : (
          <EmptyState title="No fills yet" action={<Link href="/trade">Build a basket</Link>}>
            Each part of an order that the venue fills appears here.
          </EmptyState>
        )
      }
    />
  );
}
