/** Every fill of a position, newest first. */
import type { Row } from '../../../gateway/client/client.ts';
import { Amount, Pnl, Quantity } from '../../components/amount.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { FillNote } from '../../features/fill-note/fill-note.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { usePositionFills } from './use-position-data.ts';

type Fill = Row<'GET /fills'>;

const COLUMNS: readonly Column<Fill>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: (fill) => <Time at={fill.timestamp} />,
    sort: (fill) => fill.timestamp,
  },
  {
    id: 'leg',
    header: 'Instrument',
    cell: (fill) => <Ticker symbol={fill.symbol} />,
    sort: (fill) => fill.symbol,
  },
  { id: 'side', header: 'Side', cell: (fill) => (fill.side === 'BUY' ? 'Buy' : 'Sell') },
  { id: 'quantity', header: 'Quantity', align: 'right', cell: (fill) => <Quantity value={fill.quantity} /> },
  { id: 'price', header: 'Price', align: 'right', cell: (fill) => <Quantity value={fill.price} /> },
  { id: 'notional', header: 'Notional', align: 'right', cell: (fill) => <Amount value={fill.notional} /> },
  { id: 'fee', header: 'Fee', align: 'right', cell: (fill) => <Amount value={fill.fee} digits={4} /> },
  { id: 'pnl', header: 'Realised', align: 'right', cell: (fill) => <Pnl value={fill.realizedPnl} /> },
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
