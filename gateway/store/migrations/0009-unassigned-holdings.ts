/**
 * Holdings of an account that are in no basket, as lots with their remaining quantity, beginning with the fills that
 * wait for a basket; and the cause of a fill that the venue did not make (a transfer between baskets and lots).
 */
import type { SchemaMigration } from './schema-migration.ts';

export const unassignedHoldings: SchemaMigration = {
  version: 9,
  name: 'UnassignedHoldings1795305600009',
  statements: [
    'ALTER TABLE fills ADD COLUMN cause TEXT',
    `CREATE TABLE unassigned_lots (
      id TEXT NOT NULL PRIMARY KEY,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      symbol TEXT NOT NULL,
      source TEXT NOT NULL,
      quantity TEXT NOT NULL,
      price TEXT NOT NULL,
      timestamp INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX unassigned_lots_left ON unassigned_lots (id) WHERE quantity <> '0'`,
    `INSERT INTO unassigned_lots
      SELECT id, trade_account_id, connector, symbol, 'OUTSIDE',
        CASE side WHEN 'BUY' THEN quantity ELSE '-' || quantity END, price, timestamp
      FROM fills INDEXED BY fills_provisional WHERE is_provisional = 1 AND position_id IS NULL`,
  ],
};
