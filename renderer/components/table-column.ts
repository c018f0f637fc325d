/** A column of a `Table`. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right';
  /** Value to sort the column by; left out: not sortable. null comes last. For the order only. */
  readonly sort?: (row: Row) => string | number | null;
  /** px; columns without a width share the remaining space, at least 80 px each. */
  readonly width?: number;
  /** Pinned to the end of the table: stays in view while the other columns scroll sideways. */
  readonly pinned?: boolean;
  /**
   * Place among the columns that a table without room leaves out: 1 goes last. Of equal ones the
   * column on the left goes last. Left out: the column is always drawn. Its
   * figures are elsewhere then, e.g. in the opened row, or the user can choose the column (`useChosenColumns`).
   */
  readonly priority?: number;
  /** Part shown on cards unless the user chose the column: nothing, or its total only. Left out: all. */
  readonly onCards?: 'NOTHING' | 'TOTAL';
  /** Text rather than a figure: on a card it has a line of its own. */
  readonly isText?: boolean;
  /** On a card it is in the head, beside a first cell that is only a mark, and names the row. */
  readonly isHead?: boolean;
  /** In the head of the actions column, and over cards: an action on all rows. */
  readonly ofAll?: ReactNode;
  /** Name of a column whose header is not text, for screen readers only. */
  readonly label?: string;
}

/** Name over the cell where a row is drawn as a card; '' for columns that only have actions. */
export function columnName({ header, label, id }: Column<never>): string {
  if (id === 'actions') return '';
  return typeof header === 'string' && header !== '' ? header : (label ?? '');
}

/**
 * The columns with the priorities of this order.
 * @param order ids of the columns that a narrow table leaves out; the last one goes first
 */
export function givingWay<Row>(
  order: readonly string[],
  columns: readonly Column<Row>[],
): readonly Column<Row>[] {
  return columns.map((column) => {
    const place = order.indexOf(column.id);
    return place === -1 ? column : { ...column, priority: place + 1 };
  });
}
