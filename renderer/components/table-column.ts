/** A column of a `Table`. */
import type { ReactNode } from 'react';

/** Widths of a table, px, at which columns come and go: `table-steps.css` has a rule for each. */
export const STEPS = [
  440, 480, 520, 560, 640, 700, 760, 800, 810, 840, 900, 960, 1020, 1080, 1120, 1160, 1200, 1240, 1300, 1340,
  1380, 1440, 1480, 1520, 1600, 1640, 1680, 1720, 1760, 1800, 1840, 1920, 2000,
] as const;
export type Step = (typeof STEPS)[number];

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
   * Least width of the table, px, at which the column is drawn; left out: always. In a narrower table its figures are
   * elsewhere, e.g. in the opened row, or the user can choose the column (`useChosenColumns`).
   */
  readonly from?: Step;
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
