/** Bodies and queries of resting orders: what they take and what they fill in. api/resting-bad-input has their faults. */
import { expect } from 'chai';
import { z } from 'zod';
import { changeAlert } from '../../../gateway/contract/alerts.ts';
import { putAutoRebalance } from '../../../gateway/contract/auto-rebalance.ts';
import { putBrackets } from '../../../gateway/contract/brackets.ts';
import { createLadder } from '../../../gateway/contract/ladders.ts';
import {
  listNotifications,
  readNotifications,
  unreadNotification,
} from '../../../gateway/contract/notifications.ts';
import { listOrders } from '../../../gateway/contract/orders.ts';
import {
  changeMargin,
  closeAllPositions,
  reversePosition,
} from '../../../gateway/contract/position-actions.ts';
import { closePosition, openTrade } from '../../../gateway/contract/positions.ts';
import { planRebalance, rebalancePosition } from '../../../gateway/contract/rebalance.ts';
import { panic } from '../../../gateway/contract/safety.ts';
import { createSchedule, listSchedules } from '../../../gateway/contract/schedules.ts';
import { changeTrigger, listTriggers, openTrigger } from '../../../gateway/contract/triggers.ts';

type Body = Readonly<Record<string, unknown>>;

const BTC = { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' };
const ETH = { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' };
const PAIR = [BTC, ETH];
const weighted = (...weights: string[]) =>
  weights.map((amount, index) => ({ ...(index === 0 ? BTC : ETH), mode: 'WEIGHT', amount }));

const TRIGGER = { legs: PAIR, condition: { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '2' } };
const SCHEDULE = { legs: PAIR, durationSeconds: 600 };
const LADDER = {
  legs: [BTC],
  metric: 'PRICE',
  direction: 'LESS_THAN',
  start: '90000',
  end: '80000',
  levels: 5,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.05' };

function paths(schema: z.ZodType, body: unknown): readonly string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))];
}

describe('contract: bodies of resting orders', () => {
  it('fills in what the service promises', () => {
    expect(openTrigger.body.parse(TRIGGER)).to.deep.include({
      priceSource: 'MARK',
      allowImmediate: false,
      onMissed: 'FIRE',
      slippage: '0.01',
    });
    expect(createSchedule.body.parse(SCHEDULE)).to.deep.include({
      intervalSeconds: 30,
      randomize: false,
      missedSlicePolicy: 'CATCH_UP',
      reduceOnly: false,
      slippage: '0.01',
    });
    expect(createLadder.body.parse(LADDER)).to.deep.include({ allowImmediate: false, slippage: '0.01' });
    expect(closePosition.body.parse({ type: 'MARKET' })).to.include({ fraction: '1', onLegFailure: 'RETRY' });
    expect(reversePosition.body.parse({})).to.deep.equal({ onLegFailure: 'KEEP', brackets: 'CARRY' });
    expect(putAutoRebalance.body.parse(REBALANCE)).to.deep.include({ cooldownSeconds: 3_600 });
  });

  it('repeats decimals without zeros that say nothing', () => {
    const { legs, condition: asked } = openTrigger.body.parse({
      legs: [{ ...BTC, amount: '0500.00' }, ETH],
      condition: { ...TRIGGER.condition, value: '000.250' },
    });
    expect([legs[0]?.amount, asked.value]).to.deep.equal(['500', '0.25']);
    expect(openTrigger.body.parse({ ...TRIGGER, slippage: '0.0' }).slippage).to.equal('0');
    const { amount } = changeMargin.body.parse({ symbol: 'BTC-PERP', amount: '-010.50' });
    expect(amount).to.equal('-10.5');
    expect(closePosition.body.parse({ type: 'MARKET', fraction: '01.000' })).to.include({ fraction: '1' });
  });

  it('takes values at the very ends of their ranges', () => {
    const good: readonly (readonly [z.ZodType, Body])[] = [
      [createSchedule.body, { ...SCHEDULE, durationSeconds: 60, intervalSeconds: 60 }],
      [createSchedule.body, { ...SCHEDULE, durationSeconds: 86_400, intervalSeconds: 5 }],
      [createLadder.body, { ...LADDER, levels: 2 }],
      [createLadder.body, { ...LADDER, levels: 50, end: '90000.000000000000000001' }],
      [putAutoRebalance.body, { ...REBALANCE, minimumDrift: '0.005', cooldownSeconds: 1 }],
      [putAutoRebalance.body, { ...REBALANCE, minimumDrift: '0.50', mode: 'LIVE_BETA', timeframe: '1d' }],
      [openTrigger.body, { ...TRIGGER, slippage: '0.1', expiresAt: '2026-01-31T12:00:00+01:00' }],
      [
        openTrigger.body,
        {
          ...TRIGGER,
          condition: { type: 'BTC_DOM', direction: 'MORE_THAN', value: '99.999999999999999999' },
        },
      ],
      [openTrigger.body, { ...TRIGGER, expiresAt: null }],
      [openTrigger.body, { ...TRIGGER, legs: weighted('0.3', '0.7'), totalUsd: '1' }],
      [readNotifications.body, { before: 0 }],
      [changeMargin.body, { symbol: 'BTC-PERP', amount: '-0.000000000000000001' }],
    ];
    for (const [schema, body] of good) expect(paths(schema, body), JSON.stringify(body)).to.deep.equal([]);
  });

  it('reads the queries of lists', () => {
    expect(listTriggers.query.parse({ status: 'ACTIVE,PAUSED', kind: 'CLOSE' })).to.deep.equal({
      limit: 20,
      status: ['ACTIVE', 'PAUSED'],
      kind: 'CLOSE',
    });
    expect(paths(listTriggers.query, { status: 'LIVE' })).to.deep.equal(['status.0']);
    expect(paths(listTriggers.query, { kind: 'ANY' })).to.deep.equal(['kind']);
    expect(paths(listTriggers.query, { limit: '2001' })).to.deep.equal(['limit']);
    expect(paths(listTriggers.query, { cursor: 'x' })).to.deep.equal(['cursor']);
    expect(paths(listSchedules.query, { status: 'TRIGGERED' })).to.deep.equal(['status.0']);
    expect(paths(listOrders.query, { status: 'OPEN' })).to.deep.equal(['status.0']);
    expect(listNotifications.query.parse({ startDate: '5', endDate: '1970-01-01T00:00:01Z' })).to.deep.equal({
      limit: 100,
      scope: 'all',
      startDate: 5,
      endDate: 1_001,
    });
    expect(paths(listNotifications.query, { limit: '101' })).to.deep.equal(['limit']);
    expect(paths(listNotifications.query, { limit: '0' })).to.deep.equal(['limit']);
    expect(paths(listNotifications.query, { scope: 'new' })).to.deep.equal(['scope']);
    expect(paths(listNotifications.query, { startDate: 'monday' })).to.deep.equal(['startDate']);
  });

  it('has an example in every description that is itself a good body', () => {
    const described = [openTrigger, createSchedule, createLadder, closePosition, putBrackets, changeTrigger];
    const others = [changeAlert, putAutoRebalance, planRebalance, rebalancePosition, reversePosition];
    const actions = [
      closeAllPositions,
      changeMargin,
      readNotifications,
      unreadNotification,
      panic,
      openTrade,
    ];
    for (const { path, body } of [...described, ...others, ...actions]) {
      const example = z.globalRegistry.get(body)?.['example'];
      if (example !== undefined) expect(paths(body, example), path).to.deep.equal([]);
    }
  });
});
