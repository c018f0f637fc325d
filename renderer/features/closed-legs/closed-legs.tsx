/** Legs of a closed position: entry price, exit price and result of each. */
import type { Row } from '../../../gateway/client/client.ts';
import { Side } from '../../components/amount.tsx';
import { pnlColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { priceColumn, sizeColumn } from '../instrument-figure/instrument-columns.tsx';

type Leg = Row<'GET /positions/closed'>['legs'][number];

const COLUMNS: readonly Column<Leg>[] = [
  { id: 'leg', header: 'Leg', cell: (row) => <Side side={row.side}>{row.ticker}</Side> },
  sizeColumn('quantity', 'Quantity', (row) => row.quantity),
  priceColumn('entry', 'Entry', (row) => row.entryPrice),
  priceColumn('exit', 'Exit', (row) => row.exitPrice),
  pnlColumn('realised', 'Realised', (row) => row.realizedPnl),
  pnlColumn('fees', 'Fees', (row) => negated(row.fees)),
  pnlColumn('funding', 'Funding', (row) => row.funding),
];

const legKey = ({ symbol }: Leg) => symbol;

export function ClosedLegs({ legs }: { readonly legs: readonly Leg[] }) {
  return <Table label="Legs" natural rows={legs} columns={COLUMNS} rowKey={legKey} />;
}
