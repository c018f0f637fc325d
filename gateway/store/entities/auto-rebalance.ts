import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import { fixed, integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const autoRebalanceEntity: TableEntity<AutoRebalance> = {
  name: 'auto_rebalance',
  tableName: 'auto_rebalances',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    tradeAccountId: fixed(text('trade_account_id')),
    connector: fixed(text('connector')),
    positionId: fixed(text('position_id')),
    mode: fixed(text('mode')),
    action: fixed(text('action')),
    minimumDrift: fixed(text('minimum_drift')),
    timeframe: nullable(fixed(text('timeframe'))),
    cooldownSeconds: fixed(integer('cooldown_seconds')),
    maxTradeUsd: nullable(fixed(text('max_trade_usd'))),
    status: text('status'),
    lastDrift: nullable(text('last_drift')),
    lastCheckedAt: nullable(integer('last_checked_at')),
    lastActionAt: nullable(integer('last_action_at')),
    lastExecutionId: nullable(text('last_execution_id')),
    error: nullable(text('error')),
    authorityKind: nullable(text('authority_kind')),
    authorityId: nullable(text('authority_id')),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
