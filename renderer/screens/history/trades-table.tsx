/** Closed trades, newest close first; a row expands to its legs and the steps between opening and close. */
import { Link } from 'wouter';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { Quantity, Ratio, Side } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import {
  amountColumn,
  pnlColumn,
  quantityColumn,
  ratioColumn,
  returnColumn,
} from '../../components/figure-columns.tsx';
import { formatSpan } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { PlacedBy } from '../../features/placed-by/placed-by.tsx';
import css from './history.module.css';
import type { ClosedTrade } from './history-csv.ts';
import { HistoryTable, type HistoryView } from './history-table.tsx';
import { useClosedTrades } from './use-history.ts';

type Leg = ClosedTrade['legs'][number];
type Step = NonNullable<ClosedTrade['steps']>[number];

const COLUMNS: readonly Column<ClosedTrade>[] = [
  timeColumn('closed', 'Closed', (row) => row.closedAt, { width: 190 }),
  { id: 'basket', header: 'Basket', isText: true, cell: (row) => <BasketLabel legs={row.legs} /> },
  valueColumn('held', 'Held', (row) => row.durationSeconds, {
    align: 'right',
    draw: (seconds) => formatSpan(seconds * 1_000),
  }),
  pnlColumn('realised', 'Realised', (row) => row.realizedPnl),
  amountColumn('fees', 'Fees', (row) => row.fees),
  pnlColumn('funding', 'Funding', (row) => row.funding),
  pnlColumn('net', 'Net', (row) => row.netPnl, { sorts: true }),
  returnColumn('return', 'Return', (row) => row.returnPct, { sorts: true }),
  {
    id: 'origin',
    header: 'Note',
    width: 120,
    cell: (row) =>
      row.origin !== 'GATEWAY' && (
        <Badge tone="warn">{row.origin === 'MIXED' ? 'Partly outside' : 'Traded outside'}</Badge>
      ),
  },
  {
    id: 'position',
    header: 'Position',
    width: 80,
    cell: (row) => <Link href={`/positions/${row.id}`}>View</Link>,
  },
];

const LEG_COLUMNS: readonly Column<Leg>[] = [
  { id: 'leg', header: 'Leg', cell: (row) => <Side side={row.side}>{row.ticker}</Side> },
  quantityColumn('quantity', 'Quantity', (row) => row.quantity),
  ratioColumn('entry', 'Entry', (row) => row.entryPrice, 8),
  ratioColumn('exit', 'Exit', (row) => row.exitPrice, 8),
  pnlColumn('realised', 'Realised', (row) => row.realizedPnl),
  amountColumn('fees', 'Fees', (row) => row.fees),
  pnlColumn('funding', 'Funding', (row) => row.funding),
];

const STEPS: Readonly<Record<Step['kind'], string>> = {
  OPEN: 'Opened',
  INCREASE: 'Increased',
  REDUCE: 'Reduced',
  CLOSE: 'Closed',
  LIQUIDATION: 'Liquidated',
};

const legKey = ({ symbol }: Leg) => symbol;

function TradeDetail({ trade }: { readonly trade: ClosedTrade }) {
  return (
    <div className={layout['stack']}>
      <Table label="Legs" natural rows={trade.legs} columns={LEG_COLUMNS} rowKey={legKey} />
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
      <Ratio value={leg.price} figures={8} />
    </span>
  ));
}

const detailOf = (trade: ClosedTrade) => <TradeDetail trade={trade} />;

export function TradesTable(view: HistoryView) {
  return (
    <HistoryTable
      {...view}
      {...useClosedTrades(view.span)}
      label="Closed trades"
      columns={COLUMNS}
      detail={detailOf}
      noneThen="No trade was closed on these days"
      none={
        <EmptyState title="No closed trades yet" action={<Link href="/positions">See open positions</Link>}>
          Closed positions appear here with their result, step by step.
        </EmptyState>
      }
    />
  );
}
