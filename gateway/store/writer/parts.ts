/**
 * Parts bring the records of a unit of work into a table. A part is one parameter of the writer's statement, a JSON
 * array with a row per record, and the SQL that spreads the array over the table.
 */
import { rowEncoder } from '../rows/row-codec.ts';
import { columnsOf, keyColumnsOf, type Table, type TableEntity } from '../rows/table-entity.ts';

export interface Part<Written> {
  readonly table: Table;
  /** JSON text: the row's values in the order of the entity's columns. */
  readonly encode: (written: Written) => string;
  /** SQL that applies the JSON array `NEW.<column>`. */
  readonly apply: (column: string) => string;
}

/** Part that inserts rows; a key that is there already fails the unit. */
export function insert<Row>(entity: TableEntity<Row>): Part<Row> {
  return {
    table: entity,
    encode: rowEncoder(entity),
    apply: (column) => {
      const columns = columnsOf(entity);
      const names = columns.map((each) => each.column.name).join(', ');
      const values = columns.map((_, index) => `value ->> ${index}`).join(', ');
      // Without `WHERE true`, SQLite's parser reads the ON CONFLICT that follows as a join condition.
      return `INSERT INTO ${entity.tableName} (${names})
    SELECT ${values} FROM jsonb_each(NEW.${column}) WHERE true`;
    },
  };
}

function insertOr<Row>(entity: TableEntity<Row>, action: () => string): Part<Row> {
  const { apply, ...inserted } = insert(entity);
  return {
    ...inserted,
    apply: (column) =>
      `${apply(column)}\n    ON CONFLICT (${keyColumnsOf(entity).join(', ')}) DO ${action()}`,
  };
}

/** Part that inserts rows, or replaces the changeable columns where the key is there already. */
export function replace<Row>(entity: TableEntity<Row>): Part<Row> {
  return insertOr(entity, () => {
    const replaced = columnsOf(entity).flatMap(({ column: { name, update } }) =>
      update === false ? [] : [`${name} = excluded.${name}`],
    );
    return `UPDATE SET ${replaced.join(', ')}`;
  });
}

/** Part that inserts missing rows and leaves existing rows unchanged. */
export function insertMissing<Row>(entity: TableEntity<Row>): Part<Row> {
  return insertOr(entity, () => 'NOTHING');
}

/** Part for counters: inserts rows, or adds to those that exist. A batch may name a row more than once. */
export function addTo<Row>(entity: TableEntity<Row>): Part<Row> {
  return insertOr(entity, () => {
    const added = columnsOf(entity).flatMap(({ column: { name, primary } }) =>
      primary ? [] : [`${name} = ${name} + excluded.${name}`],
    );
    return `UPDATE SET ${added.join(', ')}`;
  });
}

/** Part that deletes rows by their id. */
export function remove<Row>(entity: TableEntity<Row>): Part<string> {
  return {
    table: entity,
    encode: (id) => JSON.stringify(id),
    apply: (column) =>
      `DELETE FROM ${entity.tableName} WHERE id IN (SELECT value FROM jsonb_each(NEW.${column}))`,
  };
}

/** A part for records that `rowOf` turns into its rows. */
export function from<Written, Row>(rowOf: (written: Written) => Row, part: Part<Row>): Part<Written> {
  return { ...part, encode: (written) => part.encode(rowOf(written)) };
}
