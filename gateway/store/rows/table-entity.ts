/**
 * Mapping of a record to a row. An entity is plain data in the shape of TypeORM's `EntitySchemaOptions`, so that the
 * hot paths (row encoding, the writer's trigger, single-row reads) use it without loading TypeORM, and the lists make
 * their `EntitySchema` of it. The mapped type makes a record's new property a compile error until it has a column of
 * the right kind.
 */

type KindOf<Value> = [NonNullable<Value>] extends [string]
  ? 'text'
  : [NonNullable<Value>] extends [number]
    ? 'integer'
    : [NonNullable<Value>] extends [boolean]
      ? 'boolean'
      : 'simple-json';

export type ColumnKind = 'text' | 'integer' | 'boolean' | 'simple-json';

interface ColumnOf<Kind extends ColumnKind> {
  readonly type: Kind;
  readonly name: string;
  readonly primary?: true;
  /** false: replacing a row leaves this column as first written, so that its indexes need no update. */
  readonly update?: false;
}

export type Column = ColumnOf<ColumnKind> & { readonly nullable?: true };

export interface TableEntity<Row> {
  readonly tableName: string;
  readonly columns: {
    readonly [Property in keyof Row]-?: ColumnOf<KindOf<Row[Property]>> &
      (null extends Row[Property] ? { readonly nullable: true } : { readonly nullable?: never });
  };
}

/** @param columns in the order of an encoded row */
export function table<Row>(tableName: string, columns: TableEntity<Row>['columns']): TableEntity<Row> {
  return { tableName, columns };
}

export function text(name: string): { readonly type: 'text'; readonly name: string } {
  return { type: 'text', name };
}

/** Column of whole numbers: epoch milliseconds, counters. Amounts are decimal text. */
export function integer(name: string): { readonly type: 'integer'; readonly name: string } {
  return { type: 'integer', name };
}

export function flag(name: string): { readonly type: 'boolean'; readonly name: string } {
  return { type: 'boolean', name };
}

/** Column of JSON text, for a value that is read and written whole and never queried by its parts. */
export function json(name: string): { readonly type: 'simple-json'; readonly name: string } {
  return { type: 'simple-json', name };
}

export function nullable<C extends object>(column: C): C & { readonly nullable: true } {
  return { ...column, nullable: true };
}

/** Makes the column part of the primary key. */
export function key<C extends object>(column: C): C & { readonly primary: true; readonly update: false } {
  return { ...column, primary: true, update: false };
}

/** Makes the column one that never changes after the first write. */
export function fixed<C extends object>(column: C): C & { readonly update: false } {
  return { ...column, update: false };
}

/** Columns of every record that belongs to a trade account. */
export const owned = {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  tradeAccountId: fixed(text('trade_account_id')),
  connector: fixed(text('connector')),
};

export interface PropertyColumn<Row> {
  readonly property: keyof Row & string;
  readonly column: Column;
}

/** The columns with their properties, in the entity's order: the position of a value in an encoded row. */
export function columnsOf<Row>(entity: TableEntity<Row>): readonly PropertyColumn<Row>[] {
  const entries = Object.entries(entity.columns) as [keyof Row & string, Column][];
  return entries.map(([property, column]) => ({ property, column }));
}

export function keyColumnsOf<Row>(entity: TableEntity<Row>): readonly string[] {
  return columnsOf(entity).flatMap(({ column }) => (column.primary ? [column.name] : []));
}

/** An entity without the type of its records. */
export interface Table {
  readonly tableName: string;
  readonly columns: Readonly<Record<string, Column>>;
}
