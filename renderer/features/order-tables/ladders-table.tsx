/** Ladders; on a page a row expands to its rungs. */
import { Suspense, useMemo } from 'react';
import { actionsColumn } from '../../components/actions-column.tsx';
import { amountColumn } from '../../components/figure-columns.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { basketColumn, wholeNames } from '../basket-name/basket-column.tsx';
import { useLevelText } from '../condition-text/waiting-text.tsx';
import { figureText } from '../ratio-chart/figure.ts';
import { useSubjectValue } from '../ratio-chart/use-subject-value.ts';
import { BasketButtons } from '../resting-action/resting-buttons.tsx';
import { Ticker } from '../ticker/ticker.tsx';
import { ExpiryLine } from './expires-in.tsx';
import { byColumn, createdColumn, expiresColumn, stateColumn } from './order-columns.tsx';
import { isWaiting, type Ladder, ladderState, shareDone } from './order-states.ts';
import { type OrderTableProps, orderKey, type Place } from './order-table.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { Rungs, useRungEditor } from './rungs.tsx';
import { triggerDialog } from './trigger-dialog.ts';

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

const rungsFilled = ({ filledLevels, levels }: Ladder) => `${filledLevels} of ${levels}`;

const RANGE: Column<Ladder> = {
  id: 'range',
  header: 'Range',
  isText: true,
  cell: (row) => (
    <span>
      <Metric ladder={row} /> {row.direction === 'LESS_THAN' ? 'below' : 'above'} <Level value={row.start} />{' '}
      to <Level value={row.end} />
    </span>
  ),
};
const RUNGS: Column<Ladder> = { id: 'rungs', header: 'Rungs', cell: rungsFilled, width: 90 };
const TOTAL = amountColumn<Ladder>('total', 'Total', (row) => row.totalUsd);

function progressOf(ladder: Ladder) {
  return (
    <ProgressBar
      share={shareDone(ladder.filledLevels, ladder.levels)}
      label="Rungs filled"
      figures={rungsFilled(ladder)}
    />
  );
}

function buttonsOf(ladder: Ladder, since?: string) {
  const { id, legs } = ladder;
  return (
    <BasketButtons
      what="ladder"
      id={id}
      legs={legs}
      since={since}
      actions={isWaiting(ladder) ? ['cancel'] : []}
    />
  );
}

const COLUMNS: Readonly<Record<Place, readonly Column<Ladder>[]>> = {
  page: [
    basketColumn('Basket'),
    {
      ...RANGE,
      cell: (row) => (
        <>
          {RANGE.cell(row)}
          <ExpiryLine of={row} />
        </>
      ),
    },
    { id: 'now', header: 'Now', align: 'right', width: 90, cell: (row) => <MetricNow ladder={row} /> },
    { ...RUNGS, cell: progressOf, width: 170 },
    TOTAL,
    byColumn(),
    createdColumn('Set'),
    expiresColumn(),
    stateColumn<Ladder>(ladderState),
    actionsColumn(76, (row) => buttonsOf(row, row.createdAt)),
  ],
  panel: [
    basketColumn('Ladder'),
    RANGE,
    RUNGS,
    TOTAL,
    byColumn(),
    actionsColumn(60, (row) => buttonsOf(row)),
  ],
};

export function LaddersTable({ place, list, empty }: OrderTableProps<Ladder>) {
  const isPage = place === 'page';
  const { rung, edit, leave } = useRungEditor();
  triggerDialog.useFetched();
  return (
    <>
      <Table<Ladder>
        label="Ladders"
        natural={!isPage}
        {...list}
        columns={COLUMNS[place]}
        rowKey={orderKey}
        {...(isPage
          ? { detail: (ladder) => <Rungs ladder={ladder} onEdit={edit} /> }
          : wholeNames(list.rows))}
        empty={empty}
      />
      {rung !== null && (
        <Suspense>
          <triggerDialog.View key={rung.id} trigger={rung} onClose={leave} />
        </Suspense>
      )}
    </>
  );
}
