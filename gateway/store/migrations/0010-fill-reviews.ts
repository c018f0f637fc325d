/** Fills whose trade id the venue has also given to an earlier trade: under review until a person resolves them. */
import type { SchemaMigration } from './schema-migration.ts';

export const fillReviews: SchemaMigration = {
  version: 10,
  name: 'FillReviews1795305600010',
  statements: [
    `CREATE TABLE fill_reviews (
      id TEXT NOT NULL PRIMARY KEY,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      trade_id TEXT NOT NULL,
      recorded_as TEXT NOT NULL,
      execution_id TEXT,
      symbol TEXT NOT NULL,
      side TEXT NOT NULL,
      price TEXT NOT NULL,
      quantity TEXT NOT NULL,
      timestamp INTEGER NOT NULL,
      known TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      resolved_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX fill_reviews_open ON fill_reviews (created_at, id) WHERE resolved_at IS NULL`,
  ],
};
