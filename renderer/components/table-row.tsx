/** One table row, re-rendered only when its own data changed. */
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useCallback } from 'react';
import { classNames } from './class-names.ts';
import css from './table.module.css';
import { type Column, columnName } from './table-column.ts';

interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** null: no row of the table expands. */
  readonly expandable: boolean | null;
  readonly expanded: boolean;
  readonly selected: boolean;
  readonly dim: boolean;
  readonly tabStop: boolean;
  readonly onToggle: (id: string) => void;
  readonly onFocus: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, index: number, row: Row) => void;
  readonly onOpen: ((row: Row) => void) | undefined;
}

const INTERACTIVE = 'button, a, input, select, textarea, label, [role="menuitem"]';

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, expandable, expanded, onOpen } = props;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // A click on a control inside the row, or in a popup of the row, is not a click on the row.
    const target = event.target instanceof Element ? event.target : null;
    if (target === null || !event.currentTarget.contains(target) || target.closest(INTERACTIVE) !== null)
      return;
    if (getSelection()?.isCollapsed === false) return;
    onOpen?.(row);
  };
  return (
    <tr
      className={classNames(
        css['row'],
        onOpen !== undefined && css['opens'],
        props.selected && css['selected'],
        props.dim && css['dim'],
      )}
      data-row={id}
      aria-rowindex={index + 2}
      tabIndex={props.tabStop ? 0 : -1}
      onFocus={() => props.onFocus(id)}
      onKeyDown={(event) => props.onKeyDown(event, index, row)}
      onClick={onClick}
    >
      {expandable !== null && (
        <td className={css['expander']}>
          {expandable && (
            <button
              type="button"
              className={classNames(css['expand'], expanded && css['expanded'])}
              aria-expanded={expanded}
              aria-label={`Details, row ${index + 1}`}
              onClick={() => props.onToggle(id)}
            >
              <ChevronRight />
            </button>
          )}
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-name={columnName(column)}
          data-cards={column.onCards}
          className={classNames(
            css['cell'],
            css[column.align ?? 'left'],
            column.pinned === true && css['pinned'],
            column.id === 'actions' && css['acts'],
            column.isText === true && css['text'],
            column.isHead === true && css['lead'],
          )}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Compares all properties but the handlers, which are new at every render of the table and behave the same. */
function looksTheSame<Row>(a: TableRowProps<Row>, b: TableRowProps<Row>): boolean {
  return (
    a.row === b.row &&
    a.id === b.id &&
    a.index === b.index &&
    a.columns === b.columns &&
    a.expandable === b.expandable &&
    a.expanded === b.expanded &&
    a.selected === b.selected &&
    a.dim === b.dim &&
    a.tabStop === b.tabStop
  );
}

export const TableRow = memo(PlainRow, looksTheSame) as typeof PlainRow;

export function DetailRow({
  id,
  columns,
  onHeight,
  children,
}: {
  readonly id: string;
  readonly columns: number;
  readonly onHeight: (id: string, px: number) => void;
  readonly children: ReactNode;
}) {
  const watch = useCallback(
    (element: HTMLTableRowElement) => {
      const observer = new ResizeObserver(() => onHeight(id, element.getBoundingClientRect().height));
      observer.observe(element);
      return () => observer.disconnect();
    },
    [id, onHeight],
  );
  return (
    <tr ref={watch} className={css['detailRow']}>
      <td colSpan={columns} className={css['detail']}>
        {children}
      </td>
    </tr>
  );
}
