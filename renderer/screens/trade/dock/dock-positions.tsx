/** Open positions under the chart: a row takes its basket into the builder, half or all of it is closed in two steps. */
import { Suspense, useMemo, useState } from 'react';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { ahead } from '../../../components/ahead.tsx';
import { Button } from '../../../components/button.tsx';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../../components/figure-columns.tsx';
import layout from '../../../components/layout.module.css';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { type Basket, savedBasket } from '../../../features/basket/basket.ts';
import { BasketLabel } from '../../../features/basket-name/basket-label.tsx';
import { useBasketText } from '../../../features/basket-name/use-basket-text.ts';
import { BRACKET_SIDES, bracketText } from '../../../features/brackets-form/bracket-text.ts';
import css from './dock.module.css';
import { Nothing } from './nothing.tsx';
import { type DockScope, type Position, useDockPositions } from './use-dock.ts';

const closeShare = ahead(async () => (await import('./close-share.tsx')).CloseShare);

/** As on Positions: one word means one figure on all screens. */
const PRICE_RATIO = 'Price ratio: longs ÷ shorts, as in the chart';

const FIGURES: readonly Column<Position>[] = [
  { id: 'basket', header: 'Basket', cell: basketOf, width: 150 },
  amountColumn('size', 'Size', (row) => row.grossNotional, { sorts: true }),
  {
    ...ratioColumn<Position>('entry', <span title={PRICE_RATIO}>Entry price ratio</span>, (row) =>
      isWhole(row) ? row.entryPrice : null,
    ),
    label: 'Entry price ratio',
  },
  {
    ...ratioColumn<Position>('mark', <span title={PRICE_RATIO}>Price ratio</span>, (row) =>
      isWhole(row) ? row.markPrice : null,
    ),
    label: 'Price ratio',
  },
  pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true }),
  returnColumn('share', '%', (row) => row.unrealizedPnlPct, {
    label: 'Unrealised in percent',
    width: 62,
    sorts: true,
  }),
  { id: 'guards', header: 'TP / SL', cell: guardsOf },
];

/** The figures of some of the legs alone are no ratio of the basket. */
function isWhole({ legs }: Position): boolean {
  return legs.every(({ quantity }) => Number(quantity) > 0);
}

function basketOf({ legs }: Position) {
  return (
    <span className={css['name']}>
      <BasketLabel legs={legs} />
    </span>
  );
}

function guardsOf(position: Position) {
  const texts = BRACKET_SIDES.flatMap((side) => {
    const bracket = position[side];
    return bracket === null ? [] : [bracketText(side, bracket)];
  });
  return <span className={layout['quiet']}>{texts.length === 0 ? 'none' : texts.join(' · ')}</span>;
}

const keyOf = ({ id }: Position) => id;

interface Closing {
  readonly position: Position;
  readonly share: '0.5' | '1';
}

export function DockPositions({
  scope,
  onBasket,
}: {
  readonly scope: DockScope;
  readonly onBasket: (basket: Basket) => void;
}) {
  const { rows, error, refetch } = useDockPositions(scope);
  closeShare.useFetched();
  const [closing, setClosing] = useState<Closing | null>(null);
  const columns = useMemo(
    () => [
      ...FIGURES,
      actionsColumn<Position>(128, (row) => <Buttons position={row} onClose={setClosing} />),
    ],
    [],
  );
  const keys = useMemo(
    () => ({
      c: (position: Position) => setClosing({ position, share: '1' }),
      h: (position: Position) => setClosing({ position, share: '0.5' }),
    }),
    [],
  );
  return (
    <>
      <Table
        label="Open positions"
        rows={rows}
        columns={columns}
        rowKey={keyOf}
        keys={keys}
        error={error}
        onRetry={() => void refetch()}
        onOpen={({ legs }) =>
          onBasket(
            savedBasket(
              legs.map(({ symbol, side, targetWeight }) => ({ symbol, side, weight: Number(targetWeight) })),
            ),
          )
        }
        empty={<Nothing scope={scope} what="open positions" />}
      />
      {closing !== null && (
        <Suspense>
          <closeShare.View {...closing} onClose={() => setClosing(null)} />
        </Suspense>
      )}
    </>
  );
}

function Buttons({
  position,
  onClose,
}: {
  readonly position: Position;
  readonly onClose: (closing: Closing) => void;
}) {
  const name = useBasketText(position.legs);
  return (
    <span className={layout['buttons']}>
      <Button
        kind="ghost"
        aria-label={`Close half of ${name}`}
        onClick={() => onClose({ position, share: '0.5' })}
      >
        Half
      </Button>
      <Button kind="ghost" aria-label={`Close ${name}`} onClick={() => onClose({ position, share: '1' })}>
        Close
      </Button>
    </span>
  );
}
