/**
 * Resting orders and their notifications. As in the first step: STRICT, decimals as TEXT, WITHOUT ROWID, indexes that
 * end in the id. Live rows have small indexes of their own, so that a start and a list of live rows never walk the
 * history.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const restingOrders: SchemaMigration = {
  version: 4,
  name: 'RestingOrders1795219200002',
  statements: [
    `CREATE TABLE triggers (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      kind TEXT NOT NULL,
      position_id TEXT,
      ladder_id TEXT,
      rung_index INTEGER,
      legs TEXT NOT NULL,
      weights TEXT NOT NULL,
      total_usd TEXT,
      fraction TEXT,
      price_source TEXT NOT NULL,
      slippage TEXT NOT NULL,
      condition TEXT,
      bracket_type TEXT,
      armed TEXT,
      take_profit TEXT,
      stop_loss TEXT,
      on_missed TEXT NOT NULL,
      client_id TEXT,
      expires_at INTEGER,
      status TEXT NOT NULL,
      pause_reason TEXT,
      last_value TEXT,
      last_checked_at INTEGER,
      triggered_at INTEGER,
      execution_id TEXT,
      error TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX triggers_by_account ON triggers (trade_account_id, created_at, id)`,
    `CREATE INDEX triggers_live ON triggers (trade_account_id, created_at, id)
      WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED')`,
    `CREATE INDEX triggers_by_ladder ON triggers (ladder_id, rung_index) WHERE ladder_id IS NOT NULL`,

    `CREATE TABLE trailing_peaks (
      trigger_id TEXT NOT NULL PRIMARY KEY,
      peak TEXT NOT NULL,
      seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE schedules (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      kind TEXT NOT NULL,
      position_id TEXT,
      fraction TEXT,
      legs TEXT NOT NULL,
      ledger TEXT NOT NULL,
      duration_seconds INTEGER NOT NULL,
      interval_seconds INTEGER NOT NULL,
      randomize INTEGER NOT NULL,
      slippage TEXT NOT NULL,
      limit_ratio TEXT,
      missed_slice_policy TEXT NOT NULL,
      take_profit TEXT,
      stop_loss TEXT,
      reduce_only INTEGER NOT NULL,
      client_id TEXT,
      status TEXT NOT NULL,
      pause_reason TEXT,
      average_ratio TEXT,
      error TEXT,
      slice_count INTEGER NOT NULL,
      slices_completed INTEGER NOT NULL,
      next_slice_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX schedules_by_account ON schedules (trade_account_id, created_at, id)`,
    `CREATE INDEX schedules_live ON schedules (trade_account_id, created_at, id)
      WHERE status IN ('ACTIVE', 'PAUSED')`,

    `CREATE TABLE slices (
      schedule_id TEXT NOT NULL REFERENCES schedules (id),
      slice_index INTEGER NOT NULL,
      scheduled_at INTEGER NOT NULL,
      executed_at INTEGER,
      status TEXT NOT NULL,
      execution_id TEXT,
      legs TEXT,
      filled_usd TEXT NOT NULL,
      error TEXT,
      PRIMARY KEY (schedule_id, slice_index)
    ) STRICT, WITHOUT ROWID`,
    // This index finds a schedule that was cancelled while one of its slices was executing.
    `CREATE INDEX slices_executing ON slices (schedule_id, slice_index) WHERE status = 'EXECUTING'`,

    `CREATE TABLE ladders (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      basket_key TEXT NOT NULL,
      legs TEXT NOT NULL,
      total_usd TEXT NOT NULL,
      metric TEXT NOT NULL,
      symbol TEXT,
      direction TEXT NOT NULL,
      start_level TEXT NOT NULL,
      end_level TEXT NOT NULL,
      distribution TEXT NOT NULL,
      sizing TEXT NOT NULL,
      expires_at INTEGER,
      slippage TEXT NOT NULL,
      client_id TEXT,
      status TEXT NOT NULL,
      rungs TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ladders_by_account ON ladders (trade_account_id, created_at, id)`,
    `CREATE INDEX ladders_live ON ladders (trade_account_id, created_at, id) WHERE status = 'ACTIVE'`,

    `CREATE TABLE auto_rebalances (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT NOT NULL,
      connector TEXT NOT NULL,
      position_id TEXT NOT NULL,
      mode TEXT NOT NULL,
      action TEXT NOT NULL,
      minimum_drift TEXT NOT NULL,
      timeframe TEXT,
      cooldown_seconds INTEGER NOT NULL,
      max_trade_usd TEXT,
      status TEXT NOT NULL,
      last_drift TEXT,
      last_checked_at INTEGER,
      last_action_at INTEGER,
      last_execution_id TEXT,
      error TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    // Unique: a position has one configuration at a time, even when two requests come at once.
    `CREATE UNIQUE INDEX auto_rebalances_live ON auto_rebalances (position_id) WHERE status IN ('ACTIVE', 'PAUSED')`,

    `CREATE TABLE position_setups (
      execution_id TEXT NOT NULL PRIMARY KEY,
      take_profit TEXT,
      stop_loss TEXT,
      auto_rebalance TEXT
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE notifications (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      trade_account_id TEXT,
      category TEXT NOT NULL,
      parameters TEXT NOT NULL,
      is_read INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX notifications_by_user ON notifications (user_id, created_at, id)`,
    `CREATE INDEX notifications_unread ON notifications (user_id, created_at, id) WHERE is_read = 0`,
  ],
};
