/**
 * Sessions that are bound to a key, whose thumbprint they keep. Those from before end: any of them may have been read off
 * its cookie by a server on another port of the pages' host, and nothing tells which.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const boundSessions: SchemaMigration = {
  version: 14,
  name: 'BoundSessions1795392000014',
  statements: [`ALTER TABLE sessions ADD COLUMN key_thumbprint TEXT`, `DELETE FROM sessions`],
};
