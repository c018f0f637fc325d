/** Open positions, one row per basket. */
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { negated } from '../../components/format.ts';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { type Column, givingWay } from '../../components/table-column.ts';
import { Age } from '../../components/time.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { WithWork } from '../../features/at-work/at-work.tsx';
import { useWork } from '../../features/at-work/use-work.ts';
import { useChosenColumns } from '../../features/chosen-columns/chosen-columns.tsx';
import { NextFundingWords } from '../../features/next-funding/next-funding.tsx';
import { NextPayment, nextPaymentColumn, useRates } from '../../features/next-funding/next-payment.tsx';
import { POSITION_COLUMNS } from '../../features/position-columns/position-columns.tsx';
import { netPnl } from '../../features/position-columns/position-net.ts';
import { type Risk, useDistances } from '../../features/position-columns/use-risk.ts';
import { BracketBar } from './bracket-bar.tsx';
import { BREAK_EVEN } from './break-even.tsx';
import { ChoiceCell, type Choosing, Chosen } from './choosing.tsx';
import { guardsColumn, namedLiquidationColumn } from './guarded-columns.tsx';
import { NameCell } from './name-cell.tsx';
import { OPENED_BY } from './opened-by.tsx';
import { PositionButtons } from './position-buttons.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import { PositionLegs } from './position-legs.tsx';
import { sumOf } from './position-sums.ts';
import { RatioLine } from './ratio-line.tsx';
import type { Position, useOpenPositions } from './use-position-data.ts';

/** Leaves a column out of cards: the position's drawer has it. */
const spare = (column: Column<Position>): Column<Position> => ({ onCards: 'NOTHING', ...column });

const FIRST: readonly Column<Position>[] = [
  POSITION_COLUMNS.SIZE,
  spare(amountColumn<Position>('margin', 'Margin', (row) => row.marginUsed, { sorts: true })),
  POSITION_COLUMNS.UNREALISED,
  POSITION_COLUMNS.SHARE,
  POSITION_COLUMNS.NET,
  POSITION_COLUMNS.ENTRY,
  POSITION_COLUMNS.MARK,
  { id: 'line', header: '24 h', width: 84, cell: (row) => <RatioLine position={row} /> },
];

const WAY: Column<Position> = {
  id: 'way',
  header: 'SL to TP',
  width: 84,
  cell: (row) => <BracketBar position={row} />,
};

const PAID: readonly Column<Position>[] = [
  spare({
    ...pnlColumn<Position>('realised', 'Realised', (row) => row.realizedPnl, { width: 70, sorts: true }),
    onCards: 'TOTAL',
  }),
  spare({
    ...pnlColumn<Position>('funding', 'Funding', (row) => negated(row.fundingPaid), {
      width: 66,
      sorts: true,
    }),
    onCards: 'TOTAL',
    cell: (row) => <FundingPaid position={row} />,
  }),
];

const LAST: readonly Column<Position>[] = [
  BREAK_EVEN,
  spare({
    id: 'age',
    width: 52,
    header: 'Age',
    align: 'right',
    cell: (row) => <Age since={row.createdAt} />,
    sort: (row) => -Date.parse(row.createdAt),
  }),
  OPENED_BY,
];

/** Columns that leave their room to the others and to the names of baskets. The last one goes first. */
const GIVING_WAY = [
  'size',
  'net',
  'guards',
  'liquidation',
  'entry',
  'mark',
  'share',
  'way',
  'line',
  'margin',
  'next',
  'funding',
  'age',
  'realised',
  'opener',
  'even',
];

function FundingPaid({ position: { legs, fundingPaid } }: { readonly position: Position }) {
  return (
    <Tooltip text={<NextFundingWords symbols={legs.map(({ symbol }) => symbol)} />}>
      <span>
        <Pnl value={negated(fundingPaid)} />
      </span>
    </Tooltip>
  );
}

const everyLeg = (rows: readonly Position[]) => rows.flatMap(({ legs }) => legs);

function totalsOf(
  rows: readonly Position[],
  all: number,
  rates: ReturnType<typeof useRates>,
): Readonly<Record<string, ReactNode>> {
  return {
    basket: countText(rows.length, all),
    size: <Amount value={sumOf(rows, ({ grossNotional }) => grossNotional)} />,
    margin: <Amount value={sumOf(rows, ({ marginUsed }) => marginUsed)} />,
    pnl: <Pnl value={sumOf(rows, ({ unrealizedPnl }) => unrealizedPnl)} />,
    realised: <Pnl value={sumOf(rows, ({ realizedPnl }) => realizedPnl)} />,
    funding: <Pnl value={negated(sumOf(rows, ({ fundingPaid }) => fundingPaid))} />,
    next: <NextPayment legs={everyLeg(rows)} rates={rates} />,
    net: <Pnl value={sumOf(rows, netPnl)} />,
  };
}

function countText(shown: number, all: number): string {
  const of = shown === all ? '' : ` of ${all}`;
  return `${shown}${of} basket${all === 1 ? '' : 's'}`;
}

/** Action of each key on the focused row; `?` lists them. */
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
  rows,
  onClearFilter,
  risk,
  onOpen,
  onAction,
  selected,
  choosing,
}: {
  readonly choosing: Choosing;
  /** All positions of the account; `rows` are those that pass the filter. */
  readonly list: ReturnType<typeof useOpenPositions>;
  readonly rows: readonly Position[] | undefined;
  /** null: no filter is set. */
  readonly onClearFilter: (() => void) | null;
  readonly risk: Risk | undefined;
  readonly onOpen: (position: Position) => void;
  readonly onAction: (action: PositionAction, position: Position) => void;
  readonly selected: string | null;
}) {
  const distances = useDistances(risk);
  const rates = useRates();
  const isChoosing = choosing.chosen !== null;
  const workOn = useWork();
  const keys = useMemo(
    () =>
      Object.fromEntries([
        ...Object.entries(KEYS).map(([key, action]) => [key, (row: Position) => onAction(action, row)]),
        ['x', choosing.toggle],
      ]),
    [onAction, choosing.toggle],
  );
  const all = useMemo(
    () =>
      givingWay<Position>(GIVING_WAY, [
        {
          id: 'basket',
          header: 'Basket',
          cell: (row) => (
            <WithWork work={workOn(row)} legs={row.legs}>
              {isChoosing ? <ChoiceCell position={row} /> : <NameCell position={row} />}
            </WithWork>
          ),
        },
        ...FIRST,
        namedLiquidationColumn(distances),
        WAY,
        guardsColumn(onAction),
        ...PAID,
        spare(nextPaymentColumn<Position>(({ legs }) => legs, rates)),
        ...LAST,
        actionsColumn(138, (row) => <PositionButtons position={row} onAction={onAction} />),
      ]),
    [isChoosing, onAction, distances, workOn, rates],
  );
  const columns = useChosenColumns('Open positions', all);
  return (
    <Chosen value={choosing}>
      <Table
        label="Open positions"
        {...readTable(list, rows)}
        columns={columns}
        rowKey={positionKey}
        detail={legsOf}
        keys={keys}
        totals={
          rows === undefined || rows.length === 0
            ? undefined
            : totalsOf(rows, list.data?.length ?? rows.length, rates)
        }
        onOpen={isChoosing ? choosing.toggle : onOpen}
        selectedKey={selected}
        empty={<NoRows onClearFilter={onClearFilter} />}
      />
    </Chosen>
  );
}

function NoRows({ onClearFilter }: { readonly onClearFilter: (() => void) | null }) {
  if (onClearFilter !== null)
    return (
      <EmptyState
        title="No position passes the filter"
        action={<Button onClick={onClearFilter}>Clear filter</Button>}
      >
        It looks at instruments, the names of baskets and who opened them.
      </EmptyState>
    );
  return (
    <EmptyState title="No open positions" action={<Link href="/trade">Build a basket</Link>}>
      Open baskets are listed here with size, price ratio and PnL.
    </EmptyState>
  );
}
