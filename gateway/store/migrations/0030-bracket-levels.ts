/** Levels of brackets whose position has changed its size; brackets without a row have the levels asked for. */
import type { SchemaMigration } from './schema-migration.ts';

export const bracketLevels: SchemaMigration = {
  version: 30,
  name: 'BracketLevels1795913400030',
  statements: [
    `CREATE TABLE bracket_levels (
      trigger_id TEXT NOT NULL PRIMARY KEY,
      sized TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
};
