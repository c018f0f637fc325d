/**
 * The statement that writes: an insert into a view whose trigger spreads one JSON array per table over the tables.
 * It is one hop to the driver's thread and one implicit transaction, whatever the batch holds.
 *
 * View and trigger are TEMP objects of the write handle, made from `tables.ts` when a batch first has these parts: they are part of the
 * program, not of the file, so they cannot drift from the encoder and no migration has to rewrite them. Each table has
 * a column of its own because `jsonb_each` parses its whole argument: one document for all would be parsed per table.
 * `jsonb_each` (SQLite 3.51) hands on each row as binary JSON, so that `->>` need not parse it again per column.
 */

import { PARTS, type PartName } from '../tables.ts';

/** A view of that name whose trigger writes these parts, in this order. */
export function createUnitOfWork(view: string, parts: readonly PartName[]): string {
  return `
  CREATE TEMP VIEW ${view} (${parts.join(', ')}) AS SELECT ${parts.map(() => 'NULL').join(', ')};
  CREATE TEMP TRIGGER apply_${view} INSTEAD OF INSERT ON ${view} BEGIN
    ${parts.map((part) => `${PARTS[part].apply(part)};`).join('\n    ')}
  END;`;
}

/** One parameter per part: a JSON array of rows (of ids where rows are deleted), or NULL. */
export function insertUnitOfWork(view: string, parts: readonly PartName[]): string {
  return `INSERT INTO ${view} VALUES (${parts.map(() => '?').join(', ')})`;
}
