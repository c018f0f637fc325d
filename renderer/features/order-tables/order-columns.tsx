/** Columns that several kinds of pending orders share. */
import type { Column, Step } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { BasketLabel } from '../basket-name/basket-label.tsx';
import type { NamedLeg } from '../basket-name/basket-name.ts';
import { type Authority, placedByColumn } from '../placed-by/placed-by.tsx';
import { ExpiresIn, type Expiring } from './expires-in.tsx';
import { Note } from './note.tsx';
import type { StateWords } from './order-states.ts';
import { INTENTS } from './order-words.ts';
import { StateBadge } from './state-badge.tsx';

/** Least width, px, of a page's table with the columns whose content is also in the opened row or in other columns. */
export const SPARE = 1020;

interface Placed {
  readonly authority: Authority;
  readonly createdAt: string;
}

/** The whole name. In the panel, `basketColumn` cuts a long one. */
export function wholeBasketColumn<Row extends { readonly legs: readonly NamedLeg[] }>(): Column<Row> {
  return { id: 'basket', header: 'Basket', cell: (row) => <BasketLabel legs={row.legs} /> };
}

export function kindColumn<Row extends { readonly kind: 'OPEN' | 'CLOSE' }>(): Column<Row> {
  return { id: 'kind', header: 'Action', cell: (row) => INTENTS[row.kind], width: 70 };
}

export function byColumn<Row extends Placed>(from: Step): Column<Row> {
  return { ...placedByColumn<Row>((row) => row.authority), from };
}

export function createdColumn<Row extends Placed>(header: 'Set' | 'Began'): Column<Row> {
  return {
    id: 'created',
    header,
    cell: (row) => <Time at={row.createdAt} style="short" />,
    width: 120,
    from: SPARE,
  };
}

export function expiresColumn<Row extends Expiring>(from: Step): Column<Row> {
  return {
    id: 'expires',
    header: 'Expires in',
    align: 'right',
    cell: (row) => <ExpiresIn of={row} />,
    width: 100,
    from,
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
  return { id: 'error', header: 'Note', isText: true, cell: (row) => <Note text={row.error} />, from: SPARE };
}

/** State as plain text without the reason of a pause: the panel has no room for badges. */
export function briefStateColumn<Row>(stateOf: (row: Row) => StateWords, width: number): Column<Row> {
  const cell = (row: Row) => {
    const { label, brief = label } = stateOf(row);
    return brief;
  };
  return { id: 'state', header: 'State', cell, width, from: 760 };
}
