/** The legs of a position: a table of its own, or one card a leg where its columns have no room. */
import { useCallback, useMemo, useState } from 'react';
import { useAllRows, useGet } from '../../api/queries.ts';
import { NoFigure, Percent, Side } from '../../components/amount.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';
import { type Column, columnName } from '../../components/table-column.ts';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { Price } from '../../features/instrument-figure/instrument-figure.tsx';
import { type LegOfAccount, legsOfAccount } from './leg-liquidation.ts';
import css from './positions.module.css';
import { OPEN_POSITIONS, type PositionLeg } from './use-position-data.ts';

const COLUMNS: readonly Column<LegOfAccount>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Side side={leg.side}>{leg.ticker}</Side> },
  sizeColumn('quantity', 'Quantity', (leg) => leg.quantity),
  priceColumn('entry', 'Entry', (leg) => leg.entryPrice),
  priceColumn('mark', 'Mark', (leg) => leg.markPrice),
  amountColumn('notional', 'Notional', (leg) => leg.notional),
  {
    id: 'weight',
    header: 'Weight / target',
    align: 'right',
    cell: (leg) => (
      <span className={css['together']}>
        <Percent value={leg.currentWeight} digits={1} /> / <Percent value={leg.targetWeight} digits={1} />
      </span>
    ),
  },
  pnlColumn('unrealised', 'Unrealised', (leg) => leg.unrealizedPnl),
  pnlColumn('realised', 'Realised', (leg) => leg.realizedPnl, { width: 70 }),
  pnlColumn('funding', 'Funding', (leg) => negated(leg.fundingPaid), { width: 66 }),
  amountColumn('fees', 'Fees', (leg) => leg.feesPaid, { width: 58 }),
  { id: 'leverage', header: 'Leverage', align: 'right', cell: (leg) => `${leg.leverage}× ${leg.marginMode}` },
  { id: 'liquidation', header: 'Liquidation', align: 'right', cell: (leg) => <LegLiquidation leg={leg} /> },
];

const legKey = ({ symbol }: LegOfAccount) => symbol;

/** Columns that the drawer leaves out, for the figures that a trader reads first. */
const FULL_ONLY = new Set(['realised', 'funding', 'fees']);
const BRIEF_COLUMNS = COLUMNS.filter(({ id }) => !FULL_ONLY.has(id));

/** Least widths of a place whose columns are all seen, px. */
const FULL_PX = 1060;
const BRIEF_PX = 800;
/** Below this width of the window every table is cards, this one too. */
const CARDS_BELOW_PX = 560;

export function PositionLegs({
  legs,
  isBrief = false,
}: {
  readonly legs: readonly PositionLeg[];
  readonly isBrief?: boolean;
}) {
  const columns = isBrief ? BRIEF_COLUMNS : COLUMNS;
  const least = isBrief ? BRIEF_PX : FULL_PX;
  // Renewed by the screen, whose reads these are too.
  const { data: positions } = useAllRows('GET /positions', OPEN_POSITIONS);
  const past = useGet('GET /positions/unassigned', {}).data?.items;
  const rows = useMemo(() => legsOfAccount(legs, positions, past), [legs, positions, past]);
  const [isNarrow, setIsNarrow] = useState(false);
  const watch = useCallback(
    (place: HTMLDivElement) => {
      const measure = () => setIsNarrow(innerWidth >= CARDS_BELOW_PX && place.clientWidth < least);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(place);
      return () => observer.disconnect();
    },
    [least],
  );
  return (
    <div ref={watch} className={css['legPlace']}>
      {isNarrow ? (
        <LegCards legs={rows} />
      ) : (
        <Table label="Legs" natural rows={rows} columns={columns} rowKey={legKey} />
      )}
    </div>
  );
}

function LegCards({ legs }: { readonly legs: readonly LegOfAccount[] }) {
  const [name, ...figures] = COLUMNS;
  return (
    <ul className={css['legCards']} aria-label="Legs">
      {legs.map((leg) => (
        <li key={leg.symbol}>
          <strong>{name?.cell(leg)}</strong>
          {figures.map((column) => (
            <span key={column.id}>
              <small>{columnName(column)}</small> <span>{column.cell(leg)}</span>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Liquidation({ leg: { symbol, liquidationPrice } }: { readonly leg: PositionLeg }) {
  if (liquidationPrice !== null) return <Price isRounded symbol={symbol} value={liquidationPrice} />;
  return <NoFigure why="The venue gives none: no price of this leg alone liquidates the account" />;
}

/** The venue's price for the account's holding of the instrument, where this leg is on the side of that holding. */
function LegLiquidation({ leg }: { readonly leg: LegOfAccount }) {
  if (!leg.isOpposed) return <Liquidation leg={leg} />;
  const why = `The account holds ${leg.ticker} ${leg.side === 'BUY' ? 'short' : 'long'} in all: this leg makes that holding smaller and is not liquidated by itself`;
  return <NoFigure why={why} />;
}
