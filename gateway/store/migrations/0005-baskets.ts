/**
 * Market baskets (`baskets`: ever opened or saved here; `basket_openers`: how often each trader opened them), saved
 * baskets and integrations. Baskets opened before this step are taken from the stored executions and positions.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const basketsSchema: SchemaMigration = {
  version: 5,
  name: 'Baskets1795219200005',
  statements: [
    `CREATE TABLE baskets (
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      legs TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (connector, basket_key)
    ) STRICT, WITHOUT ROWID`,

    // The primary key begins with the basket: counts are read by basket key, over all venues or some.
    `CREATE TABLE basket_openers (
      basket_key TEXT NOT NULL,
      connector TEXT NOT NULL,
      user_id TEXT NOT NULL,
      opened INTEGER NOT NULL,
      PRIMARY KEY (basket_key, connector, user_id)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE saved_baskets (
      id TEXT NOT NULL PRIMARY KEY,
      trade_account_id TEXT NOT NULL REFERENCES trade_accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      legs TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE UNIQUE INDEX saved_baskets_by_name ON saved_baskets (trade_account_id, name_key)`,
    `CREATE INDEX saved_baskets_by_update ON saved_baskets (trade_account_id, updated_at, id)`,

    `CREATE TABLE integrations (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      client_id TEXT NOT NULL,
      name TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE UNIQUE INDEX integrations_by_client ON integrations (user_id, client_id)`,

    `INSERT INTO basket_openers (basket_key, connector, user_id, opened)
      SELECT basket_key, connector, user_id, count(*) FROM executions
      WHERE intent = 'OPEN' AND status = 'COMPLETED' GROUP BY basket_key, connector, user_id`,
    // The first three values of the last intact row. Each row is a line; a line without them is the rest of a damaged
    // row.
    `INSERT INTO baskets (connector, basket_key, legs, created_at)
      SELECT connector, basket_key, (
        SELECT json_group_array(json_object('symbol', symbol, 'side', side)) FROM (
          SELECT value ->> 'symbol' AS symbol, value ->> 'side' AS side FROM json_each(p.legs) ORDER BY side, symbol)
      ), min(created_at) FROM positions AS p
      WHERE EXISTS (SELECT 1 FROM basket_openers AS o WHERE o.basket_key = p.basket_key AND o.connector = p.connector)
      GROUP BY connector, basket_key`,
  ],
};
