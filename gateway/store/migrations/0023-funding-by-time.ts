/** Funding payments as a list by time: an id of their own for its cursor, and the order that it is read in. */
import type { SchemaMigration } from './schema-migration.ts';

export const fundingByTime: SchemaMigration = {
  version: 23,
  name: 'FundingByTime1795690000023',
  statements: [
    `ALTER TABLE funding_payments ADD COLUMN id TEXT NOT NULL DEFAULT ''`,
    `UPDATE funding_payments SET id = lower(hex(randomblob(16)))`,
    `CREATE INDEX funding_payments_by_time ON funding_payments (trade_account_id, timestamp, id)`,
  ],
};
