/** Last column of a table: actions on the row. */
import type { ReactNode } from 'react';
import type { Column } from './table-column.ts';

/** @param width px */
export function actionsColumn<Row>(width: number, cell: (row: Row) => ReactNode, pinned = true): Column<Row> {
  return {
    id: 'actions',
    pinned,
    header: <span className="visually-hidden">Actions</span>,
    align: 'right',
    width,
    cell,
  };
}
