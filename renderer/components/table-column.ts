/** A column of a `Table`. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right';
  /** What it sorts by; without, it cannot be sorted by. null comes last. Use it for the order only. */
  readonly sort?: (row: Row) => string | number | null;
  /** px; columns without share what is left, at least 80 px each. */
  readonly width?: number;
  /** At the end of the table: stays in view while the rest is scrolled sideways. */
  readonly pinned?: boolean;
  /** The header in words, where it is not text: read out only. */
  readonly label?: string;
}
