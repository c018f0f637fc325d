/** Legs of a position: a table, or a few lines per leg if the table's columns do not fit. */
import { useCallback, useMemo, useState } from 'react';
import { useHoldings } from '../../api/account-now.ts';
import { NoFigure, Percent, Side } from '../../components/amount.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';
import { type Column, columnName } from '../../components/table-column.ts';
import { priceColumn, sizeColumn } from '../../features/instrument-figure/instrument-columns.tsx';
import { Far, isFarFrom } from '../../features/liquidation/liquidation.tsx';
import { type LegOfAccount, legsOfAccount } from './leg-liquidation.ts';
import { LiquidationPrice } from './liquidation-price.tsx';
import css from './positions.module.css';
import type { PositionLeg } from './use-position-data.ts';

const COLUMNS: readonly Column<LegOfAccount>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Side side={leg.side}>{leg.ticker}</Side> },
  sizeColumn('quantity', 'Quantity', (leg) => leg.quantity),
  priceColumn('entry', 'Entry', (leg) => leg.entryPrice),
  priceColumn('mark', 'Mark', (leg) => leg.markPrice),
  amountColumn('notional', 'Notional', (leg) => leg.notional, { sorts: true }),
  {
    id: 'weight',
    header: 'Weight / target',
    align: 'right',
    cell: (leg) => (
      <span className={css['together']}>
        <Percent value={leg.currentWeight} digits={1} /> / <Percent value={leg.targetWeight} digits={1} />
      </span>
    ),
    sort: ({ currentWeight }) => Number(currentWeight),
  },
  pnlColumn('unrealised', 'Unrealised', (leg) => leg.unrealizedPnl, { sorts: true }),
  pnlColumn('realised', 'Realised', (leg) => leg.realizedPnl, { width: 70 }),
  pnlColumn('funding', 'Funding', (leg) => negated(leg.fundingPaid), { width: 66 }),
  pnlColumn('fees', 'Fees', (leg) => negated(leg.feesPaid), { width: 66 }),
  { id: 'leverage', header: 'Leverage', align: 'right', cell: (leg) => `${leg.leverage}× ${leg.marginMode}` },
  {
    id: 'liquidation',
    // Differs from the position's distance, for which all legs move at once.
    header: (
      <span title="Price at which this leg alone, every other price as it is, liquidates; the position's distance is of all its legs at once">
        Liquidation alone
      </span>
    ),
    label: 'Liquidation alone',
    align: 'right',
    cell: (leg) => <LegLiquidation leg={leg} />,
  },
];

const legKey = ({ symbol }: LegOfAccount) => symbol;

/** Columns that the drawer leaves out, in favour of figures that matter first. */
const FULL_ONLY = new Set(['realised', 'fees']);
/** Widths of columns that would else be wider than their figures, px. */
const BRIEF_WIDTHS: Readonly<Record<string, number>> = { leg: 62, unrealised: 70, funding: 62, leverage: 72 };
const BRIEF_COLUMNS = COLUMNS.filter(({ id }) => !FULL_ONLY.has(id)).map((column): typeof column => {
  const width = BRIEF_WIDTHS[column.id];
  return width === undefined ? column : { ...column, width };
});

/** Least widths at which all columns are visible, px. */
const FULL_PX = 1090;
const BRIEF_PX = 825;
/** Window width below which every table becomes cards, this one too, px. */
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
  const { now, holdings } = useHoldings();
  // Without the venue there is no equity either.
  const isAnswered = now?.equity != null;
  const rows = useMemo(
    () => legsOfAccount(legs, holdings?.positions, holdings?.unassigned, isAnswered),
    [legs, holdings, isAnswered],
  );
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

/** Figures of each leg on two or three lines, aligned between legs. Their names stand once, above them. */
function LegCards({ legs }: { readonly legs: readonly LegOfAccount[] }) {
  const [name, ...figures] = COLUMNS;
  return (
    <ul className={css['legCards']} aria-label="Legs">
      <li aria-hidden="true">
        <strong>Leg</strong>
        {figures.map((column) => (
          <small key={column.id}>{columnName(column)}</small>
        ))}
      </li>
      {legs.map((leg) => (
        <li key={leg.symbol}>
          <strong>{name?.cell(leg)}</strong>
          {figures.map((column) => (
            <span key={column.id}>
              <span className="visually-hidden">{columnName(column)}</span> {column.cell(leg)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Liquidation({
  leg: { symbol, markPrice, liquidationPrice, whyUntold },
}: {
  readonly leg: LegOfAccount;
}) {
  if (liquidationPrice === null && whyUntold !== null) return <NoFigure why={whyUntold} />;
  if (liquidationPrice === null)
    return <Far why="The venue gives none: no price of this leg alone liquidates the account" />;
  return (
    <LiquidationPrice
      symbol={symbol}
      price={liquidationPrice}
      isFar={isFarFrom(markPrice, liquidationPrice)}
    />
  );
}

/** Venue's price for the account's holding of the instrument, if this leg is on the side of that holding. */
function LegLiquidation({ leg }: { readonly leg: LegOfAccount }) {
  if (!leg.isOpposed) return <Liquidation leg={leg} />;
  const why = `The account holds ${leg.ticker} ${leg.side === 'BUY' ? 'short' : 'long'} in all: this leg makes that holding smaller and is not liquidated by itself`;
  return <NoFigure why={why} />;
}
