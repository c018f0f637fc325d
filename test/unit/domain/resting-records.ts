/** Triggers and schedules for tests of the domain. */
import type { Schedule } from '../../../gateway/domain/schedule.ts';
import { pendingSlices, sliceTimes } from '../../../gateway/domain/slice-timing.ts';
import { openLedger } from '../../../gateway/domain/slicing.ts';
import type { Trigger } from '../../../gateway/domain/trigger.ts';

const PAIR = [
  { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
  { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
] as const;

type ConditionTrigger = Extract<Trigger, { readonly bracketType: null }>;
type BracketTrigger = Exclude<Trigger, ConditionTrigger>;

const RECORD = {
  id: 'trigger-1',
  userId: 'user-1',
  tradeAccountId: 'account-1',
  connector: 'paper',
  basketKey: 'key-1',
  kind: 'OPEN',
  positionId: null,
  ladderId: null,
  rungIndex: null,
  legs: PAIR,
  weights: ['0.5', '0.5'],
  totalUsd: null,
  fraction: null,
  priceSource: 'MARK',
  slippage: '0.01',
  onLegFailure: 'KEEP',
  takeProfit: null,
  stopLoss: null,
  onMissed: 'FIRE',
  clientId: null,
  expiresAt: null,
  status: 'ACTIVE',
  pauseReason: null,
  lastValue: null,
  lastCheckedAt: null,
  triggeredAt: null,
  executionId: null,
  filled: [],
  error: null,
  authorityKind: null,
  authorityId: null,
  createdAt: 1_000,
  updatedAt: 1_000,
} as const;

export function conditionTrigger(over: Partial<ConditionTrigger> = {}): ConditionTrigger {
  return {
    ...RECORD,
    condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '20' },
    bracketType: null,
    armed: null,
    ...over,
  };
}

export function bracketTrigger(over: Partial<BracketTrigger> = {}): BracketTrigger {
  return {
    ...RECORD,
    kind: 'CLOSE',
    positionId: 'position-1',
    fraction: '1',
    condition: null,
    bracketType: 'TAKE_PROFIT',
    armed: {
      bracket: { type: 'PERCENTAGE', value: '5', trailing: null },
      direction: 'MORE_THAN',
      peak: null,
    },
    ...over,
  };
}

export function schedule(over: Partial<Schedule> = {}): Schedule {
  return {
    id: 'schedule-1',
    userId: 'user-1',
    tradeAccountId: 'account-1',
    connector: 'paper',
    basketKey: 'key-1',
    kind: 'OPEN',
    positionId: null,
    fraction: null,
    legs: PAIR,
    ledger: openLedger(PAIR, null, () => '1'),
    durationSeconds: 300,
    intervalSeconds: 60,
    randomize: false,
    slippage: '0.01',
    onLegFailure: 'RETRY',
    limitRatio: null,
    missedSlicePolicy: 'CATCH_UP',
    takeProfit: null,
    stopLoss: null,
    afterBracket: 'STOP',
    reduceOnly: false,
    clientId: null,
    status: 'ACTIVE',
    pauseReason: null,
    slices: pendingSlices(sliceTimes(1_000, 300, 5, null)),
    averageRatio: null,
    error: null,
    authorityKind: null,
    authorityId: null,
    createdAt: 1_000,
    updatedAt: 1_000,
    ...over,
  };
}
