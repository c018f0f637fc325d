/** Columns of the screener. The gateway sorts over all pairs, since the page has only some of them. */
import { COINTEGRATED_P } from '../../../gateway/contract/cointegrated.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, NoFigure, Percent, Quantity } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { SparkLine } from '../../components/spark-line.tsx';
import type { Column } from '../../components/table-column.ts';
import type { Sorting } from '../../components/table-header.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { HalfLife } from '../../features/half-life/half-life.tsx';
import { hedgeOf, roundedHedge, type ScreenedPair, sidesOf, whyEqual } from './screened-pair.ts';
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

/**
 * Order requested from the gateway. If no column sorts, cointegrated pairs come first, and within each group those
 * farthest from their mean. A column sorts all pairs alike.
 */
export function orderOf(sorting: Sorting | null): {
  readonly orderBy: Order;
  readonly cointegratedFirst: boolean;
} {
  if (sorting === null) return { orderBy: '-absZScore', cointegratedFirst: true };
  const { by, down } = sorting;
  const name = Object.entries(ORDERS).find(([column]) => column === by)?.[1] ?? ORDERS.zScore;
  return { orderBy: down ? `-${name}` : name, cointegratedFirst: false };
}

/** Marks a column as sortable. The gateway sorts, so the table does not. */
const sort = () => null;

/** True: the test has not shown that the two move together. */
export function isWeak({ pValue }: ScreenedPair): boolean {
  return pValue === null || Number(pValue) > COINTEGRATED_P;
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
      priority: 3,
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
        <span title="p-value of the Engle–Granger test: small, and their spread is likely to come back">
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
      cell: (pair) => <HalfLife of={pair} />,
      ...figure,
    },
    {
      id: 'correlation',
      header: 'Correlation',
      cell: ({ correlation }) => <Quantity value={correlation} step="0.01" />,
      ...figure,
      priority: 1,
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
      priority: 2,
    },
    actionsColumn(84, (pair) => <Trade pair={pair} onTrade={onTrade} />),
  ];
}

/** `Long SOL · short BTC, SOL 1 : 0.82`: notionals of the pair's first and second leg; `1 : 1, h 14`: equal. */
function Sides({ pair }: { readonly pair: ScreenedPair }) {
  const sides = sidesOf(pair);
  if (sides === null) return <NoFigure why="the spread is at its mean" />;
  const hedge = hedgeOf(pair);
  const why = whyEqual(pair);
  return (
    <span>
      Long {sides.long.symbol} · short {sides.short.symbol}
      <span className={css['hedge']} {...(why === null ? {} : { title: why })}>
        {hedge === null
          ? `1 : 1, h ${pair.hedgeRatio === null ? 'unknown' : roundedHedge(Number(pair.hedgeRatio))}`
          : `${pair.first.symbol} 1 : ${Number(hedge.toPrecision(3))}`}
      </span>
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
  const why = whyEqual(pair);
  const button = (
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
  return why === null ? button : <Tooltip text={why}>{button}</Tooltip>;
}

/** Least deviations shown on either side of the mean. */
const LEAST = 2;

/** The z-score over the last 90 days, with its mean. */
function SpreadLine({ points }: { readonly points: readonly string[] }) {
  const values = points.map(Number);
  const [least, most] = [Math.min(...values).toFixed(1), Math.max(...values).toFixed(1)];
  return <SparkLine values={values} middle={0} reach={LEAST} label={`From ${least} to ${most} deviations`} />;
}
