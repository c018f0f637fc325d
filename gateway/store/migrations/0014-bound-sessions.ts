/**
 * Sessions bound to a key store the key's thumbprint. Existing sessions end: a server on another port of the pages'
 * host may have read their cookies, and nothing shows which.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const boundSessions: SchemaMigration = {
  version: 14,
  name: 'BoundSessions1795392000014',
  statements: [`ALTER TABLE sessions ADD COLUMN key_thumbprint TEXT`, `DELETE FROM sessions`],
};
