/** Open positions, one row per basket. */
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { AtWork } from '../../features/at-work/at-work.tsx';
import { useWork } from '../../features/at-work/use-work.ts';
import { standingText, waitingBracketText } from '../../features/brackets-form/bracket-standing.ts';
import {
  type BracketSide,
  bracketState,
  bracketText,
  canWatch,
} from '../../features/brackets-form/bracket-text.ts';
import { useChosenColumns } from '../../features/chosen-columns/chosen-columns.tsx';
import { LiquidationMove } from '../../features/liquidation/liquidation.tsx';
import { NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import { BracketBar } from './bracket-bar.tsx';
import { ChoiceCell, type Choosing, Chosen, NameCell } from './choosing.tsx';
import { OPENED_BY } from './opened-by.tsx';
import { PositionButtons } from './position-buttons.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import { PositionLegs } from './position-legs.tsx';
import { netPnl } from './position-net.ts';
import { sumOf } from './position-sums.ts';
import css from './positions.module.css';
import { RatioLine } from './ratio-line.tsx';
import type { Risk } from './risk-strip.tsx';
import type { Position, useOpenPositions } from './use-position-data.ts';

const PRICE_RATIO = 'Price ratio: longs ÷ shorts, as in the chart';

const FIRST: readonly Column<Position>[] = [
  amountColumn('size', 'Size', (row) => row.grossNotional, { sorts: true }),
  pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true }),
  {
    ...returnColumn<Position>('share', '%', (row) => row.unrealizedPnlPct, {
      label: 'Unrealised in percent',
      width: 62,
      sorts: true,
    }),
    from: 900,
  },
  { ...pnlColumn<Position>('net', 'Net', netPnl, { width: 70, sorts: true }), from: 1600 },
  {
    ...ratioColumn<Position>(
      'entry',
      <span title={PRICE_RATIO}>Entry price ratio</span>,
      (row) => row.entryPrice,
    ),
    label: 'Entry price ratio',
    from: 1300,
  },
  {
    ...ratioColumn<Position>('mark', <span title={PRICE_RATIO}>Price ratio</span>, (row) => row.markPrice),
    label: 'Price ratio',
    from: 1020,
  },
  { id: 'line', header: '24 h', width: 84, from: 1160, cell: (row) => <RatioLine position={row} /> },
];

const GUARDED: readonly Column<Position>[] = [
  { id: 'way', header: 'SL to TP', width: 84, from: 1160, cell: (row) => <BracketBar position={row} /> },
  { id: 'guards', header: 'TP / SL', from: 760, isText: true, cell: (row) => <Guards position={row} /> },
];

const LAST: readonly Column<Position>[] = [
  {
    ...pnlColumn<Position>('realised', 'Realised', (row) => row.realizedPnl, { width: 70, sorts: true }),
    from: 1440,
  },
  {
    ...pnlColumn<Position>('funding', 'Funding', (row) => negated(row.fundingPaid), {
      width: 66,
      sorts: true,
    }),
    cell: (row) => <FundingPaid position={row} />,
    from: 1440,
  },
  {
    id: 'age',
    width: 52,
    from: 1440,
    header: 'Age',
    align: 'right',
    cell: (row) => <Age since={row.createdAt} />,
    sort: (row) => -Date.parse(row.createdAt),
  },
  OPENED_BY,
];

const atWork = (workOn: ReturnType<typeof useWork>): Column<Position> => ({
  id: 'work',
  header: 'At work',
  from: 760,
  width: 60,
  isText: true,
  cell: (row) => <AtWork isBrief work={workOn(row)} legs={row.legs} />,
});

function FundingPaid({ position: { legs, fundingPaid } }: { readonly position: Position }) {
  return (
    <Tooltip text={<NextFundingWords symbols={legs.map(({ symbol }) => symbol)} />}>
      <span>
        <Pnl value={negated(fundingPaid)} />
      </span>
    </Tooltip>
  );
}

/** Safeguards of the position: take-profit, stop-loss, automatic rebalance. */
export function Guards({ position }: { readonly position: Position }) {
  const { takeProfit, stopLoss, autoRebalance } = position;
  const isPaused = autoRebalance?.status === 'PAUSED';
  return (
    <span className={css['badges']}>
      {takeProfit !== null && <Guard name="TP" side="takeProfit" bracket={takeProfit} legs={position.legs} />}
      {stopLoss !== null && <Guard name="SL" side="stopLoss" bracket={stopLoss} legs={position.legs} />}
      {autoRebalance !== null && autoRebalance.status !== 'ENDED' && (
        <Badge tone={isPaused ? 'warn' : 'quiet'}>{isPaused ? 'Rebalance paused' : 'Rebalanced'}</Badge>
      )}
    </span>
  );
}

function Guard({
  name,
  side,
  bracket,
  legs,
}: {
  readonly name: string;
  readonly side: BracketSide;
  readonly bracket: NonNullable<Position['takeProfit']>;
  readonly legs: Position['legs'];
}) {
  // One that has fired closes what is left, whatever it watched.
  const isWatched = bracket.status === 'TRIGGERED' || canWatch(bracket, legs);
  const state = isWatched ? bracketState(bracket) : 'not watched: a leg is missing';
  const now = standingText(side, bracket, legs);
  const whole = waitingBracketText(side, bracket, legs);
  return (
    <span title={bracket.error === null ? whole : `${whole}. ${bracket.error}`}>
      <Badge tone={state === null ? 'neutral' : 'warn'}>
        {name} <span className={bracket.trailing === null ? undefined : css['terms']}>{whole}</span>
        {bracket.trailing !== null && (
          <span className={css['brief']}>
            {now === null ? bracketText(side, { ...bracket, trailing: null }) : `at ${now}`}{' '}
            <span aria-hidden="true">⇢</span>
            <span className="visually-hidden">trailing</span>
          </span>
        )}
        {state !== null && `, ${state}`}
      </Badge>
    </span>
  );
}

function totalsOf(rows: readonly Position[]): Readonly<Record<string, ReactNode>> {
  return {
    basket: rows.length === 1 ? '1 basket' : `${rows.length} baskets`,
    size: <Amount value={sumOf(rows, ({ grossNotional }) => grossNotional)} />,
    pnl: <Pnl value={sumOf(rows, ({ unrealizedPnl }) => unrealizedPnl)} />,
    realised: <Pnl value={sumOf(rows, ({ realizedPnl }) => realizedPnl)} />,
    funding: <Pnl value={negated(sumOf(rows, ({ fundingPaid }) => fundingPaid))} />,
    net: <Pnl value={sumOf(rows, netPnl)} />,
  };
}

/** What a key does with the focused row; `?` lists them. */
const KEYS: Readonly<Record<string, PositionAction>> = {
  c: 'close',
  h: 'half',
  r: 'reverse',
  s: 'brackets',
  a: 'adjust',
};

const positionKey = ({ id }: Position) => id;
const legsOf = ({ legs }: Position) => <PositionLegs legs={legs} />;

export function PositionsTable({
  list,
  risk,
  onOpen,
  onAction,
  selected,
  choosing,
}: {
  readonly choosing: Choosing;
  readonly list: ReturnType<typeof useOpenPositions>;
  readonly risk: Risk | undefined;
  readonly onOpen: (position: Position) => void;
  readonly onAction: (action: PositionAction, position: Position) => void;
  readonly selected: string | null;
}) {
  const moves = useMemo(
    () => (risk === undefined ? null : new Map(risk.baskets.map((one) => [one.positionId, one]))),
    [risk],
  );
  const isChoosing = choosing.chosen !== null;
  const workOn = useWork();
  const isAtWork = list.data?.some((row) => workOn(row).length > 0) === true;
  const keys = useMemo(
    () =>
      Object.fromEntries([
        ...Object.entries(KEYS).map(([key, action]) => [key, (row: Position) => onAction(action, row)]),
        ['x', choosing.toggle],
      ]),
    [onAction, choosing.toggle],
  );
  const all = useMemo(
    (): readonly Column<Position>[] => [
      {
        id: 'basket',
        header: 'Basket',
        cell: (row) => (isChoosing ? <ChoiceCell position={row} /> : <NameCell position={row} />),
      },
      ...FIRST,
      {
        id: 'liquidation',
        header: 'To liquidation',
        from: 900,
        align: 'right',
        width: 92,
        cell: (row) => <LiquidationMove risk={moves?.get(row.id)} />,
        sort: (row) => Math.abs(Number(moves?.get(row.id)?.ratioMove ?? Number.MAX_VALUE)),
      },
      ...GUARDED,
      // What nothing stands in takes no room from the names of baskets.
      ...(isAtWork ? [atWork(workOn)] : []),
      ...LAST,
      actionsColumn(138, (row) => <PositionButtons position={row} onAction={onAction} />),
    ],
    [isChoosing, onAction, moves, isAtWork, workOn],
  );
  const columns = useChosenColumns('Open positions', all);
  return (
    <Chosen value={choosing}>
      <Table
        label="Open positions"
        rows={list.data}
        columns={columns}
        rowKey={positionKey}
        detail={legsOf}
        keys={keys}
        totals={list.data === undefined || list.data.length === 0 ? undefined : totalsOf(list.data)}
        onOpen={isChoosing ? choosing.toggle : onOpen}
        selectedKey={selected}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState title="No open positions" action={<Link href="/trade">Build a basket</Link>}>
            Open baskets are listed here with size, price ratio and PnL.
          </EmptyState>
        }
      />
    </Chosen>
  );
}
