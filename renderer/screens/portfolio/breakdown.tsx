/** Results by basket and by instrument. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { NoFigure, Percent, Pnl } from '../../components/amount.tsx';
import { Figure } from '../../components/figure.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { formatSpan, negated } from '../../components/format.ts';
import { Panel } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { valueColumn } from '../../components/value-columns.tsx';
import { bareBasket, linkOf } from '../../features/basket/basket.ts';
import { tradeHref } from '../../features/basket-link/basket-link.ts';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { type MarketBasket, useMaterializedBaskets } from '../../features/market-baskets/use-basket-list.ts';
import css from './portfolio.module.css';
import { resultParts } from './result-parts.ts';
import type { Analytics } from './use-portfolio.ts';

type Asset = Analytics['assets'][number];
interface PairRow {
  readonly pair: Analytics['pairs'][number];
  /** undefined: the gateway does not list the basket. */
  readonly basket: MarketBasket | undefined;
}

const EVERY_BASKET = { scope: 'all', search: '' } as const;
const NAMES_MS = 60_000;
/** Number of rows up to which a table is as high as its rows. */
const SHORT = 12;
const HEIGHT_PX = 368;

function heightOf(rows: readonly unknown[]) {
  return rows.length <= SHORT ? { natural: true } : { height: HEIGHT_PX };
}

export function PairBreakdown({ pairs, assets }: Pick<Analytics, 'pairs' | 'assets'>) {
  const listed = useMaterializedBaskets(EVERY_BASKET, NAMES_MS);
  const rows = useMemo(() => {
    const byKey = new Map(listed.data?.rows.map((row) => [row.basketKey, row]));
    return pairs.map((pair): PairRow => ({ pair, basket: byKey.get(pair.basketKey) }));
  }, [pairs, listed.data]);
  return (
    <Panel flush title="Baskets">
      <Table
        label="Result by basket"
        rows={rows}
        columns={PAIR_COLUMNS}
        rowKey={({ pair }) => pair.basketKey}
        empty={<EmptyState title="No position was closed in this range" />}
        {...heightOf(rows)}
      />
      {(rows.length > 0 || assets.length > 0) && <Parts {...{ pairs, assets }} />}
    </Panel>
  );
}

/** Explains why the baskets do not add up to the instruments. */
function Parts({ pairs, assets }: Pick<Analytics, 'pairs' | 'assets'>) {
  const { closed, other, all } = useMemo(() => resultParts({ pairs, assets }), [pairs, assets]);
  return (
    <dl className={css['parts']} aria-label="Baskets and instruments">
      <Figure small name="Closed positions" note="the baskets above">
        <Pnl value={closed} />
      </Figure>
      <Figure
        small
        name="Everything else"
        note="open positions and trades in no basket, less what closed positions realised before this range"
      >
        <Pnl value={other} />
      </Figure>
      <Figure small name="All instruments" note="realised, less fees, with funding">
        <Pnl value={all} />
      </Figure>
    </dl>
  );
}

const PAIR_COLUMNS: readonly Column<PairRow>[] = [
  {
    id: 'basket',
    header: 'Basket',
    cell: ({ pair, basket }) =>
      basket === undefined ? (
        <code title={pair.basketKey}>{pair.basketKey.slice(0, 12)}…</code>
      ) : (
        <Link href={tradeHref(linkOf(bareBasket(basket.legs)))} className={css['basket'] ?? ''}>
          <BasketLabel legs={basket.legs.map(({ id, side }) => ({ symbol: id, side }))} />
        </Link>
      ),
  },
  pnlColumn('pnl', 'PnL', ({ pair }) => pair.pnl, { width: 110, sorts: true }),
  valueColumn('trades', 'Closed', ({ pair }) => pair.trades, { align: 'right', width: 70 }),
  {
    id: 'hits',
    header: 'Hit rate',
    align: 'right',
    width: 76,
    sort: ({ pair }) => (pair.hitRate === null ? null : Number(pair.hitRate)),
    cell: ({ pair }) =>
      pair.hitRate === null ? (
        <NoFigure why="neither won nor lost" />
      ) : (
        <Percent value={pair.hitRate} digits={1} />
      ),
  },
  valueColumn('hold', 'Average hold', ({ pair }) => pair.averageHoldSeconds, {
    align: 'right',
    width: 100,
    draw: (seconds) => formatSpan(seconds * 1_000),
  }),
];

export function AssetBreakdown({ assets }: { readonly assets: Analytics['assets'] }) {
  return (
    <Panel flush title="Instruments">
      <Table
        label="Result by instrument"
        rows={assets}
        columns={ASSET_COLUMNS}
        rowKey={({ symbol }) => symbol}
        empty={<EmptyState title="Nothing was filled in this range" />}
        {...heightOf(assets)}
      />
    </Panel>
  );
}

const ASSET_COLUMNS: readonly Column<Asset>[] = [
  valueColumn('ticker', 'Instrument', ({ ticker }) => ticker),
  pnlColumn('pnl', 'PnL', ({ pnl }) => pnl, { width: 100, sorts: true }),
  pnlColumn('realized', 'Price only', ({ realizedPnl }) => realizedPnl, { width: 100, sorts: true }),
  pnlColumn('fees', 'Fees', ({ fees }) => negated(fees), { width: 80, sorts: true }),
  pnlColumn('funding', 'Funding', ({ funding }) => funding, { width: 86, sorts: true }),
  amountColumn('volume', 'Volume', ({ volume }) => volume, { width: 86, sorts: true, compact: true }),
  valueColumn('fills', 'Fills', ({ fills }) => fills, { align: 'right', width: 60 }),
];
