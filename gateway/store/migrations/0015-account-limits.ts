/**
 * Arming and caps of live accounts. An account without a row was never armed. Paper accounts have none, and until this
 * step all accounts are paper, so nothing is taken over.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const accountLimits: SchemaMigration = {
  version: 15,
  name: 'AccountLimits1795478400015',
  statements: [
    `CREATE TABLE account_limits (
      trade_account_id TEXT NOT NULL PRIMARY KEY REFERENCES trade_accounts (id) ON DELETE CASCADE,
      armed INTEGER NOT NULL,
      armed_for TEXT NOT NULL,
      armed_at INTEGER,
      per_order_usd TEXT NOT NULL,
      total_usd TEXT NOT NULL,
      day_loss_usd TEXT,
      instruments TEXT,
      allow TEXT NOT NULL,
      programs_read_credentials INTEGER,
      first_order_confirmed_at INTEGER,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
  ],
};
