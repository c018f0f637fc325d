/** The account's saved baskets: trade, edit, rename, delete. */
import { Bookmark, Ellipsis, Pencil, TextCursorInput, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet, useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Percent, Side } from '../../components/amount.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Menu } from '../../components/menu.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState, Fresh } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { keyOfBasket, savedBasket } from '../../features/basket/basket.ts';
import { millionthsOf, percentText } from '../../features/basket-weights/basket-weights.ts';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { countColumn } from './basket-cells.tsx';
import css from './markets.module.css';
import { RenameDialog } from './rename-dialog.tsx';
import type { SavedBasket } from './saved-basket-draft.ts';
import { type BasketCount, useBasketCounts } from './use-basket-counts.ts';
import { weightedChange } from './weighted-change.ts';

export interface SavedTableProps {
  readonly search: string;
  readonly onOpen: (basket: SavedBasket) => void;
  readonly onTrade: (basket: SavedBasket) => void;
  readonly onEdit: (basket: SavedBasket) => void;
  readonly onCreate: () => void;
  /** Empties the search. */
  readonly onClear: () => void;
  readonly openKey: string | null;
}

interface Row extends SavedBasket {
  readonly change: string | null;
  readonly count: BasketCount | undefined;
}

function keyOfLegs(legs: SavedBasket['legs']): string {
  return keyOfBasket(savedBasket(legs)) ?? '';
}

const PRICES_MS = 3_000;

export function SavedTable({ search, onOpen, onTrade, onEdit, onCreate, onClear, openKey }: SavedTableProps) {
  const saved = useGet('GET /saved-baskets', {});
  const { connector } = useAccount();
  const read = useGet(
    'GET /prices',
    { query: { connector } },
    { shared: true, refetchEvery: PRICES_MS, freshForMs: PRICES_MS },
  );
  const [renaming, setRenaming] = useState<SavedBasket | null>(null);
  const [deleting, setDeleting] = useState<SavedBasket | null>(null);
  const baskets = saved.data?.savedBaskets;
  const keys = useMemo(() => [[...new Set(baskets?.map(({ legs }) => keyOfLegs(legs)))]], [baskets]);
  const counts = useBasketCounts(keys);
  const prices = useMemo(() => new Map(read.data?.prices.map((price) => [price.id, price])), [read.data]);
  const tickerOf = useTicker();
  const wanted = search
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  const rows = baskets
    ?.filter(({ name, legs }) => {
      const text = [name, ...legs.flatMap(({ symbol }) => [symbol, tickerOf(symbol)])]
        .join(' ')
        .toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map((basket): Row => {
      const change = weightedChange(savedBasket(basket.legs).legs, prices);
      return { ...basket, change, count: counts.get(keyOfLegs(basket.legs)) };
    });
  const columns = useMemo(
    () => savedColumns({ onTrade, onEdit, onRename: setRenaming, onDelete: setDeleting }),
    [onTrade, onEdit],
  );
  return (
    <>
      <Fresh className={layout['fill'] ?? ''}>
        <Table
          label="Saved baskets"
          {...readTable(saved, rows)}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          selectedKey={openKey}
          empty={
            wanted.length === 0 ? (
              <EmptyState
                icon={<Bookmark />}
                title="No saved baskets yet"
                action={
                  <Button kind="primary" onClick={onCreate}>
                    New basket
                  </Button>
                }
              >
                A saved basket keeps legs and weights under a name: Trade fills the ticket with them.
              </EmptyState>
            ) : (
              <EmptyState
                icon={<Bookmark />}
                title="No saved basket matches"
                action={<Button onClick={onClear}>Show all saved</Button>}
              />
            )
          }
        />
      </Fresh>
      {renaming !== null && <RenameDialog basket={renaming} onClose={() => setRenaming(null)} />}
      {deleting !== null && <DeleteDialog basket={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function DeleteDialog({ basket, onClose }: { readonly basket: SavedBasket; readonly onClose: () => void }) {
  const remove = useSend('DELETE /saved-baskets/{id}', { changes: ['GET /saved-baskets'] });
  return (
    <ConfirmedAction
      work={() => remove.mutateAsync({ params: { id: basket.id } })}
      done={`Basket “${basket.name}” deleted`}
      onClose={onClose}
      title={`Delete “${basket.name}”?`}
      confirm="Delete basket"
    >
      <p>This cannot be undone. Positions and orders made with it stay.</p>
    </ConfirmedAction>
  );
}

interface SavedActions {
  readonly onTrade: (basket: SavedBasket) => void;
  readonly onEdit: (basket: SavedBasket) => void;
  readonly onRename: (basket: SavedBasket) => void;
  readonly onDelete: (basket: SavedBasket) => void;
}

function savedColumns({ onTrade, onEdit, onRename, onDelete }: SavedActions): readonly Column<Row>[] {
  return [
    valueColumn('name', 'Name', (basket) => basket.name, {
      width: 220,
      draw: (name) => (
        <span className={css['ticker']} title={name}>
          {name}
        </span>
      ),
    }),
    // Every leg in full: on a card the legs have a row of their own, and wrap where needed.
    { id: 'legs', header: 'Legs', cell: ({ legs }) => <WeighedLegs legs={legs} />, isText: true },
    {
      id: 'change',
      header: <span title="Change of the weighted ratio, at the weights of the basket">Weighted 24 h</span>,
      label: 'Weighted 24 h',
      width: 104,
      align: 'right',
      sort: ({ change }) => (change === null ? null : Number(change)),
      cell: ({ change }) => <Percent value={change} pnl />,
    },
    countColumn('opened', 'Opened', 76),
    countColumn('traders', 'Traders', 76),
    timeColumn('updated', 'Updated', ({ updatedAt }) => updatedAt, { width: 130, style: 'short' }),
    actionsColumn(
      100,
      (basket) => (
        <span className={css['actions']}>
          <Menu
            align="end"
            trigger={<IconButton label={`More for ${basket.name}`} icon={<Ellipsis />} />}
            items={[
              { id: 'edit', label: 'Edit legs', icon: <Pencil />, onSelect: () => onEdit(basket) },
              { id: 'rename', label: 'Rename', icon: <TextCursorInput />, onSelect: () => onRename(basket) },
              { id: 'line', separator: true },
              {
                id: 'delete',
                label: 'Delete',
                icon: <Trash2 />,
                danger: true,
                onSelect: () => onDelete(basket),
              },
            ]}
          />
          <Button
            kind="ghost"
            className={css['trade']}
            aria-label={`Trade ${basket.name}`}
            onClick={() => onTrade(basket)}
          >
            Trade
          </Button>
        </span>
      ),
      false,
    ),
  ];
}

function WeighedLegs({ legs }: Pick<SavedBasket, 'legs'>) {
  const tickerOf = useTicker();
  return (
    <span className={css['legs']}>
      {legs.map(({ symbol, side, weight }) => (
        <span key={symbol}>
          <Side side={side}>{tickerOf(symbol)}</Side>
          <span className={css['weight']}>{percentText(millionthsOf(weight).millionths)} %</span>
        </span>
      ))}
    </span>
  );
}
