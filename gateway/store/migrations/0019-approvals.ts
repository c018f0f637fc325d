/**
 * Orders of agents and programs that needed an approval. The trigger decides races: once an approval has ended, no unit
 * of work that names it is committed, nor any of the unit's other rows.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const approvals: SchemaMigration = {
  version: 19,
  name: 'Approvals1795564980019',
  statements: [
    `CREATE TABLE approvals (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      holder TEXT NOT NULL,
      holder_name TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      kind TEXT NOT NULL,
      request TEXT NOT NULL,
      mandate_version INTEGER NOT NULL,
      reasons TEXT NOT NULL,
      above_usd TEXT,
      says TEXT,
      plan TEXT NOT NULL,
      plan_hash TEXT NOT NULL,
      reserve_usd TEXT NOT NULL,
      opens_position INTEGER NOT NULL,
      rests INTEGER NOT NULL,
      drift_bps INTEGER NOT NULL,
      password_above_usd TEXT,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      decided_at INTEGER,
      decided_by TEXT,
      withdrawn_because TEXT,
      made_id TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX approvals_by_rank ON approvals (
      user_id, (created_at + CASE status WHEN 'PENDING' THEN 1000000000000000 ELSE 0 END), id)`,
    `CREATE INDEX approvals_by_age ON approvals (created_at, id)`,
    `CREATE TRIGGER approvals_end_once BEFORE UPDATE ON approvals WHEN OLD.status <> 'PENDING'
     BEGIN SELECT RAISE(ABORT, 'The approval has ended'); END`,
  ],
};
