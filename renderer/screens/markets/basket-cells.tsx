/** Cells with a basket's figures, also for rows whose page is not read yet. */

import { BookmarkPlus } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { Amount, NoFigure, Percent, Ratio } from '../../components/amount.tsx';
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

/** Column of the number of times a basket was opened here, or of its traders. */
export function countColumn<Row extends { readonly count: BasketCount | undefined }>(
  id: 'opened' | 'traders',
  header: string,
  width: number,
): Column<Row> {
  return {
    id,
    header,
    width,
    align: 'right',
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

/** Funding per hour as a fraction of gross notional, from the holder's side: a payment has a minus. */
export function NetFunding({ value }: { readonly value: string | null }) {
  if (value === null) return <NoFigure />;
  return <Percent value={negated(value)} pnl digits={4} />;
}

export interface BasketActions {
  readonly onTrade: (basket: MarketBasket) => void;
  readonly onSave: (basket: MarketBasket) => void;
}

export function basketColumns({ onTrade, onSave }: BasketActions): readonly Column<PlaceRow>[] {
  const figure = (
    id: string,
    header: string,
    width: number,
    draw: (basket: MarketBasket) => ReactNode,
  ): Column<PlaceRow> => ({
    id,
    header,
    width,
    align: 'right',
    cell: ({ row }) => <Cell row={row}>{draw}</Cell>,
  });
  return [
    {
      id: 'basket',
      header: 'Basket',
      cell: ({ row }) => (
        <Cell row={row}>
          {({ legs }) => <BasketLabel legs={legs.map(({ id, side }) => ({ symbol: id, side }))} />}
        </Cell>
      ),
    },
    figure('price', 'Price ratio', 96, ({ price }) => <Ratio value={price} />),
    figure('change', '24 h', 76, ({ priceChange24h }) => <Percent value={priceChange24h} pnl />),
    figure('weightRatio', 'Weight ratio', 96, ({ weightRatio }) => <Ratio value={weightRatio} />),
    figure('weightChange', '24 h', 76, ({ weightRatioChange24h }) => (
      <Percent value={weightRatioChange24h} pnl />
    )),
    figure('funding', 'Net funding /h', 106, ({ netFunding }) => <NetFunding value={netFunding} />),
    figure('volume', 'Volume 24 h', 92, ({ volume24h }) => <Amount value={volume24h} compact />),
    figure('interest', 'Open interest', 96, ({ openInterest }) => <Amount value={openInterest} compact />),
    {
      id: 'opened',
      header: 'Opened',
      width: 64,
      align: 'right',
      cell: ({ row }) => <Counted row={row} figure="opened" />,
    },
    {
      id: 'traders',
      header: 'Traders',
      width: 64,
      align: 'right',
      cell: ({ row }) => <Counted row={row} figure="traders" />,
    },
    {
      id: 'status',
      header: 'Status',
      width: 100,
      cell: ({ row }) => (
        <Cell row={row}>{({ tradeability }) => <TradeabilityBadge {...tradeability} />}</Cell>
      ),
    },
    {
      id: 'actions',
      header: '',
      label: 'Actions',
      width: 104,
      align: 'right',
      cell: ({ row }) => (
        <Cell row={row}>
          {(basket) => (
            <RowActions
              name={basket.displaySymbol}
              isTradable={basket.tradeability.status === 'tradable'}
              onTrade={() => onTrade(basket)}
              onSave={() => onSave(basket)}
            />
          )}
        </Cell>
      ),
    },
  ];
}

export function RowActions({
  name,
  isTradable,
  onTrade,
  onSave,
}: {
  readonly name: string;
  readonly isTradable: boolean;
  readonly onTrade: () => void;
  readonly onSave: () => void;
}) {
  return (
    <span className={css['actions']}>
      <IconButton label={`Save ${name} as a basket`} icon={<BookmarkPlus />} onClick={onSave} />
      <Button
        kind="ghost"
        className={css['trade']}
        aria-label={`Trade ${name}`}
        disabled={!isTradable}
        onClick={onTrade}
      >
        Trade
      </Button>
    </span>
  );
}
