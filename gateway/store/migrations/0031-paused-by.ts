/** Author of a pause. NULL in earlier rows: the user, who alone resumes it. */
import type { SchemaMigration } from './schema-migration.ts';

export const pausedBy: SchemaMigration = {
  version: 31,
  name: 'PausedBy1795940000031',
  statements: [
    'ALTER TABLE triggers ADD COLUMN paused_by TEXT',
    'ALTER TABLE schedules ADD COLUMN paused_by TEXT',
    'ALTER TABLE auto_rebalances ADD COLUMN paused_by TEXT',
  ],
};
