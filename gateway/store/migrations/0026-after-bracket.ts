/** Action of a schedule after its brackets have closed its position; existing schedules end. */
import type { SchemaMigration } from './schema-migration.ts';

export const afterBracket: SchemaMigration = {
  version: 26,
  name: 'AfterBracket1795911000026',
  statements: [`ALTER TABLE schedules ADD COLUMN after_bracket TEXT NOT NULL DEFAULT 'STOP'`],
};
