/** Columns of the screener. The gateway sorts: over all pairs, of which a page is here. */
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, NoFigure, Percent, Quantity } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { SparkLine } from '../../components/spark-line.tsx';
import type { Column } from '../../components/table-column.ts';
import type { Sorting } from '../../components/table-header.tsx';
import { hedgeOf, type ScreenedPair, sidesOf } from './screened-pair.ts';
import css from './screener.module.css';

const ORDERS = {
  correlation: 'correlation',
  pValue: 'pValue',
  zScore: 'absZScore',
  halfLife: 'halfLifeHours',
  carry: 'carryApr',
  volume: 'volume24h',
} as const;

type Name = (typeof ORDERS)[keyof typeof ORDERS];
export type Order = Name | `-${Name}`;

export const FIRST_SORTING: Sorting = { by: 'zScore', down: true };

/** The order that the gateway is asked for; the first one where no column sorts. */
export function orderOf(sorting: Sorting | null): Order {
  const { by, down } = sorting ?? FIRST_SORTING;
  const name = Object.entries(ORDERS).find(([column]) => column === by)?.[1] ?? ORDERS.zScore;
  return down ? `-${name}` : name;
}

/** The table does not sort: a column that has it can be asked to be sorted by. */
const sort = () => null;

/** Above it, the test has not shown that the two move together. */
const WEAK_P = 0.1;

export function isWeak({ pValue }: ScreenedPair): boolean {
  return pValue === null || Number(pValue) > WEAK_P;
}

export function screenerColumns(onTrade: (pair: ScreenedPair) => void): readonly Column<ScreenedPair>[] {
  const figure = { align: 'right', sort, width: 104 } as const;
  return [
    {
      id: 'pair',
      header: 'Pair',
      cell: ({ first, second }) => `${first.symbol}/${second.symbol}`,
      width: 116,
    },
    {
      id: 'line',
      header: 'z, 90 days',
      cell: ({ sparkline }) => <SpreadLine points={sparkline} />,
      width: 116,
      from: 1020,
    },
    {
      id: 'zScore',
      header: 'Z-score',
      cell: ({ zScore }) => <Quantity value={zScore} step="0.01" />,
      ...figure,
    },
    {
      id: 'pValue',
      header: (
        <span title="p-value of the Engle–Granger test: small, and the two are likely to move together">
          Coint. p
        </span>
      ),
      label: 'Coint. p',
      cell: ({ pValue }) => <Quantity value={pValue} step="0.001" />,
      ...figure,
    },
    {
      id: 'halfLife',
      header: 'Half-life',
      cell: ({ halfLifeHours }) => <HalfLife hours={halfLifeHours} />,
      ...figure,
    },
    {
      id: 'correlation',
      header: 'Correlation',
      cell: ({ correlation }) => <Quantity value={correlation} step="0.01" />,
      ...figure,
      from: 1020,
    },
    {
      id: 'sides',
      header: 'Gains if z returns to 0',
      cell: (pair) => <Sides pair={pair} />,
      width: 236,
      isText: true,
    },
    { id: 'carry', header: 'Carry APR', cell: ({ carryApr }) => <Percent value={carryApr} pnl />, ...figure },
    {
      id: 'volume',
      header: 'Volume 24 h',
      cell: ({ volume24h }) => <Amount value={volume24h} compact />,
      ...figure,
      from: 1020,
    },
    actionsColumn(92, (pair) => <Trade pair={pair} onTrade={onTrade} />),
  ];
}

/** Hours throughout: two units in one column would be read as one. */
function HalfLife({ hours }: { readonly hours: string | null }) {
  if (hours === null) return <NoFigure why="it does not come back" />;
  const value = Number(hours);
  return <span>{value.toFixed(value < 100 ? 1 : 0)} h</span>;
}

/** `Long SOL · short BTC, 1 : 0.82`: the notional of the pair's first leg to that of its second. */
function Sides({ pair }: { readonly pair: ScreenedPair }) {
  const sides = sidesOf(pair);
  if (sides === null) return <NoFigure why="the spread is at its mean" />;
  const hedge = hedgeOf(pair);
  return (
    <span>
      Long {sides.long.symbol} · short {sides.short.symbol}
      {hedge !== null && (
        <span className={css['hedge']}>
          {pair.first.symbol} 1 : {Number(hedge.toPrecision(3))}
        </span>
      )}
    </span>
  );
}

function Trade({
  pair,
  onTrade,
}: {
  readonly pair: ScreenedPair;
  readonly onTrade: (pair: ScreenedPair) => void;
}) {
  const sides = sidesOf(pair);
  if (sides === null) return null;
  return (
    <Button
      kind="ghost"
      className={css['trade'] ?? ''}
      aria-label={`Trade this: long ${sides.long.symbol}, short ${sides.short.symbol}`}
      onClick={(event) => {
        event.stopPropagation();
        onTrade(pair);
      }}
    >
      Trade this
    </Button>
  );
}

/** Deviations shown at least to either side of the mean. */
const LEAST = 2;

/** The z-score over the last 90 days, with its mean. */
function SpreadLine({ points }: { readonly points: readonly string[] }) {
  const values = points.map(Number);
  const [least, most] = [Math.min(...values).toFixed(1), Math.max(...values).toFixed(1)];
  return <SparkLine values={values} middle={0} reach={LEAST} label={`From ${least} to ${most} deviations`} />;
}
