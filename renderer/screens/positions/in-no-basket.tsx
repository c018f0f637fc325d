/** Holdings of the account in no basket, with the reasons. Nothing while there are none. */
import { Side } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { negated, signOf } from '../../components/format.ts';
import { Panel } from '../../components/page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { notionalOf } from './position-sums.ts';
import css from './positions.module.css';
import { type Unassigned, useUnassigned } from './use-position-data.ts';

const SOURCES = {
  OUTSIDE: {
    name: 'Past Tandem',
    meaning:
      'Traded at the venue itself, and part of no basket. Closing a basket leaves it as it is, but for what was traded against the legs of that basket since it was opened. To close the rest, settle it into a position first, or close it at the venue.',
  },
  DUST: {
    name: 'Left over',
    meaning:
      'Remained of a closed basket, too small for an order of its own. The next close of the instrument takes it along.',
  },
} as const satisfies Record<Unassigned['source'], unknown>;
const SOURCE_NAMES = ['OUTSIDE', 'DUST'] as const;

const isShort = ({ quantity }: Unassigned) => signOf(quantity) < 0;

const COLUMNS: readonly Column<Unassigned>[] = [
  { id: 'instrument', header: 'Instrument', cell: (row) => row.ticker, width: 110 },
  { id: 'side', header: 'Side', cell: (row) => <Side side={isShort(row) ? 'SELL' : 'BUY'} />, width: 90 },
  sizeColumn('quantity', 'Quantity', (row) => (isShort(row) ? negated(row.quantity) : row.quantity)),
  priceColumn('price', 'Price', (row) => row.price),
  priceColumn('mark', 'Mark', (row) => row.markPrice),
  amountColumn('notional', 'Notional', (row) => notionalOf(row).replace('-', '')),
  pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl),
  { id: 'since', header: 'Since', cell: (row) => <Time at={row.timestamp} style="short" />, width: 120 },
  {
    id: 'source',
    header: 'Source',
    cell: ({ source }) => (
      <Badge tone={source === 'OUTSIDE' ? 'warn' : 'neutral'}>{SOURCES[source].name}</Badge>
    ),
    width: 130,
  },
];

const holdingKey = ({ id }: Unassigned) => id;

export function InNoBasket() {
  const { data, error, refetch } = useUnassigned();
  if (data === undefined)
    return error === null ? null : <ErrorState compact error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <Panel title="Holdings outside Tandem" flush live>
      <Table label="Holdings outside Tandem" rows={data} columns={COLUMNS} rowKey={holdingKey} natural />
      <Facts
        className={css['sources']}
        of={Object.fromEntries(
          SOURCE_NAMES.filter((name) => data.some(({ source }) => source === name)).map((name) => [
            SOURCES[name].name,
            SOURCES[name].meaning,
          ]),
        )}
      />
    </Panel>
  );
}
