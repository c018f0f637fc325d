/** Columns that several kinds of pending orders share. */
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { type Authority, placedByColumn } from '../placed-by/placed-by.tsx';
import { ExpiresIn, type Expiring } from './expires-in.tsx';
import { Note } from './note.tsx';
import type { StateWords } from './order-states.ts';
import { INTENTS } from './order-words.ts';
import { StateBadge } from './state-badge.tsx';

interface Placed {
  readonly authority: Authority;
  readonly createdAt: string;
}

export function kindColumn<Row extends { readonly kind: 'OPEN' | 'CLOSE' }>(): Column<Row> {
  return { id: 'kind', header: 'Action', cell: (row) => INTENTS[row.kind], width: 70 };
}

export function byColumn<Row extends Placed>(): Column<Row> {
  return { ...placedByColumn<Row>((row) => row.authority), priority: 4 };
}

export function createdColumn<Row extends Placed>(header: 'Set' | 'Began'): Column<Row> {
  return {
    id: 'created',
    header,
    cell: (row) => <Time at={row.createdAt} style="short" />,
    width: 120,
    priority: 5,
  };
}

/** On a page it goes early: its text then stands below the condition (`ExpiryLine`). */
export function expiresColumn<Row extends Expiring>(): Column<Row> {
  return {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    cell: (row) => <ExpiresIn of={row} />,
    width: 100,
    priority: 7,
  };
}

export function stateColumn<Row extends { readonly id: string }>(
  stateOf: (row: Row) => StateWords,
): Column<Row> {
  return {
    id: 'state',
    header: 'State',
    cell: (row) => <StateBadge id={row.id} state={stateOf(row)} />,
  };
}

/** Error or other remark, cut to the space it gets. The opened row has all of it. */
export function noteColumn<Row extends { readonly error: string | null }>(): Column<Row> {
  return { id: 'error', header: 'Note', isText: true, cell: (row) => <Note text={row.error} />, priority: 8 };
}

/** State as plain text without the reason of a pause: the panel has no room for badges. */
export function briefStateColumn<Row>(stateOf: (row: Row) => StateWords, width: number): Column<Row> {
  const cell = (row: Row) => {
    const { label, brief = label } = stateOf(row);
    return brief;
  };
  return { id: 'state', header: 'State', cell, width, priority: 3 };
}
