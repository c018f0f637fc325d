/** Columns of values and times, sorted by value. */
import type { ReactNode } from 'react';
import type { TimeStyle } from './format.ts';
import type { Column } from './table-column.ts';
import { Time } from './time.tsx';

type Place<Row> = Pick<Column<Row>, 'width' | 'align' | 'isText'>;

/** @param draw the cell for a value; the column is sorted by the value itself */
export function valueColumn<Row, Value extends string | number | null>(
  id: string,
  header: string,
  read: (row: Row) => Value,
  { draw = (value) => value, ...place }: Place<Row> & { readonly draw?: (value: Value) => ReactNode } = {},
): Column<Row> {
  return { id, header, sort: read, cell: (row) => draw(read(row)), ...place };
}

/** @param read ISO 8601 */
export function timeColumn<Row>(
  id: string,
  header: string,
  read: (row: Row) => string,
  { style = 'datetime', ...place }: Place<Row> & { readonly style?: TimeStyle } = {},
): Column<Row> {
  return valueColumn(id, header, read, { ...place, draw: (at) => <Time at={at} style={style} /> });
}
