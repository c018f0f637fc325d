/** The legs of a position, as a table of its own. */
import { Percent, Side } from '../../components/amount.tsx';
import { amountColumn, pnlColumn, quantityColumn, ratioColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import type { PositionLeg } from './use-position-data.ts';

/** Significant figures of average prices, whose many digits are hard to read. */
const FIGURES = 7;

const COLUMNS: readonly Column<PositionLeg>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Side side={leg.side}>{leg.ticker}</Side> },
  quantityColumn('quantity', 'Quantity', (leg) => leg.quantity),
  ratioColumn('entry', 'Entry', (leg) => leg.entryPrice, FIGURES),
  ratioColumn('mark', 'Mark', (leg) => leg.markPrice, FIGURES),
  amountColumn('notional', 'Notional', (leg) => leg.notional),
  {
    id: 'weight',
    header: 'Weight / target',
    align: 'right',
    cell: (leg) => (
      <>
        <Percent value={leg.currentWeight} digits={1} /> / <Percent value={leg.targetWeight} digits={1} />
      </>
    ),
  },
  pnlColumn('unrealised', 'Unrealised', (leg) => leg.unrealizedPnl),
  pnlColumn('realised', 'Realised', (leg) => leg.realizedPnl, { width: 70 }),
  pnlColumn('funding', 'Funding', (leg) => negated(leg.fundingPaid), { width: 66 }),
  amountColumn('fees', 'Fees', (leg) => leg.feesPaid, { width: 58 }),
  { id: 'leverage', header: 'Leverage', align: 'right', cell: (leg) => `${leg.leverage}× ${leg.marginMode}` },
  ratioColumn('liquidation', 'Liquidation', (leg) => leg.liquidationPrice, FIGURES),
];

const legKey = ({ symbol }: PositionLeg) => symbol;

/** Columns that narrow places leave out, for the figures that a trader reads first. */
const FULL_ONLY = new Set(['realised', 'funding', 'fees']);
const BRIEF_COLUMNS = COLUMNS.filter(({ id }) => !FULL_ONLY.has(id));

export function PositionLegs({
  legs,
  isBrief = false,
}: {
  readonly legs: readonly PositionLeg[];
  readonly isBrief?: boolean;
}) {
  return (
    <Table label="Legs" natural rows={legs} columns={isBrief ? BRIEF_COLUMNS : COLUMNS} rowKey={legKey} />
  );
}
