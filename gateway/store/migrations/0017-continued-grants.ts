/**
 * Stores a client's proposed mandate with its request until the user has decided, and the earlier grants whose use
 * counts as a grant's own. Existing grants continue no other.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const continuedGrants: SchemaMigration = {
  version: 17,
  name: 'ContinuedGrants1795564860017',
  statements: [
    'ALTER TABLE oauth_interactions ADD COLUMN proposal TEXT',
    `ALTER TABLE oauth_grants ADD COLUMN continues TEXT NOT NULL DEFAULT '[]'`,
  ],
};
