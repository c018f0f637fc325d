/** Webhooks and message channels, and the log of their deliveries. Secrets are in the vault, never here. */
import type { SchemaMigration } from './schema-migration.ts';

export const news: SchemaMigration = {
  version: 22,
  name: 'News1795661000022',
  statements: [
    `CREATE TABLE news_destinations (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      address TEXT NOT NULL,
      wants TEXT NOT NULL,
      trade_account_ids TEXT,
      enabled INTEGER NOT NULL,
      since INTEGER NOT NULL,
      skipped INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE news_deliveries (
      id TEXT NOT NULL PRIMARY KEY,
      destination_id TEXT NOT NULL REFERENCES news_destinations (id) ON DELETE CASCADE,
      event_id TEXT NOT NULL,
      event TEXT NOT NULL,
      trade_account_id TEXT,
      seq INTEGER NOT NULL,
      mode TEXT NOT NULL,
      network TEXT,
      entity_id TEXT NOT NULL,
      occurred_at INTEGER NOT NULL,
      status TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_attempt_at INTEGER,
      response_status INTEGER,
      error TEXT,
      response TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      finished_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX news_deliveries_by_destination ON news_deliveries (destination_id, created_at, id)`,
    `CREATE INDEX news_deliveries_waiting ON news_deliveries (created_at, id) WHERE finished_at IS NULL`,
    `CREATE INDEX news_deliveries_ended ON news_deliveries (finished_at) WHERE finished_at IS NOT NULL`,
  ],
};
