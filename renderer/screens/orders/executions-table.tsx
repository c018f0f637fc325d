/** Executions, newest first, each with its orders. */
import Big from 'big.js';
import { Link } from 'wouter';
import type { Execution } from '../../../gateway/client/client.ts';
import { useTicker } from '../../api/market.ts';
import { Amount, Quantity } from '../../components/amount.tsx';
import { pagedTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { BasketCell } from '../../features/basket-name/basket-column.tsx';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { Note } from '../../features/order-tables/note.tsx';
import { executionState, orderState } from '../../features/order-tables/order-states.ts';
import { INTENTS, ORIGINS } from '../../features/order-tables/order-words.ts';
import { StateBadge } from '../../features/order-tables/state-badge.tsx';
import { placedByColumn } from '../../features/placed-by/placed-by.tsx';
import { endText, onlyReduces, reasonText } from '../../features/sent-orders/partly-filled.ts';
import { Ticker } from '../../features/ticker/ticker.tsx';
import { useExecutions } from './use-order-data.ts';

type Order = Execution['orders'][number];

const COLUMNS: readonly Column<Execution>[] = [
  { id: 'time', header: 'Placed', cell: (row) => <Time at={row.createdAt} />, width: 190 },
  { id: 'basket', header: 'Basket', cell: (row) => <BasketCell legs={legsAsHeld(row)} /> },
  { id: 'intent', header: 'Action', cell: (row) => INTENTS[row.intent], width: 90 },
  { id: 'origin', header: 'Type', cell: (row) => ORIGINS[row.origin], width: 100 },
  { ...placedByColumn<Execution>((row) => row.authority), priority: 2 },
  // The filled legs are also under the row, like the full note.
  { id: 'legs', header: 'Filled legs', align: 'right', cell: filledLegs, width: 100, priority: 3 },
  {
    id: 'usd',
    header: 'Filled',
    align: 'right',
    cell: (row) => <Amount value={filledUsd(row)} />,
    width: 110,
  },
  { id: 'state', header: 'State', cell: (row) => <StateBadge state={executionState(row)} />, width: 120 },
  { id: 'note', header: 'Note', isText: true, priority: 1, width: 260, cell: (row) => <EndNote of={row} /> },
  {
    id: 'position',
    header: 'Position',
    cell: (row) => row.positionId !== null && <Link href={`/positions/${row.positionId}`}>View</Link>,
    width: 80,
  },
];

/** Legs with the held sides: closing orders have the opposite sides, and a basket is named by its held legs. */
function legsAsHeld(execution: Execution) {
  const closes = onlyReduces(execution);
  return execution.orders.map(({ symbol, side }) => ({
    symbol,
    side: closes ? (side === 'BUY' ? ('SELL' as const) : ('BUY' as const)) : side,
  }));
}

function filledLegs({ orders }: Execution): string {
  return `${orders.filter(({ status }) => status === 'FILLED').length} of ${orders.length}`;
}

/** Σ filled quantity × average price, USD. */
function filledUsd({ orders }: Execution): string {
  return orders
    .reduce((sum, one) => sum.plus(new Big(one.filledQuantity).times(one.averagePrice ?? 0)), new Big(0))
    .toFixed();
}

function EndNote({ of, isWhole }: { readonly of: Execution; readonly isWhole?: boolean }) {
  const end = endText(of, useTicker(), { isPast: true });
  const reason = end === null || of.error === null ? of.error : reasonText(of.error);
  return <Note isWhole={isWhole ?? false} text={[end, reason].filter((part) => part !== null).join('. ')} />;
}

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { id: 'leg', header: 'Leg', cell: (row) => <Ticker symbol={row.symbol} /> },
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell') },
  { id: 'asked', header: 'Asked for', align: 'right', cell: asked },
  sizeColumn('quantity', 'Sent', (row) => row.quantity),
  sizeColumn('filled', 'Filled', (row) => row.filledQuantity),
  priceColumn('price', 'Average price', (row) => row.averagePrice),
  priceColumn('limit', 'Price limit', (row) => row.limitPrice),
  { id: 'attempt', header: 'Attempts', align: 'right', cell: (row) => row.attempt },
  { id: 'state', header: 'State', cell: (row) => <StateBadge state={orderState(row)} /> },
];

function asked({ mode, amount }: Order) {
  return mode === 'USD' ? <Amount value={amount} /> : <Quantity value={amount} />;
}

const orderKey = ({ id }: { readonly id: string }) => id;

function OrderError({ of: { symbol, error } }: { readonly of: Order }) {
  const ticker = useTicker()(symbol);
  return <Note isWhole text={error === null ? null : `${ticker}: ${error}`} />;
}

const ordersOf = (row: Execution) => (
  <>
    <EndNote isWhole of={row} />
    <Table
      label="Orders of the execution"
      natural
      rows={row.orders}
      columns={ORDER_COLUMNS}
      rowKey={orderKey}
    />
    {/* Errors stand below the row: as the last of ten columns they would be cut off. */}
    {row.orders.map((order) => (
      <OrderError key={order.id} of={order} />
    ))}
  </>
);

export function ExecutionsTable() {
  return (
    <Table
      label="Executions"
      {...pagedTable(useExecutions())}
      columns={COLUMNS}
      rowKey={orderKey}
      detail={ordersOf}
      empty={
        <EmptyState title="No executions yet" action={<Link href="/trade">Build a basket</Link>}>
          Baskets that are sent to the venue are listed here, with their orders.
        </EmptyState>
      }
    />
  );
}
