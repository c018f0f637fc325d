/** Auto-rebalances, and the brackets and auto-rebalance that an execution sets on the position that it opens. */
import type { AutoRebalance } from '../domain/auto-rebalance.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import type { StoredPositionSetup } from '../engine/ports/unit-of-work.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, key, nullable, owned, table, text } from './rows/table-entity.ts';

export const autoRebalanceEntity = table<AutoRebalance>('auto_rebalances', {
  ...owned,
  positionId: fixed(text('position_id')),
  mode: fixed(text('mode')),
  action: fixed(text('action')),
  minimumDrift: fixed(text('minimum_drift')),
  timeframe: nullable(fixed(text('timeframe'))),
  cooldownSeconds: fixed(integer('cooldown_seconds')),
  maxTradeUsd: nullable(fixed(text('max_trade_usd'))),
  onLegFailure: fixed(text('on_leg_failure')),
  status: text('status'),
  pausedBy: nullable(text('paused_by')),
  lastDrift: nullable(text('last_drift')),
  lastCheckedAt: nullable(integer('last_checked_at')),
  lastActionAt: nullable(integer('last_action_at')),
  lastExecutionId: nullable(text('last_execution_id')),
  lastFilled: json('last_filled'),
  error: nullable(text('error')),
  authorityKind: nullable(text('authority_kind')),
  authorityId: nullable(text('authority_id')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

/** Position set-ups, apart from `executions`: few executions have one, and the columns would slow acknowledgements. */
export const positionSetupEntity = table<StoredPositionSetup>('position_setups', {
  executionId: key(text('execution_id')),
  takeProfit: nullable(fixed(json('take_profit'))),
  stopLoss: nullable(fixed(json('stop_loss'))),
  autoRebalance: nullable(fixed(json('auto_rebalance'))),
  authorityKind: nullable(fixed(text('authority_kind'))),
  authorityId: nullable(fixed(text('authority_id'))),
});

export function rebalanceReads({ one, select }: Reads) {
  const rebalanceOf = one(autoRebalanceEntity, `WHERE position_id = ? AND status IN ('ACTIVE', 'PAUSED')`);
  const setupOf = one(positionSetupEntity, 'WHERE execution_id = ?');
  return {
    autoRebalance: (positionId) => rebalanceOf(positionId),
    liveAutoRebalances: select(
      autoRebalanceEntity,
      `INDEXED BY auto_rebalances_live WHERE status IN ('ACTIVE', 'PAUSED')`,
    ),
    positionSetup: (executionId) => setupOf(executionId),
  } satisfies Partial<RestingStore>;
}
