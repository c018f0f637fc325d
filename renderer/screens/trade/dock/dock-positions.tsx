/** Open positions under the chart: a row takes its basket into the builder, half or all of it is closed in two steps. */
import { Fragment, Suspense, useMemo, useState } from 'react';
import { actionsColumn } from '../../../components/actions-column.tsx';
import { ahead } from '../../../components/ahead.tsx';
import { Button } from '../../../components/button.tsx';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../../components/figure-columns.tsx';
import layout from '../../../components/layout.module.css';
import { Table } from '../../../components/table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { AtWork } from '../../../features/at-work/at-work.tsx';
import { useWork } from '../../../features/at-work/use-work.ts';
import type { WorkPlace } from '../../../features/at-work/work.ts';
import { type Basket, savedBasket } from '../../../features/basket/basket.ts';
import { basketColumn, wholeNames } from '../../../features/basket-name/basket-column.tsx';
import { useBasketText } from '../../../features/basket-name/use-basket-text.ts';
import { standingText, waitingBracketText } from '../../../features/brackets-form/bracket-standing.ts';
import { BRACKET_SIDES, bracketText, canWatch } from '../../../features/brackets-form/bracket-text.ts';
import { Nothing } from './nothing.tsx';
import { type DockScope, type Position, useDockPositions } from './use-dock.ts';

const closeShare = ahead(async () => (await import('./close-share.tsx')).CloseShare);

/** As on Positions: one word means one figure on all screens. */
const PRICE_RATIO = 'Price ratio: longs ÷ shorts, as in the chart';

/** Whether there is a column of what works on them: its width is that of names too. */
const nameOf = (isAtWork: boolean) => basketColumn<Position>('Basket', isAtWork ? 850 : 740);

const FIGURES: readonly Column<Position>[] = [
  amountColumn('size', 'Size', (row) => row.grossNotional, { sorts: true }),
  {
    ...ratioColumn<Position>('entry', <EntryName />, (row) => (isWhole(row) ? row.entryPrice : null)),
    label: 'Entry price ratio',
    from: 800,
  },
  {
    ...ratioColumn<Position>('mark', <span title={PRICE_RATIO}>Price ratio</span>, (row) =>
      isWhole(row) ? row.markPrice : null,
    ),
    label: 'Price ratio',
    from: 640,
  },
  pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true }),
  returnColumn('share', '%', (row) => row.unrealizedPnlPct, {
    label: 'Unrealised in percent',
    width: 62,
    sorts: true,
  }),
  { id: 'guards', header: 'TP / SL', from: 760, cell: guardsOf },
];

/** Tabs of this panel that have what works on a position; of what is under way it has none. */
const VIEWS = { executions: null, twap: 'plans', ladders: 'plans', triggers: 'triggers' } as const;

/** Seen in short, beside the price ratio of now: the whole name is as wide as two figures. */
function EntryName() {
  return (
    <span title={PRICE_RATIO}>
      Entry<span className="visually-hidden"> price ratio</span>
    </span>
  );
}

/** The figures of some of the legs alone are no ratio of the basket. */
function isWhole({ legs }: Position): boolean {
  return legs.every(({ quantity }) => Number(quantity) > 0);
}

function guardsOf(position: Position) {
  const { legs } = position;
  const set = BRACKET_SIDES.flatMap((side) => {
    const bracket = position[side];
    return bracket === null ? [] : [{ side, bracket }];
  });
  const whole = set.map(({ side, bracket }) => waitingBracketText(side, bracket, legs)).join(' · ');
  return (
    <span className={layout['quiet']} title={whole === '' ? undefined : whole}>
      {set.length === 0 && 'none'}
      {set.map(({ side, bracket }, index) => (
        <Fragment key={side}>
          {index > 0 && ' · '}
          <Guard
            now={standingText(side, bracket, legs)}
            terms={bracketText(side, bracket)}
            isWatched={bracket.status === 'TRIGGERED' || canWatch(bracket, legs)}
          />
        </Fragment>
      ))}
    </span>
  );
}

/** There is room for where one that trails stands, and not for its terms as well. */
function Guard({
  now,
  terms,
  isWatched,
}: {
  readonly now: string | null;
  readonly terms: string;
  readonly isWatched: boolean;
}) {
  if (!isWatched)
    return (
      <span title={`${terms} is not watched: its ratio needs one long and one short leg`}>not watched</span>
    );
  return (
    <span className={layout['whole']}>
      {now ?? terms}
      {now !== null && (
        <>
          {' '}
          <span aria-hidden="true">⇢</span>
          <span className="visually-hidden">trailing</span>
        </>
      )}
    </span>
  );
}

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
  const { rows, error, refetch } = useDockPositions(scope);
  closeShare.useFetched();
  const [closing, setClosing] = useState<Closing | null>(null);
  const workOn = useWork();
  const isAtWork = rows?.some((row) => workOn(row).length > 0) === true;
  const columns = useMemo(() => {
    const onShow = (where: WorkPlace) => {
      const view = VIEWS[where];
      if (view !== null) onView(view);
      return view !== null;
    };
    const atWork: Column<Position> = {
      id: 'work',
      header: 'At work',
      from: 1020,
      width: 104,
      cell: (row) => <AtWork isBrief work={workOn(row)} legs={row.legs} onShow={onShow} />,
    };
    return [
      nameOf(isAtWork),
      ...FIGURES,
      ...(isAtWork ? [atWork] : []),
      actionsColumn<Position>(128, (row) => <Buttons position={row} onClose={setClosing} />),
    ];
  }, [isAtWork, workOn, onView]);
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
        {...wholeNames(rows)}
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
