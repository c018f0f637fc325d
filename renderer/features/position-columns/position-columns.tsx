/** Columns of open positions that several screens share: one word means the same figure on all of them. */
import type { Row } from '../../../gateway/client/client.ts';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../components/figure-columns.tsx';
import type { Column } from '../../components/table-column.ts';
import { LiquidationMove } from '../liquidation/liquidation.tsx';
import { Guards } from './guards.tsx';
import { isWhole } from './is-whole.ts';
import { NetPnl } from './net-pnl.tsx';
import { netPnl } from './position-net.ts';
import type { Distances } from './use-risk.ts';

type Position = Row<'GET /positions'>;

const PRICE_RATIO = 'Price ratio: longs ÷ shorts, as in the chart';

const SIZE = amountColumn<Position>('size', 'Size', (row) => row.grossNotional, { sorts: true });
const UNREALISED = pnlColumn<Position>('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true });
const SHARE = returnColumn<Position>('share', '% of entry', (row) => row.unrealizedPnlPct, {
  label: 'Unrealised, % of entry',
  width: 76,
  sorts: true,
});
const NET: Column<Position> = {
  ...pnlColumn<Position>('net', 'Net PnL', netPnl, { width: 72, sorts: true }),
  cell: (row) => <NetPnl of={row} />,
};
const ENTRY: Column<Position> = {
  ...ratioColumn<Position>('entry', <EntryName />, (row) => (isWhole(row) ? row.entryPrice : null)),
  label: 'Entry price ratio',
};
const MARK: Column<Position> = {
  ...ratioColumn<Position>('mark', <NowName />, (row) => (isWhole(row) ? row.markPrice : null)),
  label: 'Price ratio now',
};
const GUARDS: Column<Position> = {
  id: 'guards',
  header: 'TP / SL',
  isText: true,
  cell: (row) => <Guards position={row} />,
};

export const POSITION_COLUMNS = { SIZE, UNREALISED, SHARE, NET, ENTRY, MARK, GUARDS } as const;

/** Short names of the two columns: the whole name is as wide as two figures. */
function EntryName() {
  return (
    <span title={PRICE_RATIO}>
      Entry<span className="visually-hidden"> price ratio</span>
    </span>
  );
}

function NowName() {
  return (
    <span title={PRICE_RATIO}>
      <span className="visually-hidden">Price ratio </span>Now
    </span>
  );
}

export function liquidationColumn(distances: Distances): Column<Position> {
  return {
    id: 'liquidation',
    header: 'To liquidation',
    align: 'right',
    width: 92,
    cell: (row) => <LiquidationMove risk={distances?.get(row.id)} />,
    sort: (row) => Math.abs(Number(distances?.get(row.id)?.ratioMove ?? Number.MAX_VALUE)),
  };
}
