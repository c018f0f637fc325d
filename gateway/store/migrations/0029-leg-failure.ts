/**
 * Policy for a failed leg of resting orders and plans. Stored records keep their former behaviour: closes, slices and
 * rebalances tried again, opening triggers and ladders kept their fills.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const legFailure: SchemaMigration = {
  version: 29,
  name: 'LegFailure1795912800029',
  statements: [
    `ALTER TABLE triggers ADD COLUMN on_leg_failure TEXT NOT NULL DEFAULT 'KEEP'`,
    `UPDATE triggers SET on_leg_failure = 'RETRY' WHERE kind = 'CLOSE'`,
    `ALTER TABLE ladders ADD COLUMN on_leg_failure TEXT NOT NULL DEFAULT 'KEEP'`,
    `ALTER TABLE schedules ADD COLUMN on_leg_failure TEXT NOT NULL DEFAULT 'RETRY'`,
    `ALTER TABLE auto_rebalances ADD COLUMN on_leg_failure TEXT NOT NULL DEFAULT 'RETRY'`,
  ],
};
