/**
 * Candles recorded by the gateway, in a table with a rowid because the rows are long; and an index of the few
 * provisional fills.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const candlesSchema: SchemaMigration = {
  version: 7,
  name: 'Candles1795219200007',
  statements: [
    `CREATE TABLE candles (
      connector TEXT NOT NULL,
      interval TEXT NOT NULL,
      start INTEGER NOT NULL,
      bars TEXT NOT NULL,
      PRIMARY KEY (connector, interval, start)
    ) STRICT`,
    `CREATE INDEX fills_provisional ON fills (trade_account_id, timestamp, id) WHERE is_provisional = 1`,
  ],
};
