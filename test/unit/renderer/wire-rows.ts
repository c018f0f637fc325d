/** Rows as the gateway answers them, whole: what a test does not name is as in a basket that was just opened. */
import type { Row } from '../../../gateway/client/client.ts';

export type PositionRow = Row<'GET /positions'>;
export type PositionLegRow = PositionRow['legs'][number];
export type BracketRow = NonNullable<PositionRow['stopLoss']>;
export type TriggerRow = Row<'GET /triggers'>;
export type AlertRow = Row<'GET /alerts'>;

const AT = '2026-01-01T00:00:00.000Z';
const ACCOUNT = '01890000-0000-7000-8000-000000000001';

export function positionLegRow(own: Partial<PositionLegRow> = {}): PositionLegRow {
  return {
    ...{ symbol: 'BTC-PERP', ticker: 'BTC', side: 'BUY', quantity: '1', entryPrice: '100', markPrice: '100' },
    ...{ notional: '100', leverage: 5, marginMode: 'cross', marginUsed: '20' },
    ...{ targetWeight: '1', currentWeight: '1', unrealizedPnl: '0', realizedPnl: '0' },
    ...{ feesPaid: '0', fundingPaid: '0', liquidationPrice: null },
    ...own,
  };
}

export function positionRow(own: Partial<PositionRow> = {}): PositionRow {
  return {
    ...{ id: 'held', connector: 'paper', tradeAccountId: ACCOUNT, basketKey: 'b'.repeat(64) },
    ...{ status: 'OPEN', origin: 'GATEWAY', entryRatio: null, markRatio: null },
    ...{ entryPrice: '100', markPrice: '100', grossNotional: '100', netNotional: '100', marginUsed: '20' },
    ...{ unrealizedPnl: '0', unrealizedPnlPct: '0', realizedPnl: '0', feesPaid: '0', fundingPaid: '0' },
    ...{ netPnl: '0' },
    ...{ takeProfit: null, stopLoss: null, protection: [], autoRebalance: null },
    legs: [positionLegRow()],
    ...{ createdAt: AT, updatedAt: AT, closedAt: null },
    ...own,
  };
}

export function bracketRow(own: Partial<BracketRow> = {}): BracketRow {
  return {
    ...{ type: 'PERCENTAGE', value: '5', trailing: null, slippage: '0.01' },
    ...{ triggerId: 'one', status: 'ACTIVE', peak: null, level: null, standIn: null, trailingNow: null },
    ...{ pauseReason: null, pausedBy: null, rounds: 0, nextRoundAt: null },
    ...{ error: null, createdAt: AT, updatedAt: AT },
    ...own,
  };
}

export function triggerRow(own: Partial<TriggerRow> = {}): TriggerRow {
  return {
    ...{ id: 'trigger', connector: 'paper', tradeAccountId: ACCOUNT, basketKey: 'b'.repeat(64) },
    ...{ kind: 'OPEN', bracketType: null, positionId: null, ladderId: null, rungIndex: null },
    ...{ legs: [], totalUsd: null, fraction: null, condition: null, bracket: null, window: null },
    ...{ priceSource: 'MARK', slippage: '0.01', takeProfit: null, stopLoss: null, brackets: 'KEEP' },
    ...{
      onMissed: 'FIRE',
      clientId: null,
      authority: { kind: 'session', name: 'You' },
      expiresAt: null,
      status: 'ACTIVE',
    },
    ...{ pauseReason: null, lastValue: null, lastCheckedAt: null, triggeredAt: null, executionId: null },
    ...{ pausedBy: null, onLegFailure: 'KEEP', filled: [], error: null, createdAt: AT, updatedAt: AT },
    ...own,
  };
}

export function alertRow(own: Partial<AlertRow> = {}): AlertRow {
  return {
    ...{ id: 'alert', connector: 'paper', tradeAccountId: ACCOUNT, legs: [], window: null },
    ...{ condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1' }, priceSource: 'MARK' },
    ...{ onMissed: 'FIRE', authority: { kind: 'session', name: 'You' }, expiresAt: null, status: 'ACTIVE' },
    ...{ lastValue: null, lastCheckedAt: null, triggeredAt: null, createdAt: AT, updatedAt: AT },
    ...own,
  };
}
