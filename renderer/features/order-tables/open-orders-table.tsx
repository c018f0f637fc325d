/** Orders that the venue may still fill. Market orders end in a moment, so the list is empty most of the time. */
import Big from 'big.js';
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Percent } from '../../components/amount.tsx';
import { amountColumn } from '../../components/figure-columns.tsx';
import layout from '../../components/layout.module.css';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { basketColumn, wholeNames } from '../basket-name/basket-column.tsx';
import { useChosenColumns } from '../chosen-columns/chosen-columns.tsx';
import { priceColumn, sizeColumn } from '../instrument-figure/instrument-columns.tsx';
import { type Authority, placedByColumn } from '../placed-by/placed-by.tsx';
import { usePlacers } from '../placed-by/use-placers.ts';
import { RestingButtons } from '../resting-action/resting-buttons.tsx';
import { Ticker } from '../ticker/ticker.tsx';
import { stateColumn } from './order-columns.tsx';
import { type OpenOrder, orderState } from './order-states.ts';
import { type OrderTableProps, orderKey, type Place, useCancelListed } from './order-table.tsx';
import { orderAction } from './order-words.ts';

function columnsOf(place: Place, placers: ReadonlyMap<string, Authority>): readonly Column<OpenOrder>[] {
  return [
    basketColumn<OpenOrder>('Basket'),
    { id: 'does', header: 'Action', cell: orderAction },
    { id: 'order', header: 'Order', cell: orderOf },
    amountColumn('notional', 'Notional', (row) => row.notional),
    {
      id: 'filled',
      header: 'Filled',
      align: 'right',
      priority: 1,
      cell: place === 'page' ? filledOf : shareOf,
      ...(place === 'page' ? {} : { width: 56 }),
    },
    { ...sizeColumn<OpenOrder>('quantity', 'Quantity', (row) => row.quantity), priority: 5 },
    { ...priceColumn<OpenOrder>('limit', 'Price limit', (row) => row.limitPrice), priority: 2 },
    {
      id: 'age',
      header: 'Age',
      align: 'right',
      priority: 4,
      cell: (row) => <Age since={row.createdAt} />,
      width: 60,
    },
    { ...placedByColumn<OpenOrder>(({ executionId }) => placers.get(executionId)), priority: 3 },
    ...(place === 'page' ? [stateColumn<OpenOrder>(orderState)] : []),
  ];
}

function orderOf({ side, symbol }: OpenOrder) {
  return (
    <>
      {side === 'BUY' ? 'Buy' : 'Sell'} <Ticker symbol={symbol} />
    </>
  );
}

/** Filled share, rounded down: an open order is never filled whole, and "0 %" means that nothing has filled. */
function shareOf({ quantity, filledQuantity }: OpenOrder) {
  const share = quantity === null ? new Big(0) : new Big(filledQuantity).div(quantity);
  if (share.gt(0) && share.lt('0.01')) return '<\u00a01\u00a0%';
  return <Percent value={share.round(2, Big.roundDown).toFixed()} digits={0} />;
}

function filledOf(order: OpenOrder) {
  if (Number(order.filledQuantity) === 0) return shareOf(order);
  return (
    <>
      <Amount value={order.filledNotional} /> <span className={layout['quiet']}>{shareOf(order)}</span>
    </>
  );
}

function OrderButtons({ order: { id, symbol } }: { readonly order: OpenOrder }) {
  return <RestingButtons what="order" id={id} name={useTicker()(symbol)} actions={['cancel']} />;
}

export function OpenOrdersTable({ place, list, empty }: OrderTableProps<OpenOrder>) {
  const placers = usePlacers(list.rows);
  const cancelAll = useCancelListed('orders', place === 'page' ? undefined : list.rows);
  const all = useMemo(
    () => [
      ...columnsOf(place, placers),
      actionsColumn<OpenOrder>(44, (row) => <OrderButtons order={row} />, true, cancelAll),
    ],
    [place, placers, cancelAll],
  );
  const columns = useChosenColumns('Open orders', all);
  return (
    <Table
      label="Open orders"
      {...list}
      columns={columns}
      rowKey={orderKey}
      {...wholeNames(list.rows)}
      empty={empty}
    />
  );
}
