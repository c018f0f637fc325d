/**
 * What a client proposes for its mandate stays with its request until the user has decided, and a grant knows the earlier
 * ones whose use counts as its own. Grants of before continue no other.
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
