/**
 * Tables are STRICT with decimals as TEXT, and WITHOUT ROWID where rows are found by their key. Indexes end in the id,
 * so that a page's row value `(time, id)` is a range of the index. Foreign keys exist only where the parent's page is
 * in the cache anyway: an execution is written with its orders; users, sessions and keys are few.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const initialSchema: SchemaMigration = {
  version: 1,
  name: 'InitialSchema1763683200000',
  statements: [
    `CREATE TABLE users (
      id TEXT NOT NULL PRIMARY KEY,
      email TEXT,
      password_hash TEXT,
      wallet_address TEXT,
      display_name TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE UNIQUE INDEX users_by_email ON users (email COLLATE NOCASE) WHERE email IS NOT NULL`,
    `CREATE UNIQUE INDEX users_by_wallet ON users (wallet_address COLLATE NOCASE) WHERE wallet_address IS NOT NULL`,

    `CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      refresh_hash TEXT NOT NULL UNIQUE,
      user_agent TEXT,
      ip TEXT,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX sessions_by_user ON sessions (user_id)`,

    `CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      label TEXT NOT NULL,
      scope TEXT NOT NULL,
      key_prefix TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      trade_account_ids TEXT,
      expires_at INTEGER,
      last_used_at INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX api_keys_by_user ON api_keys (user_id)`,

    `CREATE TABLE trade_accounts (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      alias TEXT NOT NULL,
      connector TEXT NOT NULL,
      mode TEXT NOT NULL,
      exchange_identifier TEXT NOT NULL,
      status TEXT NOT NULL,
      metadata TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX trade_accounts_by_user ON trade_accounts (user_id)`,

    `CREATE TABLE leverage_settings (
      trade_account_id TEXT NOT NULL,
      symbol TEXT NOT NULL,
      leverage INTEGER NOT NULL,
      margin_mode TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (trade_account_id, symbol)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE executions (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      type TEXT NOT NULL,
      origin TEXT NOT NULL,
      intent TEXT NOT NULL,
      status TEXT NOT NULL,
      error TEXT,
      error_code TEXT,
      position_id TEXT,
      client_id TEXT,
      parent_id TEXT,
      on_leg_failure TEXT NOT NULL,
      slippage TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      active_at INTEGER,
      finished_at INTEGER,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX executions_by_account ON executions (trade_account_id, created_at, id)`,
    // Rare statuses have small indexes of their own: a query for them never walks the completed executions.
    `CREATE INDEX executions_unfinished ON executions (trade_account_id, created_at, id)
      WHERE status IN ('IDLE', 'ACTIVE')`,
    `CREATE INDEX executions_unsuccessful ON executions (trade_account_id, created_at, id)
      WHERE status IN ('CANCELLED', 'FAILED')`,

    `CREATE TABLE orders (
      id TEXT NOT NULL PRIMARY KEY,
      execution_id TEXT NOT NULL REFERENCES executions (id),
      trade_account_id TEXT NOT NULL,
      leg_index INTEGER NOT NULL,
      symbol TEXT NOT NULL,
      side TEXT NOT NULL,
      mode TEXT NOT NULL,
      amount TEXT NOT NULL,
      reduce_only INTEGER NOT NULL,
      quantity TEXT,
      limit_price TEXT,
      attempt INTEGER NOT NULL,
      client_order_id TEXT,
      expires_at INTEGER,
      venue_order_id TEXT,
      status TEXT NOT NULL,
      filled_quantity TEXT NOT NULL,
      average_price TEXT,
      error TEXT,
      error_code TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX orders_by_execution ON orders (execution_id, leg_index)`,

    `CREATE TABLE fills (
      id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      execution_id TEXT,
      order_id TEXT,
      position_id TEXT,
      symbol TEXT NOT NULL,
      side TEXT NOT NULL,
      price TEXT NOT NULL,
      quantity TEXT NOT NULL,
      notional TEXT NOT NULL,
      fee TEXT NOT NULL,
      fee_asset TEXT NOT NULL,
      realized_pnl TEXT NOT NULL,
      liquidity TEXT NOT NULL,
      venue_order_id TEXT,
      trade_id TEXT NOT NULL,
      cloid TEXT,
      is_liquidation INTEGER NOT NULL,
      is_provisional INTEGER NOT NULL,
      timestamp INTEGER NOT NULL,
      PRIMARY KEY (trade_account_id, timestamp, id),
      UNIQUE (trade_account_id, trade_id)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX fills_by_execution ON fills (execution_id, timestamp, id) WHERE execution_id IS NOT NULL`,
    `CREATE INDEX fills_by_position ON fills (position_id, timestamp, id) WHERE position_id IS NOT NULL`,

    `CREATE TABLE funding_payments (
      trade_account_id TEXT NOT NULL,
      venue_id TEXT NOT NULL,
      position_id TEXT NOT NULL,
      symbol TEXT NOT NULL,
      amount TEXT NOT NULL,
      rate TEXT NOT NULL,
      timestamp INTEGER NOT NULL,
      PRIMARY KEY (trade_account_id, venue_id, position_id)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE positions (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      status TEXT NOT NULL,
      origin TEXT NOT NULL,
      entry_ratio TEXT,
      legs TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      closed_at INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX positions_by_creation ON positions (trade_account_id, created_at, id)`,
    `CREATE INDEX positions_by_update ON positions (trade_account_id, updated_at, id)`,
    `CREATE INDEX positions_open_by_creation ON positions (trade_account_id, created_at, id) WHERE status = 'OPEN'`,
    `CREATE INDEX positions_open_by_update ON positions (trade_account_id, updated_at, id) WHERE status = 'OPEN'`,

    `CREATE TABLE events (
      trade_account_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      event TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      timestamp INTEGER NOT NULL,
      PRIMARY KEY (trade_account_id, seq)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE account_seq (
      trade_account_id TEXT NOT NULL PRIMARY KEY,
      last_seq INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE idempotency (
      user_id TEXT NOT NULL,
      route TEXT NOT NULL,
      key TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      status INTEGER NOT NULL,
      answer TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (user_id, route, key)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX idempotency_by_age ON idempotency (created_at)`,

    `CREATE TABLE settings (
      key TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE cursors (
      trade_account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (trade_account_id, kind)
    ) STRICT, WITHOUT ROWID`,
  ],
};
