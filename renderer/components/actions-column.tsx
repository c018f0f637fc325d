/** Last column of a table: actions on the row. */
import type { ReactNode } from 'react';
import type { Column } from './table-column.ts';

/** @param width px */
export function actionsColumn<Row>(width: number, cell: (row: Row) => ReactNode): Column<Row> {
  return {
    id: 'actions',
    pinned: true,
    header: <span className="visually-hidden">Actions</span>,
    align: 'right',
    width,
    cell,
  };
}
