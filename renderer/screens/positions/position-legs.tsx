/** The legs of a position, as a table of its own. */
import { Amount, Percent, Pnl, Quantity, Ratio, Side } from '../../components/amount.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { negated } from './figures.ts';
import type { PositionLeg } from './use-position-data.ts';

const COLUMNS: readonly Column<PositionLeg>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Side side={leg.side}>{leg.ticker}</Side> },
  { id: 'quantity', header: 'Quantity', align: 'right', cell: (leg) => <Quantity value={leg.quantity} /> },
  { id: 'entry', header: 'Entry', align: 'right', cell: (leg) => <Price value={leg.entryPrice} /> },
  { id: 'mark', header: 'Mark', align: 'right', cell: (leg) => <Price value={leg.markPrice} /> },
  { id: 'notional', header: 'Notional', align: 'right', cell: (leg) => <Amount value={leg.notional} /> },
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
  {
    id: 'unrealised',
    header: 'Unrealised',
    align: 'right',
    cell: (leg) => <Pnl value={leg.unrealizedPnl} />,
  },
  {
    id: 'realised',
    header: 'Realised',
    align: 'right',
    width: 70,
    cell: (leg) => <Pnl value={leg.realizedPnl} />,
  },
  {
    id: 'funding',
    width: 66,
    header: 'Funding',
    align: 'right',
    cell: (leg) => <Pnl value={negated(leg.fundingPaid)} />,
  },
  { id: 'fees', header: 'Fees', align: 'right', width: 58, cell: (leg) => <Amount value={leg.feesPaid} /> },
  { id: 'leverage', header: 'Leverage', align: 'right', cell: (leg) => `${leg.leverage}x ${leg.marginMode}` },
  {
    id: 'liquidation',
    header: 'Liquidation',
    align: 'right',
    cell: (leg) => <Price value={leg.liquidationPrice} />,
  },
];

/** Averages have more digits than anybody reads. */
function Price({ value }: { readonly value: string | null }) {
  return <Ratio value={value} figures={7} />;
}

const legKey = ({ symbol }: PositionLeg) => symbol;

/** Where there is less room: what a trader looks at first. */
const BRIEF = new Set([
  'leg',
  'quantity',
  'entry',
  'mark',
  'notional',
  'weight',
  'unrealised',
  'leverage',
  'liquidation',
]);
const BRIEF_COLUMNS = COLUMNS.filter(({ id }) => BRIEF.has(id));

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
