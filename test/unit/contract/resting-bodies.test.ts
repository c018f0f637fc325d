/** Bodies of resting orders: what they take, what they fill in, and where each fault is reported. */
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
/** Fields put over the good body → the paths that are reported. `undefined` takes a field away. */
type Fault = readonly [changes: Body, paths: readonly string[]];

const ID = '018f0000-0000-7000-8000-000000000000';
const BTC = { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' };
const ETH = { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' };
const PAIR = [BTC, ETH];
const weighted = (...weights: string[]) =>
  weights.map((amount, index) => ({ ...(index === 0 ? BTC : ETH), mode: 'WEIGHT', amount }));

const AMOUNT_FAULTS: readonly Fault[] = [
  [{ legs: undefined }, ['legs']],
  [{ legs: [] }, ['legs']],
  [{ legs: Array.from({ length: 21 }, (_, n) => ({ ...BTC, symbol: `S${n}` })) }, ['legs']],
  [{ legs: [BTC, { ...ETH, symbol: 'BTC-PERP' }] }, ['legs.1.symbol']],
  [{ legs: [BTC, { ...ETH, side: 'LONG' }] }, ['legs.1.side']],
  [{ legs: [BTC, { ...ETH, mode: 'LOTS' }] }, ['legs.1.mode']],
  [{ legs: [BTC, { ...ETH, amount: 500 }] }, ['legs.1.amount']],
  [{ legs: [BTC, { ...ETH, amount: '0.00' }] }, ['legs.1.amount']],
  [{ legs: [BTC, { ...ETH, amount: '-1' }] }, ['legs.1.amount']],
  [{ legs: [BTC, { ...ETH, amount: '1e3' }] }, ['legs.1.amount']],
  [{ legs: [BTC, { ...ETH, note: 'x' }] }, ['legs.1']],
  [{ totalUsd: '100' }, ['totalUsd']],
  [{ legs: weighted('0.5', '0.5') }, ['totalUsd']],
  [{ legs: weighted('0.5', '0.4999'), totalUsd: '100' }, ['legs']],
  [{ legs: [weighted('0.5')[0], ETH], totalUsd: '100' }, ['legs.1.mode']],
  [{ legs: weighted('0.5', 'half'), totalUsd: '100' }, ['legs.1.amount']],
  [{ slippage: '0.11' }, ['slippage']],
  [{ slippage: 0.01 }, ['slippage']],
  [{ clientId: '' }, ['clientId']],
  [{ clientId: 'c'.repeat(65) }, ['clientId']],
  [{ surprise: true }, ['']],
];

const BRACKET_FAULTS = (field: string): readonly Fault[] => [
  [{ [field]: { type: 'PERCENT', value: '5' } }, [`${field}.type`]],
  [{ [field]: { type: 'DOLLAR', value: '0' } }, [`${field}.value`]],
  [{ [field]: { type: 'DOLLAR' } }, [`${field}.value`]],
  [{ [field]: { type: 'DOLLAR', value: 5 } }, [`${field}.value`]],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: {} } }, [`${field}.trailing.delta`]],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '0' } } }, [`${field}.trailing.delta`]],
  [
    { [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '1', activation: '-1' } } },
    [`${field}.trailing.activation`],
  ],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '1', step: '1' } } }, [`${field}.trailing`]],
  [{ [field]: { type: 'DOLLAR', value: '5', at: 'x' } }, [field]],
];

const condition = (over: Body): Body => ({
  condition: { type: 'WEIGHTED_RATIO', direction: 'MORE_THAN', value: '2', ...over },
});
const WATCH_FAULTS: readonly Fault[] = [
  [{ condition: undefined }, ['condition']],
  [condition({ type: 'VOLUME' }), ['condition.type']],
  [condition({ direction: 'ABOVE' }), ['condition.direction']],
  [condition({ value: '0' }), ['condition.value']],
  [condition({ value: '-1' }), ['condition.value']],
  [condition({ transform: 'Z_SCORE' }), ['condition.lookback']],
  [condition({ lookback: 240 }), ['condition.transform']],
  [condition({ transform: 'Z_SCORE', lookback: 23 }), ['condition.lookback']],
  [condition({ transform: 'SPREAD', lookback: 240, value: '-1001' }), ['condition.value']],
  [condition({ value: 2 }), ['condition.value']],
  [condition({ symbol: 'BTC-PERP' }), ['condition']],
  [condition({ type: 'PRICE' }), ['condition.symbol']],
  [condition({ type: 'CROSS_ASSET_PRICE' }), ['condition.symbol']],
  [condition({ type: 'BTC_DOM', value: '100' }), ['condition.value']],
  [condition({ type: 'BTC_DOM', value: '0' }), ['condition.value']],
  [condition({ type: 'PREDICTION_MARKET_OUTCOME', source: '', marketKey: 'x' }), ['condition.source']],
  [
    condition({ type: 'PREDICTION_MARKET_OUTCOME', source: 's', marketKey: 'k'.repeat(129) }),
    ['condition.marketKey'],
  ],
  [
    condition({ type: 'PREDICTION_MARKET_OUTCOME', source: 's', marketKey: 'k', value: '100.5' }),
    ['condition.value'],
  ],
  [{ priceSource: 'MID' }, ['priceSource']],
  [{ expiresAt: 'tomorrow' }, ['expiresAt']],
  [{ expiresAt: 1_764_000_000_000 }, ['expiresAt']],
  [{ allowImmediate: 'true' }, ['allowImmediate']],
  [{ onMissed: 'IGNORE' }, ['onMissed']],
];

const SLICING_FAULTS: readonly Fault[] = [
  [{ durationSeconds: undefined }, ['durationSeconds']],
  [{ durationSeconds: 59 }, ['durationSeconds']],
  [{ durationSeconds: 86_401 }, ['durationSeconds']],
  [{ durationSeconds: 60.5 }, ['durationSeconds']],
  [{ durationSeconds: '60' }, ['durationSeconds']],
  [{ intervalSeconds: 4 }, ['intervalSeconds']],
  [{ intervalSeconds: 3_601 }, ['intervalSeconds']],
  [{ intervalSeconds: 601 }, ['intervalSeconds']],
  [{ randomize: 1 }, ['randomize']],
  [{ limitRatio: '0' }, ['limitRatio']],
  [{ missedSlicePolicy: 'RETRY' }, ['missedSlicePolicy']],
];

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

const REBALANCE_FAULTS = (under: string): readonly Fault[] => {
  const at = (over: Body): Body => (under === '' ? over : { [under]: { ...REBALANCE, ...over } });
  const path = (name: string) => (under === '' ? name : `${under}.${name}`);
  return [
    [at({ mode: 'BETA' }), [path('mode')]],
    [at({ action: 'HOLD' }), [path('action')]],
    [at({ minimumDrift: '0.004999' }), [path('minimumDrift')]],
    [at({ minimumDrift: '0.500000000000000001' }), [path('minimumDrift')]],
    [at({ minimumDrift: 0.05 }), [path('minimumDrift')]],
    [at({ minimumDrift: 'much' }), [path('minimumDrift')]],
    [at({ timeframe: '15m' }), [path('timeframe')]],
    [at({ cooldownSeconds: 0 }), [path('cooldownSeconds')]],
    [at({ cooldownSeconds: 1.5 }), [path('cooldownSeconds')]],
    [at({ maxTradeUsd: '0' }), [path('maxTradeUsd')]],
    [at({ other: 1 }), [under]],
  ];
};

const BODIES: Readonly<Record<string, readonly [z.ZodType, Body, readonly Fault[]]>> = {
  'POST /triggers/open': [
    openTrigger.body,
    TRIGGER,
    [
      ...AMOUNT_FAULTS,
      ...WATCH_FAULTS,
      ...BRACKET_FAULTS('takeProfit'),
      ...BRACKET_FAULTS('stopLoss'),
      [condition({ type: 'PRICE', symbol: 'SOL-PERP' }), ['condition.symbol']],
      [{ legs: [BTC], ...condition({ type: 'PRICE_RATIO' }) }, ['condition.type']],
      [{ legs: [BTC, { ...ETH, side: 'BUY' }], ...condition({ type: 'PRICE_RATIO' }) }, ['condition.type']],
    ],
  ],
  'POST /schedules': [
    createSchedule.body,
    SCHEDULE,
    [
      ...AMOUNT_FAULTS,
      ...SLICING_FAULTS,
      ...BRACKET_FAULTS('takeProfit'),
      ...BRACKET_FAULTS('stopLoss'),
      [{ reduceOnly: 'yes' }, ['reduceOnly']],
    ],
  ],
  'POST /ladders': [
    createLadder.body,
    LADDER,
    [
      ...AMOUNT_FAULTS.map(([changes, paths]): Fault => [{ symbol: 'BTC-PERP', ...changes }, paths]),
      [{ metric: 'BTC_DOM' }, ['metric']],
      [{ metric: 'PRICE_RATIO' }, ['metric']],
      [{ legs: PAIR }, ['symbol']],
      [{ legs: PAIR, symbol: 'SOL-PERP' }, ['symbol']],
      [{ legs: PAIR, metric: 'WEIGHTED_RATIO', symbol: 'BTC-PERP' }, ['symbol']],
      [{ direction: 'UP' }, ['direction']],
      [{ start: '0' }, ['start']],
      [{ start: 'low' }, ['start']],
      [{ start: '1e3', end: '1e3' }, ['start', 'end']],
      [{ end: '-5' }, ['end']],
      [{ end: '90000.000' }, ['end']],
      [{ levels: 1 }, ['levels']],
      [{ levels: 51 }, ['levels']],
      [{ levels: 2.5 }, ['levels']],
      [{ distribution: 'RANDOM' }, ['distribution']],
      [{ sizing: 'DOUBLE' }, ['sizing']],
      [{ allowImmediate: 0 }, ['allowImmediate']],
      [{ expiresAt: '2026-02-30' }, ['expiresAt']],
    ],
  ],
  'POST /positions/:id/close, TWAP': [
    closePosition.body,
    { type: 'TWAP', durationSeconds: 600 },
    [
      ...SLICING_FAULTS,
      [{ type: 'LIMIT' }, ['type']],
      [{ fraction: '0' }, ['fraction']],
      [{ fraction: '1.01' }, ['fraction']],
      [{ fraction: 1 }, ['fraction']],
      [{ slippage: '0.2' }, ['slippage']],
      [{ clientId: '' }, ['clientId']],
      [{ legs: PAIR }, ['']],
    ],
  ],
  'POST /positions/:id/close, TRIGGER': [
    closePosition.body,
    { type: 'TRIGGER', condition: TRIGGER.condition },
    [...WATCH_FAULTS, [{ durationSeconds: 60 }, ['']], [{ fraction: '2' }, ['fraction']]],
  ],
  'POST /positions/:id/close, MARKET': [
    closePosition.body,
    { type: 'MARKET' },
    [
      [{ type: undefined }, ['type']],
      [{ condition: TRIGGER.condition }, ['']],
      [{ fraction: '1.000000000000000001' }, ['fraction']],
    ],
  ],
  'PUT /positions/:id/brackets': [
    putBrackets.body,
    { takeProfit: { type: 'DOLLAR', value: '5' }, stopLoss: null },
    [
      ...BRACKET_FAULTS('takeProfit'),
      ...BRACKET_FAULTS('stopLoss'),
      [{ takeProfit: undefined, stopLoss: undefined }, ['']],
      [{ clientId: 'x' }, ['']],
    ],
  ],
  'PATCH /triggers/:id': [
    changeTrigger.body,
    { condition: { value: '3' } },
    [
      ...BRACKET_FAULTS('takeProfit'),
      ...BRACKET_FAULTS('stopLoss'),
      [{ condition: undefined }, ['']],
      [{ condition: undefined, allowImmediate: true }, ['']],
      // 0 may be the level of a transform: the engine, which knows the condition, refuses others.
      [{ condition: { value: '1e2' } }, ['condition.value']],
      [{ condition: { value: '3', type: 'PRICE' } }, ['condition']],
      [{ expiresAt: 'never' }, ['expiresAt']],
      [{ legs: PAIR }, ['']],
    ],
  ],
  'PATCH /alerts/:id': [
    changeAlert.body,
    { condition: { value: '3' } },
    [
      [{ condition: undefined }, ['']],
      [{ condition: undefined, allowImmediate: true }, ['']],
      [{ condition: { value: '1e2' } }, ['condition.value']],
      [{ condition: { value: '3', type: 'PRICE' } }, ['condition']],
      [{ expiresAt: 'never' }, ['expiresAt']],
      [{ takeProfit: null }, ['']],
      [{ legs: PAIR }, ['']],
    ],
  ],
  'PUT /positions/:id/auto-rebalance': [
    putAutoRebalance.body,
    REBALANCE,
    [
      ...REBALANCE_FAULTS(''),
      [{ mode: undefined }, ['mode']],
      [{ action: undefined }, ['action']],
      [{ minimumDrift: undefined }, ['minimumDrift']],
      [{ cooldownSeconds: 30 * 86_400 + 1 }, ['cooldownSeconds']],
    ],
  ],
  'POST /positions/:id/rebalance/plan': [
    planRebalance.body,
    {},
    [
      [{ mode: 'x' }, ['mode']],
      [{ timeframe: '2h' }, ['timeframe']],
      [{ maxTradeUsd: '-1' }, ['maxTradeUsd']],
      [{ slippage: '0.01' }, ['']],
    ],
  ],
  'POST /positions/:id/rebalance': [
    rebalancePosition.body,
    {},
    [
      [{ slippage: '1' }, ['slippage']],
      [{ clientId: 5 }, ['clientId']],
      [{ action: 'TRADE' }, ['']],
    ],
  ],
  'POST /positions/:id/reverse': [
    reversePosition.body,
    {},
    [
      [{ slippage: 'x' }, ['slippage']],
      [{ onLegFailure: 'STOP' }, ['onLegFailure']],
      [{ fraction: '0.5' }, ['']],
    ],
  ],
  'POST /positions/close-all': [
    closeAllPositions.body,
    {},
    [
      [{ connector: '' }, ['connector']],
      [{ slippage: '0.5' }, ['slippage']],
      [{ confirm: true }, ['']],
    ],
  ],
  'POST /positions/:id/margin': [
    changeMargin.body,
    { symbol: 'BTC-PERP', amount: '100' },
    [
      [{ symbol: '' }, ['symbol']],
      [{ amount: '0' }, ['amount']],
      [{ amount: '-0.0' }, ['amount']],
      [{ amount: '+5' }, ['amount']],
      [{ amount: 100 }, ['amount']],
      [{ marginMode: 'isolated' }, ['']],
    ],
  ],
  'POST /notifications/read': [
    readNotifications.body,
    { before: '2026-01-31T12:00:00Z' },
    [
      [{ before: undefined }, ['']],
      [{ id: ID }, ['']],
      [{ before: undefined, id: 'x' }, ['id']],
      [{ before: 'yesterday' }, ['before']],
      [{ before: -1 }, ['before']],
      [{ before: 1.5 }, ['before']],
    ],
  ],
  'POST /notifications/unread': [
    unreadNotification.body,
    { id: ID },
    [
      [{ id: undefined }, ['id']],
      [{ id: 'x' }, ['id']],
      [{ before: 1 }, ['']],
    ],
  ],
  'POST /safety/panic': [
    panic.body,
    { confirm: 'CLOSE ALL' },
    [
      [{ confirm: undefined }, ['confirm']],
      [{ confirm: 'close all' }, ['confirm']],
      [{ confirm: true }, ['confirm']],
    ],
  ],
  'POST /trade/open with what waits for its fills': [
    openTrade.body,
    { type: 'MARKET', legs: PAIR },
    [
      ...AMOUNT_FAULTS,
      ...BRACKET_FAULTS('takeProfit'),
      ...BRACKET_FAULTS('stopLoss'),
      ...REBALANCE_FAULTS('autoRebalance'),
    ],
  ],
};

function paths(schema: z.ZodType, body: unknown): readonly string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))];
}

describe('contract: bodies of resting orders', () => {
  for (const [name, [schema, good, faults]] of Object.entries(BODIES)) {
    it(`${name}: takes a good one, and says where each fault is`, () => {
      expect(paths(schema, good)).to.deep.equal([]);
      for (const [changes, expected] of faults) {
        const entries = Object.entries({ ...good, ...changes }).filter(([, value]) => value !== undefined);
        expect(paths(schema, Object.fromEntries(entries)), JSON.stringify(changes)).to.deep.equal(expected);
      }
    });
  }

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
      [openTrigger.body, { ...TRIGGER, ...condition({ type: 'BTC_DOM', value: '99.999999999999999999' }) }],
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
    for (const [name, [schema]] of Object.entries(BODIES)) {
      const example = z.globalRegistry.get(schema)?.['example'];
      if (example !== undefined) expect(paths(schema, example), name).to.deep.equal([]);
    }
  });
});
