/** Ladders; a row expands to its rungs, each with its own trigger. */
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useAccount, useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { sayError } from '../../components/toast.tsx';
import { BasketLabel } from '../basket-name/basket-label.tsx';
import { ChangeTriggerDialog } from '../change-trigger/change-trigger-dialog.tsx';
import { isChangeable } from '../change-trigger/trigger-change.ts';
import { useLevelText } from '../condition-text/waiting-text.tsx';
import { useFittingColumns } from '../fitting-columns/use-fitting-columns.ts';
import { placedByColumn } from '../placed-by/placed-by.tsx';
import { figureText } from '../ratio-chart/figure.ts';
import { useSubjectValue } from '../ratio-chart/use-subject-value.ts';
import { BasketButtons, RestingButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { Ticker } from '../ticker/ticker.tsx';
import { ExpiresIn, ExpiryLine } from './expires-in.tsx';
import {
  isWaiting,
  type Ladder,
  ladderState,
  type Rung,
  rungLevelText,
  shareDone,
  type Trigger,
  triggerState,
} from './order-states.ts';
import css from './order-tables.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { StateBadge } from './state-badge.tsx';
import { useLadders } from './use-order-data.ts';

function Metric({ ladder }: { readonly ladder: Ladder }) {
  const { metric, symbol } = ladder;
  if (metric === 'PRICE' && symbol !== null)
    return (
      <>
        <Ticker symbol={symbol} /> price
      </>
    );
  return metric === 'PRICE' ? 'Price' : metric === 'PRICE_RATIO' ? 'Price ratio' : 'Weighted ratio';
}

/** Live value of the metric that the rungs wait for. */
function MetricNow({ ladder: { metric, symbol, legs } }: { readonly ladder: Ladder }) {
  const [only] = legs;
  const of = symbol ?? (legs.length === 1 ? only?.symbol : undefined);
  const weighed = useMemo(
    () => legs.map(({ symbol: id, side, amount }) => ({ id, side, weight: Number(amount) })),
    [legs],
  );
  // Quantities are not weights, and the price ratio of a pair needs no weights.
  const isWeighed =
    legs.every(({ mode }) => mode !== 'BASE') || (legs.length === 2 && metric === 'PRICE_RATIO');
  const value = useSubjectValue(
    metric === 'PRICE' ? { metric, symbol: of ?? '' } : { metric },
    isWeighed ? weighed : [],
  );
  return <>{figureText(value)}</>;
}

/** Level with the digits of its dialog. The title has all digits, since computed levels are long. */
function Level({ value }: { readonly value: string }) {
  return <span title={value}>{useLevelText()(value)}</span>;
}

const COLUMNS: readonly Column<Ladder>[] = [
  { id: 'basket', header: 'Basket', cell: (row) => <BasketLabel legs={row.legs} /> },
  {
    id: 'range',
    header: 'Range',
    isText: true,
    cell: (row) => (
      <span>
        <Metric ladder={row} /> {row.direction === 'LESS_THAN' ? 'below' : 'above'}{' '}
        <Level value={row.start} /> to <Level value={row.end} />
        <ExpiryLine of={row} />
      </span>
    ),
  },
  { id: 'now', header: 'Now', align: 'right', width: 90, cell: (row) => <MetricNow ladder={row} /> },
  {
    id: 'progress',
    header: 'Rungs',
    width: 170,
    cell: ({ filledLevels, levels }) => (
      <ProgressBar
        share={shareDone(filledLevels, levels)}
        label="Rungs filled"
        figures={`${filledLevels} of ${levels}`}
      />
    ),
  },
  { id: 'total', header: 'Total', align: 'right', cell: (row) => <Amount value={row.totalUsd} /> },
  placedByColumn((row) => row.authority),
  { id: 'created', header: 'Set', cell: (row) => <Time at={row.createdAt} style="short" /> },
  {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    cell: (row) => <ExpiresIn of={row} />,
  },
  { id: 'state', header: 'State', cell: (row) => <StateBadge id={row.id} state={ladderState(row)} /> },
  actionsColumn(76, (row) => (
    <BasketButtons
      what="ladder"
      id={row.id}
      legs={row.legs}
      since={row.createdAt}
      actions={isWaiting(row) ? ['cancel'] : []}
    />
  )),
];

/** Number of a rung. A card has no header, so it needs the word as well. */
function rungName({ index }: Rung) {
  return (
    <span>
      <span className={css['onCard']}>Rung </span>
      {index + 1}
    </span>
  );
}

const rungKey = ({ triggerId }: Rung) => triggerId;

/** Rungs of a ladder, which can be cancelled one by one: each rung is a trigger. */
function Rungs({
  ladder,
  onEdit,
}: {
  readonly ladder: Ladder;
  readonly onEdit: (triggerId: string) => void;
}) {
  const columns = useMemo(
    (): readonly Column<Rung>[] => [
      { id: 'index', header: 'Rung', cell: rungName, width: 60 },
      {
        id: 'level',
        header: 'Level',
        align: 'right',
        cell: ({ level }) => <span title={level}>{rungLevelText(level)}</span>,
        width: 120,
      },
      { id: 'usd', header: 'Size', align: 'right', cell: (row) => <Amount value={row.usd} />, width: 120 },
      {
        id: 'state',
        header: 'State',
        cell: (row) => <StateBadge id={row.triggerId} state={triggerState(row)} />,
      },
      // The table has few columns and never scrolls sideways.
      actionsColumn(
        104,
        ({ triggerId, index, status }) => (
          <RestingButtons
            what="rung"
            id={triggerId}
            name={String(index + 1)}
            actions={restingActions(status)}
            onEdit={isChangeable({ status, bracketType: null }) ? () => onEdit(triggerId) : undefined}
          />
        ),
        false,
      ),
    ],
    [onEdit],
  );
  return <Table label="Rungs" natural rows={ladder.rungs} columns={columns} rowKey={rungKey} />;
}

const SPARE = ['by', 'created', 'expires'];

export function LaddersTable() {
  const columns = useFittingColumns(COLUMNS, SPARE);
  const { rung, edit, leave } = useRungEditor();
  return (
    <>
      <Table
        label="Ladders"
        {...useLadders()}
        columns={columns}
        detail={(ladder) => <Rungs ladder={ladder} onEdit={edit} />}
        empty={
          <EmptyState title="No ladders" action={<Link href="/trade">Set a ladder</Link>}>
            Entries staggered over a range are listed here, rung by rung.
          </EmptyState>
        }
      />
      {rung !== null && <ChangeTriggerDialog key={rung.id} trigger={rung} onClose={leave} />}
    </>
  );
}

/** Reads a rung before its dialog opens, since a ladder's row has few facts about its rungs. */
function useRungEditor() {
  const client = useClient();
  const account = useAccount();
  const [rung, setRung] = useState<Trigger | null>(null);
  const edit = useCallback(
    (id: string) => {
      client
        .call('GET /triggers/{id}', { params: { id } })
        .then(setRung, (error: unknown) => sayError('The rung could not be read', error, account));
    },
    [client, account],
  );
  return { rung, edit, leave: () => setRung(null) };
}
