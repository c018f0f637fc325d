/**
 * Equity of accounts marked to market, kept as it was at a moment: of the past it cannot be made again. What it is made of
 * has the lots in no basket in it, which are found by their account.
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
