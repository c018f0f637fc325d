/** Records of what waits, as a store keeps them: ids of their own, whole and plausible; each test changes what it is about. */
import type { AutoRebalance } from '../../gateway/domain/auto-rebalance.ts';
import type { Ladder } from '../../gateway/domain/ladder.ts';
import type { Notification } from '../../gateway/domain/notification.ts';
import type { Schedule } from '../../gateway/domain/schedule.ts';
import type { Trigger } from '../../gateway/domain/trigger.ts';
import * as domain from '../unit/domain/resting-records.ts';
import { nextId, START } from './store-records.ts';

const ROW = {
  userId: 'user',
  tradeAccountId: 'account',
  connector: 'paper',
  basketKey: 'b'.repeat(64),
  createdAt: START,
  updatedAt: START,
} as const;

export function waitingTrigger(over: Parameters<typeof domain.conditionTrigger>[0] = {}): Trigger {
  return domain.conditionTrigger({ id: nextId(), ...ROW, pausedBy: null, ...over });
}

export function trailingStop(over: Parameters<typeof domain.bracketTrigger>[0] = {}): Trigger {
  return domain.bracketTrigger({
    id: nextId(),
    ...ROW,
    pausedBy: null,
    positionId: nextId(),
    bracketType: 'STOP_LOSS',
    onLegFailure: 'RETRY',
    armed: {
      bracket: { type: 'PERCENTAGE', value: '5', trailing: { delta: '2', activation: null } },
      direction: 'LESS_THAN',
      peak: '1.5',
    },
    ...over,
  });
}

export function twap(over: Partial<Schedule> = {}): Schedule {
  return domain.schedule({ id: nextId(), ...ROW, pausedBy: null, ...over });
}

/** With the triggers of its rungs. */
export function ladderWithRungs(
  levels: number,
  over: Partial<Ladder> = {},
): { readonly ladder: Ladder; readonly triggers: readonly Trigger[] } {
  const id = nextId();
  const triggers = Array.from({ length: levels }, (_, rungIndex) =>
    waitingTrigger({ ladderId: id, rungIndex, status: rungIndex === 0 ? 'COMPLETED' : 'ACTIVE' }),
  );
  const ladder: Ladder = {
    id,
    ...ROW,
    legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: String(levels * 100) }],
    authorityKind: null,
    authorityId: null,
    totalUsd: String(levels * 100),
    metric: 'PRICE',
    symbol: 'BTC-PERP',
    direction: 'LESS_THAN',
    start: '90000',
    end: '80000',
    distribution: 'LINEAR',
    sizing: 'EQUAL',
    expiresAt: null,
    slippage: '0.01',
    onLegFailure: 'KEEP',
    clientId: null,
    status: 'ACTIVE',
    rungs: triggers.map((trigger, index) => ({
      index,
      level: String(90_000 - index * 100),
      usd: '100',
      triggerId: trigger.id,
    })),
    ...over,
  };
  return { ladder, triggers };
}

export function rebalanceConfig(over: Partial<AutoRebalance> = {}): AutoRebalance {
  const { basketKey, ...row } = ROW;
  return {
    id: nextId(),
    ...row,
    pausedBy: null,
    positionId: nextId(),
    mode: 'LIVE_BETA',
    action: 'TRADE',
    minimumDrift: '0.05',
    timeframe: '4h',
    cooldownSeconds: 3_600,
    maxTradeUsd: '250.5',
    status: 'ACTIVE',
    lastDrift: null,
    lastCheckedAt: null,
    lastActionAt: null,
    onLegFailure: 'RETRY',
    lastExecutionId: null,
    lastFilled: [],
    error: null,
    authorityKind: null,
    authorityId: null,
    ...over,
  };
}

export function notice(over: Partial<Notification> = {}): Notification {
  return {
    id: nextId(),
    userId: 'user',
    category: 'TAKE_PROFIT_HIT',
    parameters: {
      legs: [{ id: 'BTC-PERP', symbol: 'BTC', side: 'BUY' }],
      type: 'take_profit',
      triggerId: nextId(),
      tradeAccountId: 'account',
      metric: 'pnl_pct',
      level: 5.25,
      semanticBracketType: 'TAKE_PROFIT',
    },
    isRead: false,
    createdAt: START,
    updatedAt: START,
    ...over,
  };
}
