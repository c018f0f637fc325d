/** The last column of a table: what can be done with the row. */
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
