/** Cells with a basket's figures, also for rows whose page is not read yet. */
import Big from 'big.js';
import { BookmarkPlus } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Apr, NoFigure, Percent, Ratio } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { negated } from '../../components/format.ts';
import type { Column } from '../../components/table-column.ts';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import type { MarketBasket, Tradeability } from '../../features/market-baskets/use-basket-list.ts';
import css from './markets.module.css';
import type { BasketCount } from './use-basket-counts.ts';

/** Data of a list's rows. Rows keep their identity; the cells look the data up here. */
export interface BasketLookup {
  at(row: number): MarketBasket | undefined;
  countOf(key: string): BasketCount | undefined;
}

export const Baskets = createContext<BasketLookup>({ at: () => undefined, countOf: () => undefined });

export interface PlaceRow {
  readonly row: number;
}

function Cell({
  row,
  children,
}: {
  readonly row: number;
  readonly children: (basket: MarketBasket) => ReactNode;
}) {
  const basket = useContext(Baskets).at(row);
  if (basket === undefined) return <span className={css['waiting']} aria-hidden="true" />;
  return children(basket);
}

function Counted({ row, figure }: { readonly row: number; readonly figure: 'opened' | 'traders' }) {
  const { at, countOf } = useContext(Baskets);
  const count = countOf(at(row)?.basketKey ?? '');
  return count === undefined ? <NoFigure why="not known yet" /> : count[figure];
}

const COUNT_MEANINGS = {
  opened: 'How often it was opened through this gateway',
  traders: 'How many users of this gateway have opened it',
} as const;

/** Column of the number of times a basket was opened here, or of its traders. */
export function countColumn<Row extends { readonly count: BasketCount | undefined }>(
  id: 'opened' | 'traders',
  header: string,
  width: number,
): Column<Row> {
  return {
    id,
    header: <span title={COUNT_MEANINGS[id]}>{header}</span>,
    label: header,
    width,
    align: 'right',
    priority: 2,
    sort: ({ count }) => count?.[id] ?? null,
    cell: ({ count }) => count?.[id] ?? <NoFigure why="not known yet" />,
  };
}

const STATUS_WORDS: Readonly<Record<Tradeability, string>> = {
  tradable: 'Tradable',
  reduce_only: 'Reduce only',
  not_tradable: 'Not tradable',
};

export function TradeabilityBadge({ status, reason }: MarketBasket['tradeability']) {
  const badge = (
    <Badge tone={status === 'tradable' ? 'quiet' : status === 'reduce_only' ? 'warn' : 'danger'}>
      {STATUS_WORDS[status]}
    </Badge>
  );
  return reason === null ? badge : <span title={reason}>{badge}</span>;
}

const HOURS_A_YEAR = 8_760;

/** Yearly funding as a fraction of gross notional, from the holder's side: a payment is negative. */
export function NetFunding({ value }: { readonly value: string | null }) {
  if (value === null) return <NoFigure />;
  return <Apr value={new Big(negated(value)).times(HOURS_A_YEAR).toFixed()} />;
}

export interface RowActionsOf<Row> {
  readonly onTrade: (row: Row) => void;
  readonly onSave: (row: Row) => void;
}

function low<Row>(column: Column<Row>): Column<Row> {
  return { ...column, priority: 1 };
}

export function basketColumns({ onTrade, onSave }: RowActionsOf<MarketBasket>): readonly Column<PlaceRow>[] {
  const inRow = (draw: (basket: MarketBasket) => ReactNode) => (place: PlaceRow) => (
    <Cell {...place}>{draw}</Cell>
  );
  const figure = (
    id: string,
    header: string,
    width: number,
    draw: (basket: MarketBasket) => ReactNode,
  ): Column<PlaceRow> => ({ id, header, width, align: 'right', cell: inRow(draw) });
  const counted = (id: 'opened' | 'traders', header: string): Column<PlaceRow> => ({
    id,
    header: <span title={COUNT_MEANINGS[id]}>{header}</span>,
    label: header,
    width: 64,
    align: 'right',
    cell: ({ row }) => <Counted row={row} figure={id} />,
  });
  return [
    {
      id: 'basket',
      header: 'Basket',
      cell: inRow(({ legs }) => <BasketLabel legs={legs.map(({ id, side }) => ({ symbol: id, side }))} />),
    },
    figure('price', 'Price ratio', 96, ({ price }) => <Ratio value={price} />),
    figure('change', 'Ratio 24 h', 84, ({ priceChange24h }) => <Percent value={priceChange24h} pnl />),
    low(figure('weightRatio', 'Weighted ratio', 104, ({ weightRatio }) => <Ratio value={weightRatio} />)),
    low(
      figure('weightChange', 'Weighted 24 h', 104, ({ weightRatioChange24h }) => (
        <Percent value={weightRatioChange24h} pnl />
      )),
    ),
    figure('funding', 'Funding APR', 96, ({ netFunding }) => <NetFunding value={netFunding} />),
    figure('volume', 'Volume 24 h', 92, ({ volume24h }) => <Amount value={volume24h} compact />),
    low(
      figure('interest', 'Open interest', 96, ({ openInterest }) => <Amount value={openInterest} compact />),
    ),
    low(counted('opened', 'Opened')),
    low(counted('traders', 'Traders')),
    {
      id: 'status',
      header: 'Status',
      width: 100,
      cell: inRow(({ tradeability }) => <TradeabilityBadge {...tradeability} />),
    },
    actionsColumn(
      104,
      inRow((basket) => (
        <RowActions name={basket.displaySymbol} row={basket} onTrade={onTrade} onSave={onSave} />
      )),
      false,
    ),
  ];
}

export function RowActions<Row extends Pick<MarketBasket, 'tradeability'>>({
  name,
  row,
  onTrade,
  onSave,
}: RowActionsOf<Row> & { readonly name: string; readonly row: Row }) {
  return (
    <span className={css['actions']}>
      <IconButton label={`Save ${name} as a basket`} icon={<BookmarkPlus />} onClick={() => onSave(row)} />
      <Button
        kind="ghost"
        className={css['trade']}
        aria-label={`Trade ${name}`}
        disabled={row.tradeability.status !== 'tradable'}
        onClick={() => onTrade(row)}
      >
        Trade
      </Button>
    </span>
  );
}
