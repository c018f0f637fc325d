/**
 * The table: sortable, its header stays, only visible rows are drawn, rows open or expand. ↑ ↓ Home End Page keys move,
 * Enter opens, → and ← expand and collapse. `columns` should keep its identity from render to render (a constant or
 * `useMemo`): a row is re-rendered only when it, or its columns, changed. Live cells are components with a live hook.
 * In a window too narrow for columns each row is a card: no figure is cut, none is out of view.
 */
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSettings } from '../api/settings.ts';
import { classNames } from './class-names.ts';
import { type Opened, useRowWindow } from './row-window.ts';
import { isSecondKey } from './second-key.ts';
import { ErrorState, Skeleton } from './states.tsx';
import css from './table.module.css';
import { type Column, columnName } from './table-column.ts';
import { type Sorting, sortRows, TableHeader } from './table-header.tsx';
import { DetailRow, TableRow } from './table-row.tsx';
import { useFittingColumns } from './use-fitting-columns.ts';

export interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Called on Enter or a click. */
  readonly onOpen?: (row: Row) => void;
  /** Actions of single keys on the focused row. Must keep its identity from render to render. */
  readonly keys?: Readonly<Record<string, (row: Row) => void>>;
  /** Content below an expandable row; null: the row cannot be expanded. */
  readonly detail?: (row: Row) => ReactNode;
  readonly selectedKey?: string | null;
  /** Error of the read; `rows` undefined without an error: loading. */
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Shown when there are no rows. */
  readonly empty?: ReactNode;
  /** Called when the last rows come into view. */
  readonly onReachEnd?: (() => void) | undefined;
  readonly loadingMore?: boolean;
  /** Called with the indices of the drawn rows when they change: for lists that read the visible pages only. */
  readonly onWindow?: (first: number, last: number) => void;
  /** px; left out: the height of the container. */
  readonly height?: number;
  /** As high as its rows: for short lists inside a page. */
  readonly natural?: boolean;
  /** Order of the given rows, marked in the header while no other order is chosen. */
  readonly comesBy?: Sorting;
  /** For lists that the gateway sorts: the present order, and the function to call instead of sorting here. */
  readonly sortedBy?: Sorting | null;
  readonly onSort?: (sorting: Sorting | null) => void;
  /** Cells of a last row that stays in view, by column: totals. */
  readonly totals?: Readonly<Record<string, ReactNode>> | undefined;
  /** True: the row is dimmed, e.g. because it is ending. */
  readonly isDim?: (row: Row) => boolean;
}

const ROW_PX = { compact: 28, comfortable: 34 } as const;
const NEAR_END = 12;
const PAGE = 15;
const NO_ROWS: readonly never[] = [];
const NONE_OPEN: ReadonlyMap<string, number> = new Map();
const NOTHING_OPEN: readonly Opened[] = [];

function openedOf<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  expanded: ReadonlyMap<string, number>,
): readonly Opened[] {
  if (expanded.size === 0) return NOTHING_OPEN;
  return rows.flatMap((row, index) => {
    const px = expanded.get(rowKey(row));
    return px === undefined ? [] : [{ index, px }];
  });
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rowKey, error = null, onRetry, empty, height, natural = false } = props;
  const { rows = NO_ROWS } = props;
  const [ownSorting, setSorting] = useState<Sorting | null>(null);
  const isSortedHere = props.onSort === undefined;
  const sorting = isSortedHere ? ownSorting : (props.sortedBy ?? null);
  /** Keys of the expanded rows, with the heights of their expanded parts. */
  const [expanded, setExpanded] = useState<ReadonlyMap<string, number>>(NONE_OPEN);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const rowPx = ROW_PX[useSettings((settings) => settings.density)];

  const sorted = useMemo(
    () => (isSortedHere ? sortRows(rows, props.columns, sorting) : rows),
    [rows, props.columns, sorting, isSortedHere],
  );
  const view = useRowWindow(sorted.length, rowPx, openedOf(sorted, rowKey, expanded));
  const { start, end } = view;
  const { columns, isTight } = useFittingColumns(props.columns, view.frame, view.widths, sorted.length);
  const drawn = sorted.slice(start, end).map((row) => ({ row, key: rowKey(row) }));
  useDrawnRows(start, end - 1, sorted.length, props);
  const onDetailHeight = useCallback((key: string, px: number) => {
    setExpanded((before) =>
      before.has(key) && before.get(key) !== px ? new Map(before).set(key, px) : before,
    );
  }, []);

  /** Key of the row that gets the focus as soon as it is drawn. */
  const wanted = useRef<string | null>(null);
  const { frame } = view;
  const focusWanted = useCallback(() => {
    if (wanted.current === null) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(wanted.current)}"]`);
    if (row == null) return;
    wanted.current = null;
    row.focus();
  }, [frame]);
  useEffect(focusWanted);

  if (props.rows === undefined) {
    if (error !== null) return <ErrorState error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
    return <Skeleton rows={8} />;
  }
  if (sorted.length === 0 && error === null && empty !== undefined) return empty;

  const toggle = (key: string, open?: boolean) => {
    setExpanded((before) => {
      const next = new Map(before);
      if (open ?? !before.has(key)) next.set(key, before.get(key) ?? 0);
      else next.delete(key);
      return next;
    });
  };

  const goTo = (index: number) => {
    const place = Math.min(Math.max(0, index), sorted.length - 1);
    const row = sorted[place];
    if (row === undefined) return;
    const key = rowKey(row);
    setActiveKey(key);
    view.scrollTo(place);
    wanted.current = key;
    focusWanted();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => {
    // Buttons and fields inside a row handle their own keys.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = rowKey(row);
    const canExpand = (props.detail?.(row) ?? null) !== null;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(index + 1),
      ArrowUp: () => goTo(index - 1),
      PageDown: () => goTo(index + PAGE),
      PageUp: () => goTo(index - PAGE),
      Home: () => goTo(0),
      End: () => goTo(sorted.length - 1),
      ...(canExpand ? { ArrowRight: () => toggle(key, true), ArrowLeft: () => toggle(key, false) } : {}),
      ...(props.onOpen === undefined ? {} : { Enter: () => props.onOpen?.(row) }),
    };
    const act = isSecondKey(event) ? undefined : props.keys?.[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act(row);
      return;
    }
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  const tabStop =
    activeKey !== null && drawn.some(({ key }) => key === activeKey) ? activeKey : (drawn[0]?.key ?? null);
  const columnCount = columns.length + (props.detail === undefined ? 0 : 1);

  return (
    <>
      {error !== null && <ErrorState compact error={error} {...(onRetry === undefined ? {} : { onRetry })} />}
      <div
        ref={view.frameRef}
        className={css['frame']}
        data-natural={natural ? '' : undefined}
        data-tight={isTight ? '' : undefined}
        style={natural ? { flex: 'none' } : height === undefined ? {} : { height, flex: 'none' }}
      >
        <table className={css['table']} aria-label={label} aria-rowcount={sorted.length + 1}>
          <TableHeader
            columns={columns}
            sorting={sorting ?? props.comesBy ?? null}
            onSort={props.onSort ?? setSorting}
            expandable={props.detail !== undefined}
          />
          <Spacer height={view.above} columns={columnCount} />
          {drawn.map(({ row, key }, place) => {
            const detail = props.detail?.(row) ?? null;
            const isExpanded = detail !== null && expanded.has(key);
            return (
              <tbody key={key}>
                <TableRow
                  row={row}
                  id={key}
                  index={start + place}
                  columns={columns}
                  expandable={props.detail === undefined ? null : detail !== null}
                  expanded={isExpanded}
                  selected={props.selectedKey === key}
                  dim={props.isDim?.(row) ?? false}
                  tabStop={tabStop === key}
                  onToggle={toggle}
                  onFocus={setActiveKey}
                  onKeyDown={onKeyDown}
                  onOpen={props.onOpen}
                />
                {isExpanded && (
                  <DetailRow id={key} columns={columnCount} onHeight={onDetailHeight}>
                    {detail}
                  </DetailRow>
                )}
              </tbody>
            );
          })}
          <Spacer height={view.below} columns={columnCount} />
          {props.totals !== undefined && (
            <TotalsRow columns={columns} detail={props.detail} totals={props.totals} />
          )}
        </table>
        {props.loadingMore === true && <p className={css['more']}>Loading more…</p>}
      </div>
    </>
  );
}

/** Tells when the last rows come near, and which rows are drawn. */
function useDrawnRows(
  first: number,
  last: number,
  count: number,
  { onReachEnd, onWindow }: Pick<TableProps<never>, 'onReachEnd' | 'onWindow'>,
): void {
  const nearEnd = last >= 0 && last >= count - NEAR_END;
  useEffect(() => {
    if (nearEnd) onReachEnd?.();
  }, [nearEnd, onReachEnd]);
  useEffect(() => {
    if (last >= first) onWindow?.(first, last);
  }, [first, last, onWindow]);
}

/** Empty row as high as the rows that are not drawn. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr>
        <td colSpan={columns} className={css['spacer']} style={{ height }} />
      </tr>
    </tbody>
  );
}

function TotalsRow<Row>({
  columns,
  totals,
  detail,
}: Pick<TableProps<Row>, 'columns'> & {
  readonly detail: TableProps<Row>['detail'] | undefined;
  readonly totals: NonNullable<TableProps<Row>['totals']>;
}) {
  return (
    <tfoot>
      <tr>
        {detail !== undefined && <td className={css['foot']} />}
        {columns.map((column, index) => {
          const { id, align = 'left', pinned } = column;
          const Cell = index === 0 ? 'th' : 'td';
          return (
            <Cell
              key={id}
              data-name={columnName(column)}
              data-cards={column.onCards}
              {...(index === 0 ? { scope: 'row' } : {})}
              className={classNames(css['foot'], css[align], pinned === true && css['pinned'])}
            >
              {totals[id]}
            </Cell>
          );
        })}
      </tr>
    </tfoot>
  );
}
