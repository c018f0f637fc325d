/** Funding payments of the account, newest first, with the total of the chosen days. */
import { Link } from 'wouter';
import { NoFigure, Percent, Pnl, Side } from '../../components/amount.tsx';
import { amountColumn } from '../../components/figure-columns.tsx';
import { EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table-column.ts';
import { timeColumn } from '../../components/value-columns.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import type { FundingPayment } from './history-csv.ts';
import { HistoryTable, type HistoryView } from './history-table.tsx';
import { useFundingPayments, useFundingTotal } from './use-history.ts';

const IN_NO_BASKET = { POSITION: '', OUTSIDE: 'Past Tandem', DUST: 'Left over' } as const;
/** Hourly rates have many zeros after the decimal point. */
const RATE_DIGITS = 5;
/** Hourly payments are often fractions of a cent. */
const AMOUNT_DIGITS = 4;

const COLUMNS: readonly Column<FundingPayment>[] = [
  timeColumn('time', 'Time', (row) => row.timestamp, { width: 190 }),
  {
    id: 'instrument',
    header: 'Instrument',
    cell: ({ side, ticker }) => (side === null ? ticker : <Side side={side}>{ticker}</Side>),
  },
  {
    id: 'basket',
    header: 'Basket',
    isText: true,
    cell: ({ legs, paidOn }) => (legs.length === 0 ? IN_NO_BASKET[paidOn] : <BasketLabel legs={legs} />),
  },
  amountColumn('size', 'Size', (row) => row.notional),
  {
    id: 'rate',
    header: 'Rate',
    align: 'right',
    cell: ({ rate, notional }) =>
      notional === null ? <NoFigure /> : <Percent value={rate} digits={RATE_DIGITS} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount }) => <Pnl value={amount} digits={AMOUNT_DIGITS} />,
  },
  {
    id: 'position',
    header: 'Position',
    width: 80,
    cell: ({ positionId }) => positionId !== null && <Link href={`/positions/${positionId}`}>View</Link>,
  },
];

const NEWEST = { by: 'time', down: true } as const;

export function FundingTable(view: HistoryView) {
  const payments = useFundingPayments(view.span);
  const total = useFundingTotal(view.span);
  const isEmpty = (payments.rows?.length ?? 0) === 0;
  return (
    <HistoryTable
      {...view}
      {...payments}
      label="Funding payments"
      columns={COLUMNS}
      comesBy={NEWEST}
      totals={
        isEmpty
          ? undefined
          : { time: 'All of these days', amount: <Pnl value={total} digits={AMOUNT_DIGITS} /> }
      }
      noneThen="No funding on these days"
      none={
        <EmptyState title="No funding yet" action={<Link href="/trade">Build a basket</Link>}>
          Venues settle funding of open positions every one to eight hours.
        </EmptyState>
      }
    />
  );
}
