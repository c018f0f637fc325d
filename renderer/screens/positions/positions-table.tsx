/** Open positions, one row per basket. */
import { useMemo } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { amountColumn, pnlColumn, ratioColumn, returnColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { type BracketSide, bracketState, bracketText } from '../../features/brackets-form/bracket-text.ts';
import { PositionButtons } from './position-buttons.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import { PositionLegs } from './position-legs.tsx';
import css from './positions.module.css';
import type { Position, useOpenPositions } from './use-position-data.ts';

const WEIGHTED = 'Weighted: prices to the power of their weights';

const FIGURES: readonly Column<Position>[] = [
  {
    id: 'basket',
    header: 'Basket',
    cell: (row) => <BasketLabel legs={row.legs} />,
    width: 190,
  },
  amountColumn('size', 'Size', (row) => row.grossNotional, { sorts: true }),
  ratioColumn('entry', <span title={WEIGHTED}>Entry ratio</span>, (row) => row.entryRatio),
  ratioColumn('mark', <span title={WEIGHTED}>Mark ratio</span>, (row) => row.markRatio),
  pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true }),
  returnColumn('share', '%', (row) => row.unrealizedPnlPct, {
    label: 'Unrealised in percent',
    width: 62,
    sorts: true,
  }),
  pnlColumn('realised', 'Realised', (row) => row.realizedPnl, { width: 70, sorts: true }),
  pnlColumn('funding', 'Funding', (row) => negated(row.fundingPaid), { width: 66, sorts: true }),
  {
    id: 'age',
    width: 52,
    header: 'Age',
    align: 'right',
    cell: (row) => <Age since={row.createdAt} />,
    sort: (row) => -Date.parse(row.createdAt),
  },
  { id: 'guards', header: 'TP / SL', cell: (row) => <Guards position={row} /> },
];

/** Safeguards of the position: take-profit, stop-loss, automatic rebalance. */
export function Guards({ position }: { readonly position: Position }) {
  const { takeProfit, stopLoss, autoRebalance } = position;
  const isPaused = autoRebalance?.status === 'PAUSED';
  return (
    <span className={css['badges']}>
      {takeProfit !== null && <Guard name="TP" side="takeProfit" bracket={takeProfit} />}
      {stopLoss !== null && <Guard name="SL" side="stopLoss" bracket={stopLoss} />}
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
}: {
  readonly name: string;
  readonly side: BracketSide;
  readonly bracket: NonNullable<Position['takeProfit']>;
}) {
  const state = bracketState(bracket);
  const text = [bracketText(side, bracket), bracket.error].filter((one) => one !== null).join('. ');
  return (
    <span title={text}>
      <Badge tone={state === null ? 'neutral' : 'warn'}>
        {name} {bracketText(side, { ...bracket, trailing: null })}
        {bracket.trailing !== null && ' trailing'}
        {state !== null && `, ${state}`}
      </Badge>
    </span>
  );
}

const positionKey = ({ id }: Position) => id;
const legsOf = ({ legs }: Position) => <PositionLegs legs={legs} />;

export function PositionsTable({
  list,
  onOpen,
  onAction,
  selected,
}: {
  readonly list: ReturnType<typeof useOpenPositions>;
  readonly onOpen: (position: Position) => void;
  readonly onAction: (action: PositionAction, position: Position) => void;
  readonly selected: string | null;
}) {
  const columns = useMemo(
    (): readonly Column<Position>[] => [
      ...FIGURES,
      actionsColumn(112, (row) => <PositionButtons position={row} onAction={onAction} />),
    ],
    [onAction],
  );
  return (
    <Table
      label="Open positions"
      rows={list.data}
      columns={columns}
      rowKey={positionKey}
      detail={legsOf}
      onOpen={onOpen}
      selectedKey={selected}
      error={list.error}
      onRetry={() => void list.refetch()}
      empty={
        <EmptyState title="No open positions" action={<Link href="/trade">Build a basket</Link>}>
          A basket that you open appears here with its size, its ratio and its profit or loss.
        </EmptyState>
      }
    />
  );
}
