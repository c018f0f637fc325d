/** Triggers outside ladders, brackets of positions included. */
import { Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Percent, Quantity, Side } from '../../components/amount.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { basketColumn, wholeNames } from '../basket-name/basket-column.tsx';
import { isChangeable } from '../change-trigger/trigger-change.ts';
import { useChosenColumns } from '../chosen-columns/chosen-columns.tsx';
import { WaitingText } from '../condition-text/waiting-text.tsx';
import { BasketButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { Ticker } from '../ticker/ticker.tsx';
import { LastSeen, TriggerSize } from '../trigger-figures/trigger-figures.tsx';
import { ExpiryLine } from './expires-in.tsx';
import { Note } from './note.tsx';
import {
  briefStateColumn,
  byColumn,
  createdColumn,
  expiresColumn,
  noteColumn,
  stateColumn,
} from './order-columns.tsx';
import { type Trigger, triggerState } from './order-states.ts';
import { type OrderTableProps, orderKey, type Place, useCancelListed, useEdited } from './order-table.tsx';
import css from './order-tables.module.css';
import { BRACKETS, INTENTS } from './order-words.ts';
import { triggerDialog } from './trigger-dialog.ts';

function actionText({ bracketType, kind }: Trigger): string {
  return bracketType === null ? INTENTS[kind] : BRACKETS[bracketType];
}

/** Take-profit and stop-loss link to their position, where they are changed. */
function LinkedAction(trigger: Trigger) {
  const { bracketType, positionId } = trigger;
  const text = actionText(trigger);
  return bracketType === null || positionId === null ? (
    text
  ) : (
    <Link href={`/positions/${positionId}`}>{text}</Link>
  );
}

const ACTION: Column<Trigger> = { id: 'does', header: 'Action', cell: actionText, width: 88 };
const WHEN: Column<Trigger> = {
  id: 'when',
  header: 'When',
  isText: true,
  cell: (row) => (
    <span className={css['when']}>
      <WaitingText trigger={row} />
    </span>
  ),
};
const SEEN: Column<Trigger> = {
  id: 'seen',
  header: 'Last seen',
  align: 'right',
  cell: (row) => <LastSeen trigger={row} />,
  width: 84,
};
const SIZE: Column<Trigger> = {
  id: 'size',
  header: 'Size',
  align: 'right',
  cell: (row) => <TriggerSize of={row} />,
  width: 100,
};

const COLUMNS: Readonly<Record<Place, readonly Column<Trigger>[]>> = {
  page: [
    basketColumn('Basket'),
    { ...ACTION, cell: LinkedAction },
    { ...stateColumn<Trigger>(triggerState), width: 150 },
    {
      ...WHEN,
      cell: (row) => (
        <>
          {WHEN.cell(row)}
          <ExpiryLine of={row} />
        </>
      ),
    },
    SEEN,
    SIZE,
    byColumn(),
    createdColumn('Set'),
    expiresColumn(),
    noteColumn(),
  ],
  panel: [
    basketColumn('Basket'),
    ACTION,
    briefStateColumn(triggerState, 66),
    WHEN,
    { ...SEEN, priority: 1 },
    { ...SIZE, priority: 2 },
    byColumn(),
  ],
};

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
function legsOf({ legs, kind, error }: Trigger) {
  if (kind === 'CLOSE') return error === null ? null : <Note isWhole text={error} />;
  return (
    <>
      <Note isWhole text={error} />
      <Table label="Legs" natural rows={legs} columns={LEG_COLUMNS} rowKey={legKey} />
    </>
  );
}

/** Buttons of a trigger. A take-profit or stop-loss is changed with its position. */
function buttonsOf(trigger: Trigger, onEdit: (trigger: Trigger) => void) {
  return (
    <BasketButtons
      what="trigger"
      id={trigger.id}
      legs={trigger.legs}
      since={trigger.createdAt}
      protects={trigger.bracketType !== null}
      actions={restingActions(trigger.status)}
      onEdit={isChangeable(trigger) ? () => onEdit(trigger) : undefined}
    />
  );
}

export function TriggersTable({ place, list, empty }: OrderTableProps<Trigger>) {
  const isPage = place === 'page';
  const { edited, edit, leave } = useEdited(list.rows);
  triggerDialog.useFetched();
  const cancelAll = useCancelListed('triggers', isPage ? undefined : list.rows);
  const all = useMemo(
    () => [...COLUMNS[place], actionsColumn<Trigger>(104, (row) => buttonsOf(row, edit), true, cancelAll)],
    [place, edit, cancelAll],
  );
  const columns = useChosenColumns(isPage ? null : 'Triggers', all);
  return (
    <>
      <Table
        label="Triggers"
        {...list}
        columns={columns}
        rowKey={orderKey}
        {...(isPage ? { detail: legsOf } : wholeNames(list.rows))}
        empty={empty}
      />
      {edited !== null && (
        <Suspense>
          <triggerDialog.View key={edited.id} trigger={edited} onClose={leave} />
        </Suspense>
      )}
    </>
  );
}
