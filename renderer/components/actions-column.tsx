/** Last column of a table: actions on the row. */
import type { ReactNode } from 'react';
import type { Column } from './table-column.ts';

/**
 * @param width px
 * @param ofAll in the head: an action on all rows
 */
export function actionsColumn<Row>(
  width: number,
  cell: (row: Row) => ReactNode,
  pinned = true,
  ofAll?: ReactNode,
): Column<Row> {
  return {
    id: 'actions',
    pinned,
    ...(ofAll === undefined ? {} : { ofAll }),
    header: ofAll ?? <span className="visually-hidden">Actions</span>,
    align: 'right',
    width,
    cell,
  };
}
