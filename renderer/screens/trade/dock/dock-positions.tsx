/** Open positions below the chart. A row loads its basket into the builder; half or all of it closes in two steps. */
import { Ellipsis } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { ahead } from '../../../components/ahead.tsx';
import { Button, IconButton } from '../../../components/button.tsx';
import layout from '../../../components/layout.module.css';
import { Menu } from '../../../components/menu.tsx';
import { Table } from '../../../components/table.tsx';
import { type Column, givingWay } from '../../../components/table-column.ts';
import { WithWork } from '../../../features/at-work/at-work.tsx';
import { useWork } from '../../../features/at-work/use-work.ts';
import type { WorkPlace } from '../../../features/at-work/work.ts';
import { type Basket, heldBasket } from '../../../features/basket/basket.ts';
import { basketColumn, wholeNames } from '../../../features/basket-name/basket-column.tsx';
import { useBasketText } from '../../../features/basket-name/use-basket-text.ts';
import { hasGuards } from '../../../features/position-columns/guards.tsx';
import { liquidationColumn, POSITION_COLUMNS } from '../../../features/position-columns/position-columns.tsx';
import { useDistances, useRisk } from '../../../features/position-columns/use-risk.ts';
import { Nothing } from './nothing.tsx';
import { type DockScope, type Position, useDockPositions } from './use-dock.ts';

const closeShare = ahead(async () => (await import('./close-share.tsx')).CloseShare);

const BASKET = basketColumn<Position>('Basket');
const FIGURES: readonly Column<Position>[] = [
  POSITION_COLUMNS.SIZE,
  POSITION_COLUMNS.ENTRY,
  POSITION_COLUMNS.MARK,
  POSITION_COLUMNS.UNREALISED,
  POSITION_COLUMNS.SHARE,
  POSITION_COLUMNS.NET,
];

/**
 * Columns that leave their room to the others. The last one goes first. Protection stays longest, so that no position
 * seems unprotected, unless no position has any.
 */
const GIVING_WAY = ['guards', 'size', 'entry', 'mark', 'liquidation', 'net', 'share'];
const UNGUARDED = ['size', 'entry', 'mark', 'liquidation', 'guards', 'net', 'share'];

/** Tabs of this panel that show a position's activity. It has none for executions in flight. */
const VIEWS = { executions: null, twap: 'plans', ladders: 'plans', triggers: 'triggers' } as const;

const keyOf = ({ id }: Position) => id;

interface Closing {
  readonly position: Position;
  readonly share: '0.5' | '1';
}

export function DockPositions({
  scope,
  onBasket,
  onView,
}: {
  readonly scope: DockScope;
  readonly onBasket: (basket: Basket) => void;
  /** Shows another tab of the panel. */
  readonly onView: (view: 'plans' | 'triggers') => void;
}) {
  const list = useDockPositions(scope);
  const { rows } = list;
  closeShare.useFetched();
  const [closing, setClosing] = useState<Closing | null>(null);
  const workOn = useWork();
  const distances = useDistances(useRisk().data);
  const hasSeveral = scope.basketKey === null && (rows?.length ?? 0) > 1;
  const all = useMemo(() => {
    const onShow = (where: WorkPlace) => {
      const view = VIEWS[where];
      if (view !== null) onView(view);
      return view !== null;
    };
    return [
      {
        ...BASKET,
        cell: (row: Position) => (
          <WithWork work={workOn(row)} legs={row.legs} onShow={onShow}>
            {BASKET.cell(row)}
          </WithWork>
        ),
      },
      ...FIGURES,
      liquidationColumn(distances),
      POSITION_COLUMNS.GUARDS,
      actionsColumn<Position>(
        152,
        (row) => <Buttons position={row} onClose={setClosing} />,
        true,
        hasSeveral ? <CloseAll /> : undefined,
      ),
    ];
  }, [workOn, onView, distances, hasSeveral]);
  const isGuarded = rows?.some(hasGuards) === true;
  const columns = useMemo(() => givingWay(isGuarded ? GIVING_WAY : UNGUARDED, all), [all, isGuarded]);
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
        {...list}
        columns={columns}
        rowKey={keyOf}
        keys={keys}
        {...wholeNames(rows)}
        onOpen={({ legs }) => onBasket(heldBasket(legs))}
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
  const [, go] = useLocation();
  return (
    <span className={layout['buttons']}>
      <Button kind="ghost" aria-label={`Close ${name}`} onClick={() => onClose({ position, share: '1' })}>
        Close
      </Button>
      <Button
        kind="ghost"
        aria-label={`Close half of ${name}`}
        onClick={() => onClose({ position, share: '0.5' })}
      >
        Half
      </Button>
      <Menu
        align="end"
        trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis />} />}
        items={MORE.map(({ act, label }) => ({
          id: act,
          label,
          onSelect: () => go(`/positions?do=${act}&on=${position.id}`),
        }))}
      />
    </span>
  );
}

/** Actions with a dialog and preview on the Positions screen. */
const MORE = [
  { act: 'reverse', label: 'Reverse…' },
  { act: 'brackets', label: 'Take-profit and stop-loss…' },
  { act: 'adjust', label: 'Adjust size…' },
] as const;

/** Opens the confirmation on the Positions screen, which shows count, notional and costs. */
function CloseAll() {
  const [, go] = useLocation();
  return (
    <Button kind="ghost" onClick={() => go('/positions?close-all')}>
      Close all
    </Button>
  );
}
