/**
 * Tables for reservations, holdings and results of mandate holders. They are separate from executions, triggers and
 * schedules: few of those are placed under a mandate, and more columns would slow every acknowledgement.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const mandateUsage: SchemaMigration = {
  version: 18,
  name: 'MandateUsage1795564920018',
  statements: [
    `CREATE TABLE agent_reservations (
      id TEXT NOT NULL PRIMARY KEY,
      what TEXT NOT NULL CHECK (what IN ('EXECUTION', 'TRIGGER', 'SCHEDULE')),
      holder_kind TEXT NOT NULL,
      holder_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      usd TEXT NOT NULL,
      asked INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX agent_reservations_by_age ON agent_reservations (created_at)`,
    `CREATE TABLE agent_holdings (
      holder_kind TEXT NOT NULL,
      holder_id TEXT NOT NULL,
      position_id TEXT NOT NULL,
      symbol TEXT NOT NULL,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      side TEXT NOT NULL,
      quantity TEXT NOT NULL,
      cost TEXT NOT NULL,
      realised TEXT NOT NULL,
      fees TEXT NOT NULL,
      funding TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (holder_kind, holder_id, position_id, symbol)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE agent_results (
      id TEXT NOT NULL PRIMARY KEY,
      holder_kind TEXT NOT NULL,
      holder_id TEXT NOT NULL,
      usd TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX agent_results_by_age ON agent_results (at)`,
  ],
};
