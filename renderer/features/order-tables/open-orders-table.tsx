/** Orders that the venue may still fill. Market orders end in a moment, so the list is empty most of the time. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { wholeNames } from '../basket-name/basket-column.tsx';
import { useChosenColumns } from '../chosen-columns/chosen-columns.tsx';
import { usePlacers } from '../placed-by/use-placers.ts';
import { RestingButtons } from '../resting-action/resting-buttons.tsx';
import { openOrderColumns } from './open-order-columns.tsx';
import { type OpenOrder, orderState } from './order-states.ts';
import { StateBadge } from './state-badge.tsx';
import { useOpenOrders } from './use-order-data.ts';

const LAST: readonly Column<OpenOrder>[] = [
  { id: 'state', header: 'State', cell: (row) => <StateBadge id={row.id} state={orderState(row)} /> },
  actionsColumn(44, (row) => <OrderButtons order={row} />),
];

function OrderButtons({ order: { id, symbol } }: { readonly order: OpenOrder }) {
  return <RestingButtons what="order" id={id} name={useTicker()(symbol)} actions={['cancel']} />;
}

const orderKey = ({ id }: OpenOrder) => id;

export function OpenOrdersTable() {
  const { data, error, refetch } = useOpenOrders();
  const placers = usePlacers(data);
  const all = useMemo(() => [...openOrderColumns('page', placers), ...LAST], [placers]);
  const columns = useChosenColumns('Open orders', all);
  return (
    <Table
      label="Open orders"
      rows={data}
      columns={columns}
      rowKey={orderKey}
      error={error}
      onRetry={() => void refetch()}
      {...wholeNames(data)}
      empty={
        <EmptyState title="No open orders" action={<Link href="/trade">Build a basket</Link>}>
          No order rests at the venue. Orders that wait for a condition are under Triggers and Ladders.
        </EmptyState>
      }
    />
  );
}
