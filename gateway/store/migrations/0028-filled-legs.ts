/** Fills of triggers and of the last automatic rebalance, by leg. Objects that ended before have none recorded. */
import type { SchemaMigration } from './schema-migration.ts';

export const filledLegs: SchemaMigration = {
  version: 28,
  name: 'FilledLegs1795912200028',
  statements: [
    `ALTER TABLE triggers ADD COLUMN filled TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE auto_rebalances ADD COLUMN last_filled TEXT NOT NULL DEFAULT '[]'`,
  ],
};
