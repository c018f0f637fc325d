import type { z } from 'zod';
import type { autoRebalance } from '../../contract/auto-rebalance.ts';
import type { rebalancePlan } from '../../contract/rebalance.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import type { PlannedRebalance } from '../../engine/resting/rebalances/plan-position.ts';
import { iso, isoOrNull } from './time.ts';

export function presentAutoRebalance(value: AutoRebalance): z.input<typeof autoRebalance> {
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    positionId: value.positionId,
    mode: value.mode,
    action: value.action,
    minimumDrift: value.minimumDrift,
    timeframe: value.timeframe,
    cooldownSeconds: value.cooldownSeconds,
    maxTradeUsd: value.maxTradeUsd,
    status: value.status,
    lastDrift: value.lastDrift,
    lastCheckedAt: isoOrNull(value.lastCheckedAt),
    lastActionAt: isoOrNull(value.lastActionAt),
    lastExecutionId: value.lastExecutionId,
    error: value.error,
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
  };
}

export function presentRebalancePlan(value: PlannedRebalance): z.input<typeof rebalancePlan> {
  const { positionId, mode, beta, plan } = value;
  return {
    positionId,
    mode,
    beta,
    drift: plan.drift,
    legs: plan.rows.map((row) => ({
      symbol: row.symbol,
      ticker: row.ticker,
      side: row.side,
      currentWeight: row.currentWeight,
      targetWeight: row.targetWeight,
      deltaUsd: row.deltaUsd,
      deltaQuantity: row.deltaQuantity,
      skipped: row.skipped,
      skipReason: row.skipReason,
    })),
  };
}
