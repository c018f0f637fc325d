/** Conversion of records to and from rows, by the entity's columns. */

import type { Row, SqlValue } from '../file/sqlite-handle.ts';
import { type ColumnKind, columnsOf, type TableEntity } from './table-entity.ts';

/**
 * A record as the JSON array that the writer's trigger spreads over the columns, values in the entity's order. The
 * value of a JSON column is nested in the array unencoded: `->>` takes an array or object out as its text. Text is
 * UTF-8: a lone surrogate, which UTF-8 cannot hold, is the only text that is read back changed.
 */
export function rowEncoder<R>(entity: TableEntity<R>): (record: R) => string {
  // Filled for the first record: at start all tables get an encoder, but only a few are needed.
  let properties: readonly (keyof R & string)[] | undefined;
  return (record) => {
    properties ??= Object.keys(entity.columns) as (keyof R & string)[];
    const values: unknown[] = [];
    for (const property of properties) values.push(record[property]);
    return JSON.stringify(values);
  };
}

/** A record as the parameters of a plain `INSERT`, values in the entity's order. */
export function rowValues<R>(entity: TableEntity<R>, record: R): SqlValue[] {
  return columnsOf(entity).map(({ property, column }) => {
    const value: unknown = record[property];
    if (value === null) return null;
    if (column.type === 'simple-json') return JSON.stringify(value);
    return typeof value === 'number' || typeof value === 'string' ? value : Number(value);
  });
}

function decodeValue(kind: ColumnKind, value: SqlValue): unknown {
  if (value === null) return null;
  if (kind === 'boolean') return value !== 0;
  if (kind === 'simple-json') return JSON.parse(String(value));
  return value;
}

/** `SELECT` list of the entity's columns, in its order. */
export function selectList<R>(entity: TableEntity<R>): string {
  return columnsOf(entity)
    .map(({ column }) => column.name)
    .join(', ');
}

/** A record from a row selected with `selectList`, unchecked: the table is STRICT and only the encoder writes it. */
export function rowDecoder<R>(entity: TableEntity<R>): (row: Row) => R {
  const columns = columnsOf(entity);
  return (row) => {
    const record: { -readonly [Property in keyof R]?: unknown } = {};
    for (const { property, column } of columns) {
      record[property] = decodeValue(column.type, row[column.name] ?? null);
    }
    return record as R;
  };
}
