/** Columns of open positions that more than one screen has: one word means one figure on all of them. */
import type { Row } from '../../../gateway/client/client.ts';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../components/figure-columns.tsx';
import type { Column } from '../../components/table-column.ts';
import { LiquidationMove } from '../liquidation/liquidation.tsx';
import { Guards } from './guards.tsx';
import { netPnl } from './position-net.ts';
import type { Distances } from './use-risk.ts';

type Position = Row<'GET /positions'>;

const PRICE_RATIO = 'Price ratio: longs ÷ shorts, as in the chart';

/** The figures of some of the legs alone are no ratio of the basket; those of a position that is closed are of all its legs. */
export function isWhole({ legs, status }: Pick<Position, 'legs' | 'status'>): boolean {
  return status === 'CLOSED' || legs.every(({ quantity }) => Number(quantity) > 0);
}

/** Why there is none. */
export const NOT_WHOLE = 'a leg is not held: what the others come to is no ratio of the basket';

const SIZE = amountColumn<Position>('size', 'Size', (row) => row.grossNotional, { sorts: true });
const UNREALISED = pnlColumn<Position>('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true });
const SHARE = returnColumn<Position>('share', '%', (row) => row.unrealizedPnlPct, {
  label: 'Unrealised in percent',
  width: 62,
  sorts: true,
});
const NET = pnlColumn<Position>('net', 'Net', netPnl, { width: 70, sorts: true });
const ENTRY: Column<Position> = {
  ...ratioColumn<Position>('entry', <EntryName />, (row) => (isWhole(row) ? row.entryPrice : null)),
  label: 'Entry price ratio',
};
const MARK: Column<Position> = {
  ...ratioColumn<Position>('mark', <span title={PRICE_RATIO}>Price ratio</span>, (row) =>
    isWhole(row) ? row.markPrice : null,
  ),
  label: 'Price ratio',
};
const GUARDS: Column<Position> = {
  id: 'guards',
  header: 'TP / SL',
  isText: true,
  cell: (row) => <Guards position={row} />,
};

export const POSITION_COLUMNS = { SIZE, UNREALISED, SHARE, NET, ENTRY, MARK, GUARDS } as const;

/** Seen in short, beside the price ratio of now: the whole name is as wide as two figures. */
function EntryName() {
  return (
    <span title={PRICE_RATIO}>
      Entry<span className="visually-hidden"> price ratio</span>
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

/** About as wide as these columns become, px. */
export const POSITION_PX = {
  size: 88,
  pnl: 80,
  share: 62,
  net: 70,
  entry: 80,
  mark: 80,
  liquidation: 92,
} as const;
