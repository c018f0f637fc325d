/** Baskets and pairs of the account's venue. Only the visible rows are read. */
import { Layers } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { EmptyState, Fresh } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { pairPlaces } from '../../features/market-baskets/basket-places.ts';
import {
  type BasketFilter,
  type MarketBasket,
  useBasketPages,
  useMaterializedBaskets,
} from '../../features/market-baskets/use-basket-list.ts';
import { Baskets, basketColumns, type PlaceRow, type RowActionsOf } from './basket-cells.tsx';
import { NoMatch } from './no-match.tsx';
import { useBasketCounts } from './use-basket-counts.ts';

export interface BasketListProps extends RowActionsOf<MarketBasket> {
  readonly filter: BasketFilter;
  readonly onOpen: (basket: MarketBasket) => void;
  /** Removes the filter. */
  readonly onClear: () => void;
}

const fill = layout['fill'] ?? '';
const FIRST_WINDOW = { first: 0, last: 40 };

/** Every pair once: first those that were opened or saved here, then all others by volume. */
export function PairTable(props: BasketListProps) {
  const filter = useMemo(() => ({ ...props.filter, isUnordered: true }), [props.filter]);
  const [shown, setShown] = useState(FIRST_WINDOW);
  const head = useMaterializedBaskets(filter);
  const places = useMemo(
    () => (head.data === undefined ? null : pairPlaces(head.data.rows, head.data.count)),
    [head.data],
  );
  const placeOf = (row: number) => places?.placeOf(row) ?? row;
  const pages = useBasketPages(filter, head.data?.count ?? 0, {
    first: placeOf(shown.first),
    last: placeOf(shown.last),
  });
  return (
    <BasketTable
      {...props}
      label="Pairs"
      count={places?.count}
      at={(row) => pages.at(placeOf(row))}
      pages={pages.pages}
      error={head.error ?? pages.error}
      onRetry={() => (head.error === null ? pages.retry() : void head.refetch())}
      onWindow={useCallback((first: number, last: number) => setShown({ first, last }), [])}
    />
  );
}

/** Baskets that were opened or saved on this gateway. */
export function MaterializedTable(props: BasketListProps) {
  const { data, error, refetch } = useMaterializedBaskets(props.filter);
  const pages = useMemo(() => (data === undefined ? [] : [data.rows]), [data]);
  return (
    <BasketTable
      {...props}
      label="Baskets"
      count={data?.rows.length}
      at={(row) => data?.rows[row]}
      pages={pages}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

interface BasketTableProps extends BasketListProps {
  readonly label: string;
  /** Number of rows; undefined: not known yet. */
  readonly count: number | undefined;
  readonly at: (row: number) => MarketBasket | undefined;
  /** Pages of rows whose counts are read in one request each. */
  readonly pages: readonly (readonly MarketBasket[])[];
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onWindow?: (first: number, last: number) => void;
}

function BasketTable({ label, count, at, pages, error, onRetry, onWindow, ...props }: BasketTableProps) {
  const { filter, onOpen, onTrade, onSave, onClear } = props;
  const counts = useBasketCounts(pages.map((rows) => rows.map(({ basketKey }) => basketKey)));
  const rows = useMemo(
    () => (count === undefined ? undefined : Array.from({ length: count }, (_, row) => ({ row }))),
    [count],
  );
  const columns = useMemo(() => basketColumns({ onTrade, onSave }), [onTrade, onSave]);
  // Rows are not rendered again when the list moves, so the basket is looked up when the row is opened.
  const latest = useRef(at);
  useEffect(() => {
    latest.current = at;
  });
  const open = useCallback(
    ({ row }: PlaceRow) => {
      const basket = latest.current(row);
      if (basket !== undefined) onOpen(basket);
    },
    [onOpen],
  );
  return (
    <Baskets value={{ at, countOf: (key) => counts.get(key) }}>
      <Fresh className={fill}>
        <Table
          key={`${filter.scope} ${filter.search}`}
          label={label}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          onOpen={open}
          error={error}
          onRetry={onRetry}
          {...(onWindow === undefined ? {} : { onWindow })}
          empty={
            filter.search !== '' || filter.scope !== 'tradable' ? (
              <NoMatch what={label.toLowerCase()} onClear={onClear} />
            ) : (
              <NoBasket />
            )
          }
        />
      </Fresh>
    </Baskets>
  );
}

const rowKey = ({ row }: PlaceRow) => String(row);

function NoBasket() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      icon={<Layers />}
      title="No basket has been opened or saved here yet"
      action={
        <Button kind="primary" onClick={() => navigate('/trade')}>
          Build a basket
        </Button>
      }
    >
      Baskets that you open or save are listed here. Pairs are in the first tab.
    </EmptyState>
  );
}
