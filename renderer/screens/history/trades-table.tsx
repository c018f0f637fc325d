/** Closed trades, newest close first; a row expands to its legs and the steps between opening and close. */
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { Percent, Quantity } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { amountColumn, pnlColumn, returnColumn } from '../../components/figure-columns.tsx';
import { formatSpan, negated } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { ClosedLegs } from '../../features/closed-legs/closed-legs.tsx';
import { enteredUsd } from '../../features/closed-legs/entered.ts';
import { Price } from '../../features/instrument-figure/instrument-figure.tsx';
import { PlacedBy } from '../../features/placed-by/placed-by.tsx';
import css from './history.module.css';
import type { ClosedTrade } from './history-csv.ts';
import { HistoryTable, type HistoryView } from './history-table.tsx';
import { useClosedTrades } from './use-history.ts';

type Step = NonNullable<ClosedTrade['steps']>[number];

const COLUMNS: readonly Column<ClosedTrade>[] = [
  timeColumn('closed', 'Closed', (row) => row.closedAt, { width: 190 }),
  { id: 'basket', header: 'Basket', isText: true, cell: (row) => <BasketLabel legs={row.legs} /> },
  {
    ...valueColumn<ClosedTrade, number>('held', 'Held', (row) => row.durationSeconds, {
      align: 'right',
      draw: (seconds) => formatSpan(seconds * 1_000),
    }),
    priority: 4,
  },
  { ...amountColumn<ClosedTrade>('entered', 'Entered', enteredUsd, { sorts: true }), priority: 3 },
  pnlColumn('realised', 'Realised', (row) => row.realizedPnl),
  { ...pnlColumn<ClosedTrade>('fees', 'Fees', (row) => negated(row.fees)), priority: 2 },
  { ...pnlColumn<ClosedTrade>('funding', 'Funding', (row) => row.funding), priority: 1 },
  pnlColumn('net', 'Net', (row) => row.netPnl, { sorts: true }),
  {
    ...returnColumn<ClosedTrade>(
      'return',
      <span title="Net in percent of all that was entered">Return</span>,
      (row) => row.returnPct,
      { sorts: true, label: 'Return' },
    ),
    // Returns of small trades are thousandths of a percent, and a small loss must not read as zero.
    cell: (row) => <Percent value={row.returnPct} of="percent" pnl digits={3} />,
  },
  {
    id: 'origin',
    header: 'Note',
    cell: (row) =>
      row.origin !== 'GATEWAY' && (
        <Badge tone="warn">
          {row.origin === 'MIXED' ? 'Partly outside Tandem' : 'Traded outside Tandem'}
        </Badge>
      ),
  },
  {
    id: 'position',
    header: 'Position',
    width: 80,
    cell: (row) => <Link href={`/positions/${row.id}`}>View</Link>,
  },
];

const STEPS: Readonly<Record<Step['kind'], string>> = {
  OPEN: 'Opened',
  INCREASE: 'Increased',
  REDUCE: 'Reduced',
  CLOSE: 'Closed',
  LIQUIDATION: 'Liquidated',
};

function TradeDetail({ trade }: { readonly trade: ClosedTrade }) {
  return (
    <div className={layout['stack']}>
      <ClosedLegs legs={trade.legs} />
      <ol className={css['steps']} aria-label="Steps">
        {(trade.steps ?? []).map((step) => (
          <li key={`${step.at}:${step.executionId ?? step.kind}`}>
            <Time at={step.at} />
            <span className={css['kind']}>{STEPS[step.kind]}</span>
            <span>
              <StepLegs step={step} />
            </span>
            {step.executionId !== null && <StepPlacer executionId={step.executionId} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepPlacer({ executionId }: { readonly executionId: string }) {
  const { data } = useGet('GET /executions/{id}', { params: { id: executionId } });
  return (
    <span className={css['by']}>
      <PlacedBy authority={data?.execution.authority} />
    </span>
  );
}

function StepLegs({ step }: { readonly step: Step }) {
  const tickerOf = useTicker();
  return step.legs.map((leg, index) => (
    <span key={leg.symbol}>
      {index > 0 && ', '}
      {leg.side === 'BUY' ? 'bought' : 'sold'} <Quantity value={leg.quantity} /> {tickerOf(leg.symbol)} at{' '}
      <Price symbol={leg.symbol} value={leg.price} />
    </span>
  ));
}

const NEWEST = { by: 'closed', down: true } as const;
const detailOf = (trade: ClosedTrade) => <TradeDetail trade={trade} />;

export function TradesTable(view: HistoryView) {
  return (
    <HistoryTable
      {...view}
      {...useClosedTrades(view.span)}
      label="Closed trades"
      columns={COLUMNS}
      comesBy={NEWEST}
      detail={detailOf}
      noneThen="No trade was closed on these days"
      none={
        <EmptyState title="No closed trades yet" action={<Link href="/positions">See open positions</Link>}>
          Closed positions appear here with their result, and with each step between opening and close.
        </EmptyState>
      }
    />
  );
}
