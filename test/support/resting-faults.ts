/** Faults of the bodies of resting orders: what is put over a good body, and the path that the answer names. */
import { PAIR, usd } from './trader.ts';

export type Body = Readonly<Record<string, unknown>>;
/** Fields put over a good body (`undefined` takes one away), and the path that is named. */
export type Fault = readonly [over: Body, path: string];

export const UP = { direction: 'MORE_THAN' } as const;
/** Never met. */
export const FAR = { type: 'PRICE', ...UP, value: '99000000', symbol: 'BTC-PERP' };
const PREDICTION = { source: 'paper-predictions', marketKey: 'fed-cut-next-meeting' };
/** Each type as it is accepted; none of them is met. */
export const CONDITIONS: Readonly<Record<string, Body>> = {
  PRICE: FAR,
  PRICE_RATIO: { type: 'PRICE_RATIO', ...UP, value: '99000000' },
  WEIGHTED_RATIO: { type: 'WEIGHTED_RATIO', ...UP, value: '99000000' },
  CROSS_ASSET_PRICE: { type: 'CROSS_ASSET_PRICE', ...UP, value: '99000000', symbol: 'SOL-PERP' },
  BTC_DOM: { type: 'BTC_DOM', ...UP, value: '99.5' },
  PREDICTION_MARKET_OUTCOME: { type: 'PREDICTION_MARKET_OUTCOME', ...UP, value: '99.999', ...PREDICTION },
};
const DAY = 86_400;

const leg = (over: Body) => ({ legs: [{ ...PAIR[0], ...over }, PAIR[1]] });
const weights = (a: string, b: string) =>
  [a, b].map((amount, index) => ({ ...PAIR[index], mode: 'WEIGHT', amount }));

export const AMOUNTS: readonly Fault[] = [
  [{ legs: undefined }, 'legs'],
  [{ legs: 'BTC-PERP' }, 'legs'],
  [{ legs: [] }, 'legs'],
  [{ legs: Array.from({ length: 21 }, (_, n) => usd(`X${n}`, 'BUY', '100')) }, 'legs'],
  [{ legs: [PAIR[0], PAIR[0]] }, 'legs.1.symbol'],
  [leg({ symbol: 7 }), 'legs.0.symbol'],
  [leg({ side: 'LONG' }), 'legs.0.side'],
  [leg({ mode: 'LOTS' }), 'legs.0.mode'],
  [leg({ amount: 500 }), 'legs.0.amount'],
  [leg({ amount: '0' }), 'legs.0.amount'],
  [leg({ amount: '1e3' }), 'legs.0.amount'],
  [leg({ amount: '-1' }), 'legs.0.amount'],
  [leg({ leverage: 3 }), 'legs.0.leverage'],
  [{ totalUsd: '100' }, 'totalUsd'],
  [{ legs: weights('0.5', '0.5') }, 'totalUsd'],
  [{ legs: weights('0.5', '0.5'), totalUsd: 100 }, 'totalUsd'],
  [{ legs: weights('0.5', '0.499'), totalUsd: '100' }, 'legs'],
  [{ legs: weights('0.5', 'half'), totalUsd: '100' }, 'legs.1.amount'],
  [{ legs: [{ ...PAIR[0], mode: 'WEIGHT', amount: '1' }, PAIR[1]], totalUsd: '100' }, 'legs.1.mode'],
  [{ slippage: '0.11' }, 'slippage'],
  [{ slippage: 0.01 }, 'slippage'],
  [{ clientId: 7 }, 'clientId'],
  [{ clientId: '' }, 'clientId'],
  [{ clientId: 'c'.repeat(65) }, 'clientId'],
  [{ clientId: 'nobody' }, 'clientId'],
  [{ leverage: 5 }, 'leverage'],
];
/** The symbol stands in the path of what names one. */
export const UNKNOWN_LEG: Fault = [{ legs: [...PAIR, usd('NOPE', 'BUY', '500')] }, 'legs.2.symbol'];

export const brackets = (field: 'takeProfit' | 'stopLoss'): readonly Fault[] => [
  [{ [field]: '5' }, field],
  [{ [field]: { type: 'PERCENT', value: '5' } }, `${field}.type`],
  [{ [field]: { type: 'DOLLAR', value: '0' } }, `${field}.value`],
  [{ [field]: { type: 'DOLLAR' } }, `${field}.value`],
  [{ [field]: { type: 'DOLLAR', value: 5 } }, `${field}.value`],
  [{ [field]: { type: 'DOLLAR', value: '5', at: 1 } }, `${field}.at`],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: true } }, `${field}.trailing`],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: {} } }, `${field}.trailing.delta`],
  [
    { [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '1', step: '1' } } },
    `${field}.trailing.step`,
  ],
  [{ [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '0' } } }, `${field}.trailing.delta`],
  [
    { [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '1', activation: 1 } } },
    `${field}.trailing.activation`,
  ],
  [
    { [field]: { type: 'DOLLAR', value: '5', trailing: { delta: '1', activation: '-1' } } },
    `${field}.trailing.activation`,
  ],
];

export const WATCH: readonly Fault[] = [
  [{ condition: undefined }, 'condition'],
  [{ condition: 'BTC > 100000' }, 'condition'],
  [{ condition: { ...FAR, type: 'VOLUME' } }, 'condition.type'],
  [{ priceSource: 'MID' }, 'priceSource'],
  [{ expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ expiresAt: 1_900_000_000_000 }, 'expiresAt'],
  [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
  [{ allowImmediate: 'yes' }, 'allowImmediate'],
  [{ onMissed: 'IGNORE' }, 'onMissed'],
  // Any price is above this one.
  [{ condition: { ...FAR, value: '1' } }, 'condition.value'],
  [{ condition: { ...CONDITIONS['WEIGHTED_RATIO'], value: '0.000001' } }, 'condition.value'],
  [{ condition: { ...CONDITIONS['BTC_DOM'], value: '1' } }, 'condition.value'],
  ...Object.values(CONDITIONS).flatMap((condition): readonly Fault[] => {
    const at = (over: Body): Body => ({ condition: { ...condition, ...over } });
    const isPercent = ['BTC_DOM', 'PREDICTION_MARKET_OUTCOME'].includes(String(condition['type']));
    return [
      [at({ direction: undefined }), 'condition.direction'],
      [at({ direction: 'ABOVE' }), 'condition.direction'],
      [at({ value: undefined }), 'condition.value'],
      [at({ value: 5 }), 'condition.value'],
      [at({ value: '0' }), 'condition.value'],
      [at({ value: '-1' }), 'condition.value'],
      ...(isPercent ? ([[at({ value: '100' }), 'condition.value']] as const) : []),
      [at({ level: '5' }), 'condition.level'],
    ];
  }),
  [{ condition: { ...FAR, symbol: undefined } }, 'condition.symbol'],
  [{ condition: { ...CONDITIONS['WEIGHTED_RATIO'], symbol: 'BTC-PERP' } }, 'condition.symbol'],
  [{ condition: { ...FAR, symbol: 'SOL-PERP' } }, 'condition.symbol'],
  [{ condition: { ...CONDITIONS['CROSS_ASSET_PRICE'], symbol: 'NOPE-PERP' } }, 'condition.symbol'],
  [{ condition: { ...CONDITIONS['CROSS_ASSET_PRICE'], symbol: 7 } }, 'condition.symbol'],
  [{ condition: { ...CONDITIONS['CROSS_ASSET_PRICE'], symbol: undefined } }, 'condition.symbol'],
  [{ condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], source: undefined } }, 'condition.source'],
  [{ condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], source: '' } }, 'condition.source'],
  [{ condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], marketKey: '' } }, 'condition.marketKey'],
  [
    { condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], marketKey: 'k'.repeat(129) } },
    'condition.marketKey',
  ],
  [{ condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], source: 'x' } }, 'condition.marketKey'],
  [{ condition: { ...CONDITIONS['PREDICTION_MARKET_OUTCOME'], marketKey: 'x' } }, 'condition.marketKey'],
];

export const SLICING: readonly Fault[] = [
  [{ durationSeconds: undefined }, 'durationSeconds'],
  [{ durationSeconds: 59 }, 'durationSeconds'],
  [{ durationSeconds: DAY + 1 }, 'durationSeconds'],
  [{ durationSeconds: '600' }, 'durationSeconds'],
  [{ durationSeconds: 60.5 }, 'durationSeconds'],
  [{ intervalSeconds: 4 }, 'intervalSeconds'],
  [{ durationSeconds: 7_200, intervalSeconds: 3_601 }, 'intervalSeconds'],
  [{ intervalSeconds: 60.5 }, 'intervalSeconds'],
  [{ intervalSeconds: 601 }, 'intervalSeconds'],
  [{ randomize: 1 }, 'randomize'],
  [{ limitRatio: '0' }, 'limitRatio'],
  [{ limitRatio: 2 }, 'limitRatio'],
  [{ missedSlicePolicy: 'HOPE' }, 'missedSlicePolicy'],
];

export const rebalance = (at: (over: Body) => Body, under = ''): readonly Fault[] =>
  (
    [
      [{ mode: 'BETA' }, 'mode'],
      [{ mode: undefined }, 'mode'],
      [{ action: 'HOLD' }, 'action'],
      [{ action: undefined }, 'action'],
      [{ minimumDrift: '0.0049' }, 'minimumDrift'],
      [{ minimumDrift: '0.501' }, 'minimumDrift'],
      [{ minimumDrift: 0.05 }, 'minimumDrift'],
      [{ minimumDrift: undefined }, 'minimumDrift'],
      [{ minimumDrift: 'much' }, 'minimumDrift'],
      [{ mode: 'LIVE_BETA', timeframe: '5m' }, 'timeframe'],
      [{ cooldownSeconds: 0 }, 'cooldownSeconds'],
      [{ cooldownSeconds: 1.5 }, 'cooldownSeconds'],
      [{ cooldownSeconds: '60' }, 'cooldownSeconds'],
      [{ cooldownSeconds: 30 * DAY + 1 }, 'cooldownSeconds'],
      [{ maxTradeUsd: '0' }, 'maxTradeUsd'],
      [{ maxTradeUsd: 100 }, 'maxTradeUsd'],
      [{ weights: [] }, 'weights'],
    ] as const
  ).map(([over, path]): Fault => [at(over), `${under}${path}`]);
