/**
 * Mandates of grants and API keys, limits over all of a user's agents, and suspensions. Mandates and limits are only
 * ever added: the highest version applies. Existing grants and keys have none.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const mandates: SchemaMigration = {
  version: 16,
  name: 'Mandates1795564800016',
  statements: [
    `CREATE TABLE agent_mandates (
      holder_kind TEXT NOT NULL CHECK (holder_kind IN ('oauth_grant', 'api_key')),
      holder_id TEXT NOT NULL,
      version INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      terms TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (holder_kind, holder_id, version)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE house_limits (
      user_id TEXT NOT NULL,
      version INTEGER NOT NULL,
      terms TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (user_id, version)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE agent_suspensions (
      holder_kind TEXT NOT NULL CHECK (holder_kind IN ('oauth_grant', 'api_key')),
      holder_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      reason TEXT,
      suspended_at INTEGER,
      suspended_by TEXT CHECK (suspended_by IN ('USER', 'GATEWAY')),
      PRIMARY KEY (holder_kind, holder_id)
    ) STRICT, WITHOUT ROWID`,
  ],
};
