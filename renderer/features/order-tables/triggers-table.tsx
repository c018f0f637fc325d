/** Triggers outside ladders, brackets of positions included. */
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Percent, Quantity, Side } from '../../components/amount.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { BasketLabel } from '../basket-name/basket-label.tsx';
import { ChangeTriggerDialog } from '../change-trigger/change-trigger-dialog.tsx';
import { isChangeable } from '../change-trigger/trigger-change.ts';
import { WaitingText } from '../condition-text/waiting-text.tsx';
import { useFittingColumns } from '../fitting-columns/use-fitting-columns.ts';
import { placedByColumn } from '../placed-by/placed-by.tsx';
import { BasketButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { Ticker } from '../ticker/ticker.tsx';
import { LastSeen, TriggerSize } from '../trigger-figures/trigger-figures.tsx';
import { ExpiresIn, ExpiryLine } from './expires-in.tsx';
import { Note } from './note.tsx';
import { type Trigger, triggerState } from './order-states.ts';
import css from './order-tables.module.css';
import { StateBadge } from './state-badge.tsx';
import { useTriggers } from './use-order-data.ts';

/** Action of the trigger; take-profit and stop-loss link to their position, where they are changed. */
function Does({ bracketType, positionId, kind }: Trigger) {
  if (bracketType === null) return kind === 'OPEN' ? 'Open' : 'Close';
  const text = bracketType === 'TAKE_PROFIT' ? 'Take-profit' : 'Stop-loss';
  return positionId === null ? text : <Link href={`/positions/${positionId}`}>{text}</Link>;
}

function Condition({ trigger }: { readonly trigger: Trigger }) {
  return (
    <span className={css['condition']}>
      <WaitingText trigger={trigger} />
      <ExpiryLine of={trigger} />
    </span>
  );
}

const FIGURES: readonly Column<Trigger>[] = [
  { id: 'basket', header: 'Basket', cell: (row) => <BasketLabel legs={row.legs} /> },
  { id: 'kind', header: 'Action', cell: Does, width: 88 },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <StateBadge id={row.id} state={triggerState(row)} />,
    width: 150,
  },
  { id: 'condition', header: 'When', isText: true, cell: (row) => <Condition trigger={row} /> },
  {
    id: 'now',
    header: 'Last seen',
    align: 'right',
    cell: (row) => <LastSeen trigger={row} />,
    width: 84,
  },
  { id: 'size', header: 'Size', align: 'right', cell: (row) => <TriggerSize of={row} />, width: 120 },
  placedByColumn((row) => row.authority),
  { id: 'created', header: 'Set', cell: (row) => <Time at={row.createdAt} style="short" />, width: 120 },
  {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    cell: (row) => <ExpiresIn of={row} />,
    width: 100,
  },
  { id: 'error', header: 'Note', isText: true, cell: (row) => <Note text={row.error} /> },
];

type Leg = Trigger['legs'][number];

const LEG_COLUMNS: readonly Column<Leg>[] = [
  { id: 'leg', header: 'Leg', cell: (leg) => <Ticker symbol={leg.symbol} />, width: 120 },
  { id: 'side', header: 'Side', cell: (leg) => <Side side={leg.side} />, width: 120 },
  { id: 'amount', header: 'Amount', align: 'right', width: 140, cell: amountOf },
  { id: 'rest', header: <span className="visually-hidden">Nothing more</span>, cell: () => null },
];

function amountOf({ mode, amount }: Leg) {
  if (mode === 'USD') return <Amount value={amount} />;
  return mode === 'WEIGHT' ? <Percent value={amount} /> : <Quantity value={amount} />;
}

const legKey = ({ symbol }: Leg) => symbol;
const legsOf = ({ legs, kind, error }: Trigger) => {
  if (kind === 'CLOSE') return error === null ? null : <Note isWhole text={error} />;
  return (
    <>
      <Note isWhole text={error} />
      <Table label="Legs" natural rows={legs} columns={LEG_COLUMNS} rowKey={legKey} />
    </>
  );
};

/** Columns that narrow tables leave out first: the note is also under the row. */
const SPARE = ['by', 'created', 'expires', 'error'];

export function TriggersTable() {
  const list = useTriggers();
  const [editing, setEditing] = useState<Trigger | null>(null);
  const all = useMemo(
    () => [
      ...FIGURES,
      actionsColumn<Trigger>(104, (row) => (
        <BasketButtons
          what="trigger"
          id={row.id}
          legs={row.legs}
          since={row.createdAt}
          protects={row.bracketType !== null}
          actions={restingActions(row.status)}
          onEdit={isChangeable(row) ? () => setEditing(row) : undefined}
        />
      )),
    ],
    [],
  );
  const columns = useFittingColumns(all, SPARE);
  // The dialog follows the trigger's updates. A trigger that fires meanwhile stays shown until the dialog is closed.
  const shown = list.rows?.find(({ id }) => id === editing?.id) ?? editing;
  return (
    <>
      <Table
        label="Triggers"
        {...list}
        columns={columns}
        detail={legsOf}
        empty={
          <EmptyState title="No triggers" action={<Link href="/trade">Set a trigger</Link>}>
            Baskets that wait for a price or a ratio are listed here, with the take-profits and stop-losses of
            positions.
          </EmptyState>
        }
      />
      {shown !== null && (
        <ChangeTriggerDialog key={shown.id} trigger={shown} onClose={() => setEditing(null)} />
      )}
    </>
  );
}
