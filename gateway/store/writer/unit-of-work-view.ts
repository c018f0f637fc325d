/**
 * The writer's statement: an insert into a view whose trigger spreads one JSON array per table over the tables. A batch
 * is one hop to the driver's thread and one implicit transaction, whatever it holds.
 *
 * View and trigger are TEMP objects of the write handle, made from `tables.ts` when a batch first has these parts: they
 * belong to the program, not to the file, so they cannot drift from the encoder and need no migration. Each table has
 * a column of its own because `jsonb_each` parses its whole argument: one document for all would be parsed per table.
 * `jsonb_each` (SQLite 3.51) hands on each row as binary JSON, so that `->>` need not parse the row again per column.
 */

import { PARTS, type PartName } from '../tables.ts';

/** SQL of a view named `view` whose trigger writes `parts`, in their order. */
export function createUnitOfWork(view: string, parts: readonly PartName[]): string {
  return `
  CREATE TEMP VIEW ${view} (${parts.join(', ')}) AS SELECT ${parts.map(() => 'NULL').join(', ')};
  CREATE TEMP TRIGGER apply_${view} INSTEAD OF INSERT ON ${view} BEGIN
    ${parts.map((part) => `${PARTS[part].apply(part)};`).join('\n    ')}
  END;`;
}

/** SQL of the insert, with one parameter per part: a JSON array of rows (of ids for a delete), or NULL. */
export function insertUnitOfWork(view: string, parts: readonly PartName[]): string {
  return `INSERT INTO ${view} VALUES (${parts.map(() => '?').join(', ')})`;
}
