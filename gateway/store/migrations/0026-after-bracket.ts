/** What a schedule does when its brackets have closed what it opened; those that ran before end. */
import type { SchemaMigration } from './schema-migration.ts';

export const afterBracket: SchemaMigration = {
  version: 26,
  name: 'AfterBracket1795911000026',
  statements: [`ALTER TABLE schedules ADD COLUMN after_bracket TEXT NOT NULL DEFAULT 'STOP'`],
};
