/**
 * Family hash by which a rotated refresh token is recognised. An existing token has no part in common with its
 * successors, so it begins its own family.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const refreshTokenFamilies: SchemaMigration = {
  version: 13,
  name: 'RefreshTokenFamilies1795392000013',
  statements: [
    `ALTER TABLE oauth_refresh_tokens ADD COLUMN family_hash TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE oauth_refresh_tokens ADD COLUMN previous_hash TEXT`,
    `UPDATE oauth_refresh_tokens SET family_hash = token_hash`,
    `CREATE UNIQUE INDEX oauth_refresh_tokens_by_family ON oauth_refresh_tokens (family_hash)`,
  ],
};
