/** Single instruments of the account's venue, live. */
import { useMemo } from 'react';
import { deriveBasketKey } from '../../../gateway/client/client.ts';
import { useInstruments } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { readTable } from '../../components/paged-table.ts';
import { Fresh } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import type { BasketFilter } from '../../features/market-baskets/use-basket-list.ts';
import { countColumn, RowActions, type RowActionsOf, TradeabilityBadge } from './basket-cells.tsx';
import { LiveFigure, type LiveFigureName } from './live-figure.tsx';
import css from './markets.module.css';
import { NoMatch } from './no-match.tsx';
import { type BasketCount, useBasketCounts } from './use-basket-counts.ts';
import { type MarketRow, useInstrumentRows } from './use-instrument-rows.ts';

/** A market row with the list's additional figures. */
interface InstrumentRow extends MarketRow {
  readonly count: BasketCount | undefined;
  readonly tick: string | undefined;
}

export interface InstrumentTableProps extends RowActionsOf<MarketRow> {
  readonly filter: BasketFilter;
  readonly onOpen: (row: MarketRow) => void;
  readonly openKey: string | null;
  readonly onClear: () => void;
}

const LARGEST = { by: 'volume24h', down: true } as const;
const KEYS = new Map<string, string>();

/** Key of a basket with one long leg in the instrument: a hash, computed once for each instrument. */
function keyOf({ id }: Pick<MarketRow, 'id'>): string {
  const known = KEYS.get(id);
  if (known !== undefined) return known;
  const key = deriveBasketKey([id], []);
  KEYS.set(id, key);
  return key;
}

export function InstrumentTable({ filter, onOpen, onTrade, onSave, openKey, onClear }: InstrumentTableProps) {
  const { data, error, refetch } = useInstrumentRows(filter);
  const { connector } = useAccount();
  const instruments = useInstruments();
  const keys = useMemo(() => [data?.rows.map(keyOf) ?? []], [data]);
  const counts = useBasketCounts(keys);
  const ticks = useMemo(() => new Map(instruments.map(({ id, tickSize }) => [id, tickSize])), [instruments]);
  const rows = useMemo(
    () => data?.rows.map((row) => ({ ...row, count: counts.get(keyOf(row)), tick: ticks.get(row.id) })),
    [data, counts, ticks],
  );
  const columns = useMemo(
    () => instrumentColumns(connector, { onTrade, onSave }),
    [connector, onTrade, onSave],
  );
  return (
    <>
      <Fresh className={layout['fill'] ?? ''}>
        <Table
          key={`${filter.scope} ${filter.search}`}
          label="Instruments"
          {...readTable({ error, refetch }, rows)}
          columns={columns}
          comesBy={LARGEST}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          selectedKey={openKey}
          empty={<NoMatch what="instruments" onClear={onClear} />}
        />
      </Fresh>
      {data !== undefined && data.totals !== null && (
        <footer className={css['totals']}>
          <span>
            {data.rows.length} of {data.totals.markets} instruments
          </span>
          <span>
            Volume 24 h of the venue <Amount value={data.totals.volume24h} compact />
          </span>
          <span>
            Open interest <Amount value={data.totals.openInterest} compact />
          </span>
        </footer>
      )}
    </>
  );
}

/** Column header in full. On cards the list of sort keys hides the second part, which is said above the table. */
function WideHeader({ name, more }: { readonly name: string; readonly more: string }) {
  return (
    <span>
      {name}
      <span data-wide="">{more}</span>
    </span>
  );
}

function instrumentColumns(
  connector: string,
  { onTrade, onSave }: RowActionsOf<MarketRow>,
): readonly Column<InstrumentRow>[] {
  const live = (id: LiveFigureName, header: string, width: number): Column<InstrumentRow> => ({
    id,
    header,
    label: header,
    width,
    align: 'right',
    sort: (row) => (row[id] === null ? null : Number(row[id])),
    cell: (row) => (
      <LiveFigure connector={connector} id={row.id} tick={row.tick} figure={id} listed={row[id]} />
    ),
  });
  return [
    {
      id: 'instrument',
      header: 'Instrument',
      sort: ({ symbol }) => symbol,
      cell: ({ symbol, id }) => (
        <>
          <span className={css['ticker']}>{symbol}</span>
          <span className={css['id']}>{id}</span>
        </>
      ),
    },
    live('price', 'Price', 120),
    live('priceChange24h', '24 h', 90),
    {
      ...live('funding', 'Funding APR', 130),
      header: <WideHeader name="Funding APR" more=", long" />,
      // Sorted as shown: funding that a long pays is negative.
      sort: ({ funding }) => (funding === null ? null : -Number(funding)),
    },
    { ...live('volume24h', 'Volume 24 h', 110), header: <WideHeader name="Volume" more=" 24 h" /> },
    { ...live('openInterest', 'Open interest', 110), priority: 1 },
    countColumn('opened', 'Opened', 84),
    countColumn('traders', 'Traders', 84),
    {
      id: 'status',
      header: 'Status',
      width: 110,
      sort: ({ tradeability }) => tradeability.status,
      cell: ({ tradeability }) => <TradeabilityBadge {...tradeability} />,
    },
    actionsColumn(
      104,
      (row) => <RowActions name={row.symbol} row={row} onTrade={onTrade} onSave={onSave} />,
      false,
    ),
  ];
}
