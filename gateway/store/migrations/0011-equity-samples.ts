/**
 * Samples of accounts' equity, marked to market: past equity cannot be computed later. Equity includes the unassigned
 * lots, so they get an index by account.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const equitySamples: SchemaMigration = {
  version: 11,
  name: 'EquitySamples1795305600011',
  statements: [
    `CREATE TABLE equity_samples (
      trade_account_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      deposits TEXT NOT NULL,
      flow TEXT NOT NULL,
      gateway_pnl TEXT NOT NULL,
      gateway_unrealized TEXT NOT NULL,
      external_pnl TEXT NOT NULL,
      external_unrealized TEXT NOT NULL,
      PRIMARY KEY (trade_account_id, at)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX unassigned_lots_of_account ON unassigned_lots (trade_account_id) WHERE quantity <> '0'`,
    `CREATE INDEX equity_flows ON equity_samples (trade_account_id, at) WHERE flow <> '0'`,
  ],
};
