/**
 * The table: sortable, its header stays, only visible rows are drawn, rows open or expand. ↑ ↓ Home End Page keys move,
 * Enter opens, → and ← expand and collapse. `columns` should keep its identity from render to render (a constant or
 * `useMemo`): a row is drawn anew only when it, or its columns, changed. Live cells are components with a live hook.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSettings } from '../api/settings.ts';
import { ErrorState, Skeleton } from './states.tsx';
import css from './table.module.css';
import { type Sorting, sortRows, TableHeader } from './table-header.tsx';
import { DetailRow, TableRow } from './table-row.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right' | 'center';
  /** What it sorts by; without, it cannot be sorted by. null comes last. Use it for the order only. */
  readonly sort?: (row: Row) => string | number | null;
  /** px; columns without share what is left, at least 80 px each. */
  readonly width?: number;
  /** The header in words, where it is not text: read out only. */
  readonly label?: string;
}

export interface TableProps<Row> {
  /** What the table shows: its name for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Enter or a click. */
  readonly onOpen?: (row: Row) => void;
  /** Content below a row that can expand; null: this row cannot. */
  readonly detail?: (row: Row) => ReactNode;
  readonly selectedKey?: string | null;
  readonly initialSort?: Sorting;
  /** `rows` undefined and no error: loading. */
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Instead of no rows. */
  readonly empty?: ReactNode;
  /** The last rows come into view. */
  readonly onReachEnd?: (() => void) | undefined;
  readonly loadingMore?: boolean;
  /** Places of the rows that are drawn, whenever they change: for lists that read their pages as they are looked at. */
  readonly onWindow?: (first: number, last: number) => void;
  /** px; without, it takes the height of its place. */
  readonly height?: number;
  /** As high as its rows: for short lists inside a page. */
  readonly natural?: boolean;
  /** A dimmed row: e.g. one that is ending. */
  readonly isDim?: (row: Row) => boolean;
}

const ROW_PX = { compact: 28, comfortable: 34 } as const;
const OVERSCAN = 8;
const NEAR_END = 12;
const PAGE = 15;
const NO_ROWS: readonly never[] = [];

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rowKey, error = null, onRetry, empty, height, natural = false } = props;
  const { rows = NO_ROWS, onReachEnd, onWindow } = props;
  const [sorting, setSorting] = useState<Sorting | null>(props.initialSort ?? null);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = ROW_PX[useSettings((settings) => settings.density)];

  const sorted = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting]);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => {
      const row = sorted[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: OVERSCAN,
    // The header covers the first pixels.
    scrollPaddingStart: rowPx,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const nearEnd = last >= 0 && last >= sorted.length - NEAR_END;
  useEffect(() => {
    if (nearEnd) onReachEnd?.();
  }, [nearEnd, onReachEnd]);
  const first = items[0]?.index ?? -1;
  useEffect(() => {
    if (first >= 0) onWindow?.(first, last);
  }, [first, last, onWindow]);

  if (props.rows === undefined) {
    if (error !== null) return <ErrorState error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
    return <Skeleton rows={8} />;
  }
  if (sorted.length === 0 && error === null && empty !== undefined) return empty;

  const toggle = (key: string, open?: boolean) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (open ?? !before.has(key)) next.add(key);
      else next.delete(key);
      return next;
    });
  };

  const goTo = (index: number) => {
    const row = sorted[Math.min(Math.max(0, index), sorted.length - 1)];
    if (row === undefined) return;
    const key = rowKey(row);
    setActiveKey(key);
    virtual.scrollToIndex(sorted.indexOf(row), { align: 'auto' });
    // It may have to be drawn first.
    requestAnimationFrame(() => {
      frame.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus();
    });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => {
    // Buttons and fields inside a row have keys of their own.
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
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  const firstKey = sorted[items[0]?.index ?? 0];
  const tabStop =
    activeKey !== null && items.some(({ key }) => key === activeKey)
      ? activeKey
      : firstKey === undefined
        ? null
        : rowKey(firstKey);
  const columnCount = columns.length + (props.detail === undefined ? 0 : 1);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);

  return (
    <>
      {error !== null && <ErrorState compact error={error} {...(onRetry === undefined ? {} : { onRetry })} />}
      <div
        ref={frame}
        className={css['frame']}
        style={natural ? { flex: 'none' } : height === undefined ? {} : { height, flex: 'none' }}
      >
        <table className={css['table']} aria-label={label} aria-rowcount={sorted.length + 1}>
          <TableHeader
            columns={columns}
            sorting={sorting}
            onSort={setSorting}
            expandable={props.detail !== undefined}
          />
          <Spacer height={above} columns={columnCount} />
          {items.map(({ index, key }) => {
            const row = sorted[index];
            if (row === undefined) return null;
            const id = String(key);
            const detail = props.detail?.(row) ?? null;
            const isExpanded = detail !== null && expanded.has(id);
            return (
              <tbody key={id} ref={virtual.measureElement} data-index={index}>
                <TableRow
                  row={row}
                  id={id}
                  index={index}
                  columns={columns}
                  expandable={props.detail === undefined ? null : detail !== null}
                  expanded={isExpanded}
                  selected={props.selectedKey === id}
                  dim={props.isDim?.(row) ?? false}
                  tabStop={tabStop === id}
                  onToggle={toggle}
                  onFocus={setActiveKey}
                  onKeyDown={onKeyDown}
                  onOpen={props.onOpen}
                />
                {isExpanded && <DetailRow columns={columnCount}>{detail}</DetailRow>}
              </tbody>
            );
          })}
          <Spacer height={below} columns={columnCount} />
        </table>
        {props.loadingMore === true && <p className={css['more']}>Loading more…</p>}
      </div>
    </>
  );
}

/** Stands for the rows that are not drawn. */
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
