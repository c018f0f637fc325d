/** Orders that the venue may still fill. Market orders end in a moment, so the list is empty most of the time. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Quantity } from '../../components/amount.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { type SettlingAction, useSettling } from '../../features/resting-action/use-settling.ts';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { type OpenOrder, orderState } from './order-states.ts';
import { RestingButtons } from './resting-buttons.tsx';
import { StateBadge } from './state-badge.tsx';
import { useOpenOrders } from './use-order-data.ts';

const CHANGED: readonly ReadRoute[] = ['GET /orders', 'GET /executions'];

const FIGURES: readonly Column<OpenOrder>[] = [
  { id: 'leg', header: 'Instrument', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell') },
  { id: 'quantity', header: 'Quantity', align: 'right', cell: (row) => <Quantity value={row.quantity} /> },
  { id: 'filled', header: 'Filled', align: 'right', cell: (row) => <Quantity value={row.filledQuantity} /> },
  { id: 'limit', header: 'Worst price', align: 'right', cell: (row) => <Quantity value={row.limitPrice} /> },
  { id: 'age', header: 'Age', align: 'right', cell: (row) => <Age since={row.createdAt} /> },
  { id: 'state', header: 'State', cell: (row) => <StateBadge id={row.id} state={orderState(row)} /> },
];

function OrderButtons({
  order,
  run,
}: {
  readonly order: OpenOrder;
  readonly run: (action: SettlingAction) => Promise<boolean>;
}) {
  const client = useClient();
  const tickerOf = useTicker();
  return (
    <RestingButtons
      id={order.id}
      what="order"
      name={tickerOf(order.symbol)}
      actions={['cancel']}
      consequence="What has filled stays."
      change={() => client.call('POST /orders/{id}/cancel', { params: { id: order.id } })}
      run={run}
    />
  );
}

const orderKey = ({ id }: OpenOrder) => id;

export function OpenOrdersTable() {
  const { data, error, refetch } = useOpenOrders();
  const run = useSettling(CHANGED);
  const columns = useMemo(
    (): readonly Column<OpenOrder>[] => [
      ...FIGURES,
      actionsColumn(76, (row) => <OrderButtons order={row} run={run} />),
    ],
    [run],
  );
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
          Nothing is at the venue unfilled. What waits for a condition stands under Triggers and Ladders.
        </EmptyState>
      }
    />
  );
}
