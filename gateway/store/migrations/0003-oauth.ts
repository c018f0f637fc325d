/**
 * Tables of the authorization server and the audit log. The indexes serve the claims, which look rows up by them, and
 * the bounds on clients and interactions, which count and order by them.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const oauthSchema: SchemaMigration = {
  version: 3,
  name: 'OAuth1763942400000',
  statements: [
    `CREATE TABLE oauth_clients (
      id TEXT NOT NULL PRIMARY KEY,
      redirect_uris TEXT NOT NULL,
      grant_types TEXT NOT NULL,
      name TEXT,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX oauth_clients_by_creation ON oauth_clients (created_at, id)`,

    `CREATE TABLE oauth_interactions (
      uid TEXT NOT NULL PRIMARY KEY,
      client_id TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      scopes TEXT NOT NULL,
      state TEXT,
      code_challenge TEXT NOT NULL,
      prompt TEXT NOT NULL,
      user_id TEXT,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX oauth_interactions_by_age ON oauth_interactions (prompt DESC, created_at, uid)`,
    `CREATE INDEX oauth_interactions_by_expiry ON oauth_interactions (expires_at)`,

    `CREATE TABLE oauth_codes (
      code_hash TEXT NOT NULL PRIMARY KEY,
      grant_id TEXT NOT NULL UNIQUE,
      client_id TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      code_challenge TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      redeemed_at INTEGER
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE oauth_grants (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      client_id TEXT NOT NULL,
      client_name TEXT,
      scopes TEXT NOT NULL,
      status TEXT NOT NULL,
      connected_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id)`,
    `CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id)`,

    `CREATE TABLE oauth_refresh_tokens (
      grant_id TEXT NOT NULL PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      issued_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE audit_log (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      action TEXT NOT NULL,
      subject_id TEXT,
      method TEXT NOT NULL,
      client TEXT,
      ip TEXT,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX audit_log_by_user ON audit_log (user_id, at, id)`,
    `CREATE INDEX audit_log_by_age ON audit_log (at)`,
  ],
};
