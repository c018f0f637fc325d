/** Funding rates recorded by the gateway, in a table with a rowid because the rows are long. */
import type { SchemaMigration } from './schema-migration.ts';

export const fundingRates: SchemaMigration = {
  version: 25,
  name: 'FundingRates1795824000025',
  statements: [
    `CREATE TABLE funding_rates (
      connector TEXT NOT NULL,
      hour INTEGER NOT NULL,
      rates TEXT NOT NULL,
      PRIMARY KEY (connector, hour)
    ) STRICT`,
  ],
};
