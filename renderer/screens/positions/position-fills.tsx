/** Every fill of a position, newest first. */
import type { Row } from '../../../gateway/client/client.ts';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { FillFee } from '../../features/fill-fee/fill-fee.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { usePositionFills } from './use-position-data.ts';

type Fill = Row<'GET /fills'>;

const COLUMNS: readonly Column<Fill>[] = [
  timeColumn('time', 'Time', (fill) => fill.timestamp),
  valueColumn('leg', 'Instrument', (fill) => fill.symbol, { draw: (symbol) => <Ticker symbol={symbol} /> }),
  { id: 'side', header: 'Side', cell: (fill) => (fill.side === 'BUY' ? 'Buy' : 'Sell') },
  sizeColumn('quantity', 'Quantity', (fill) => fill.quantity),
  priceColumn('price', 'Price', (fill) => fill.price),
  amountColumn('notional', 'Notional', (fill) => fill.notional),
  {
    id: 'fee',
    header: 'Fee',
    align: 'right',
    cell: (fill) => <FillFee fee={fill.fee} feeAsset={fill.feeAsset} />,
  },
  pnlColumn('pnl', 'Realised', (fill) => fill.realizedPnl),
  { id: 'note', header: 'Note', cell: (fill) => <FillNote fill={fill} /> },
];

const fillKey = ({ id }: Fill) => id;

export function PositionFills({ positionId }: { readonly positionId: string }) {
  const { data, error, refetch } = usePositionFills(positionId);
  return (
    <Table
      label="Fills of the position"
      rows={data}
      columns={COLUMNS}
      rowKey={fillKey}
      height={360}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title="No fills yet">They appear as the venue reports them.</EmptyState>}
    />
  );
}
