/** Orders that the venue may still fill. Market orders end in a moment, so the list is empty most of the time. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { useFittingColumns } from '../../features/fitting-columns/use-fitting-columns.ts';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { type Authority, placedByColumn } from '../../features/placed-by/placed-by.tsx';
import { usePlacers } from '../../features/placed-by/use-placers.ts';
import { RestingButtons } from '../../features/resting-action/resting-buttons.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { type OpenOrder, orderState } from './order-states.ts';
import { StateBadge } from './state-badge.tsx';
import { useOpenOrders } from './use-order-data.ts';

const COLUMNS: readonly Column<OpenOrder>[] = [
  { id: 'leg', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell') },
  sizeColumn('quantity', 'Quantity', (row) => row.quantity),
  sizeColumn('filled', 'Filled', (row) => row.filledQuantity),
  priceColumn('limit', 'Price limit', (row) => row.limitPrice),
  { id: 'age', header: 'Age', align: 'right', cell: (row) => <Age since={row.createdAt} /> },
];
const LAST: readonly Column<OpenOrder>[] = [
  { id: 'state', header: 'State', cell: (row) => <StateBadge id={row.id} state={orderState(row)} /> },
  actionsColumn(76, (row) => <OrderButtons order={row} />),
];

function OrderButtons({ order: { id, symbol } }: { readonly order: OpenOrder }) {
  return <RestingButtons what="order" id={id} name={useTicker()(symbol)} actions={['cancel']} />;
}

function columnsWith(placers: ReadonlyMap<string, Authority>): readonly Column<OpenOrder>[] {
  return [...COLUMNS, placedByColumn(({ executionId }) => placers.get(executionId)), ...LAST];
}

const SPARE = ['by'];

const orderKey = ({ id }: OpenOrder) => id;

export function OpenOrdersTable() {
  const { data, error, refetch } = useOpenOrders();
  const placers = usePlacers(data);
  const all = useMemo(() => columnsWith(placers), [placers]);
  const columns = useFittingColumns(all, SPARE);
  return (
    <Table
      label="Open orders"
      rows={data}
      columns={columns}
      rowKey={orderKey}
      error={error}
      onRetry={() => void refetch()}
      empty={
        <EmptyState title="No open orders" action={<Link href="/trade">Build a basket</Link>}>
          No order rests at the venue. Orders that wait for a condition are under Triggers and Ladders.
        </EmptyState>
      }
    />
  );
}
